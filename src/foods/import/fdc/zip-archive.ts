import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { OperatorError } from '@larder/core/errors.ts';
import { type Entry, open, type ZipFile } from 'yauzl';

const MAX_ENTRIES = 1_000;

/** One file in an archive. */
export interface ZipEntry {
  /** The name without folders. */
  readonly name: string;
  /** The uncompressed size. */
  readonly sizeBytes: number;
  open(): Promise<Readable>;
}

/** A zip archive whose entries can be read as streams, one after the other, in any order. */
export class ZipArchive {
  readonly #file: ZipFile;
  readonly entries: readonly ZipEntry[];

  private constructor(file: ZipFile, entries: readonly ZipEntry[]) {
    this.#file = file;
    this.entries = entries;
  }

  /** Throws an `OperatorError` if the archive is damaged or incomplete. */
  static async open(path: string): Promise<ZipArchive> {
    let file: ZipFile | undefined;
    try {
      file = await promisify<string, object, ZipFile>(open)(path, { lazyEntries: true, autoClose: false });
      return new ZipArchive(file, await listEntries(file));
    } catch (error) {
      file?.close();
      throw zipError(path, error);
    }
  }

  close(): void {
    this.#file.close();
  }
}

export function zipError(path: string, error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  return new OperatorError(
    `${path} cannot be read as a zip archive: ${(error as Error).message}. ` +
      'Its copy or download may be incomplete; get it again.',
    { cause: error },
  );
}

function listEntries(file: ZipFile): Promise<ZipEntry[]> {
  return new Promise((resolve, reject) => {
    if (file.entryCount > MAX_ENTRIES) {
      throw new Error(`it holds ${file.entryCount} files, more than the ${MAX_ENTRIES} that are looked at`);
    }
    const entries: ZipEntry[] = [];
    file.on('entry', (entry: Entry) => {
      if (!entry.fileName.endsWith('/')) entries.push(toZipEntry(file, entry));
      file.readEntry();
    });
    file.once('end', () => resolve(entries));
    file.once('error', reject);
    file.readEntry();
  });
}

function toZipEntry(file: ZipFile, entry: Entry): ZipEntry {
  return {
    name: basename(entry.fileName),
    sizeBytes: entry.uncompressedSize,
    open: () =>
      new Promise((resolve, reject) => {
        file.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
      }),
  };
}
