import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { OperatorError } from '@larder/core/errors.ts';
import { type Entry, open, type ZipFile } from 'yauzl';
import { inspectSourceFile, type ReadOptions, readSourceFile } from '../readers/source-file.ts';

const MAX_ENTRIES = 1_000;

/** One file in an archive. */
interface ZipEntry {
  /** The name without folders. */
  readonly name: string;
  /** The uncompressed size. */
  readonly sizeBytes: number;
  open(): Promise<Readable>;
}

/** A zip archive whose entries can be read as streams, one after the other, in any order. */
class ZipArchive {
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

function zipError(path: string, error: unknown): OperatorError {
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

const MAX_FILES = 1_000;

/** One file of a bundle. */
export interface BundleFile {
  /** The name without folders and without `.gz`: `food.csv`. */
  readonly name: string;
  /** Total of `read`'s progress. */
  readonly sizeBytes: number;
  read(options: ReadOptions): AsyncIterable<Buffer>;
}

/** A folder or zip archive with files of FoodData Central. */
export interface Bundle {
  readonly path: string;
  readonly files: readonly BundleFile[];
  close(): void;
}

export function findFile(bundle: Bundle, name: string): BundleFile | undefined {
  return bundle.files.find((file) => file.name === name);
}

/** The files in a folder, or in its only subfolder (an unpacked archive). */
export async function openFolderBundle(path: string): Promise<Bundle> {
  const names = await readdir(path, { withFileTypes: true });
  const folders = names.filter((entry) => entry.isDirectory());
  const files = names.filter((entry) => !entry.isDirectory() && /\.(csv|json)(\.gz)?$/i.test(entry.name));
  if (files.length === 0 && folders.length === 1) return openFolderBundle(join(path, folders[0]!.name));
  return {
    path,
    files: await Promise.all(files.slice(0, MAX_FILES).map((entry) => toBundleFile(join(path, entry.name)))),
    close: () => {},
  };
}

async function toBundleFile(path: string): Promise<BundleFile> {
  const source = await inspectSourceFile(path);
  return {
    name: basename(path).replace(/\.gz$/i, ''),
    sizeBytes: source.sizeBytes,
    read: ({ onBytesRead, signal }) => readSourceFile(source, onBytesRead, signal),
  };
}

export async function openZipBundle(path: string): Promise<Bundle> {
  const archive = await ZipArchive.open(path);
  return {
    path,
    files: archive.entries.map((entry) => ({
      name: entry.name,
      sizeBytes: entry.sizeBytes,
      async *read({ onBytesRead, signal }) {
        let bytesRead = 0;
        try {
          for await (const chunk of (await entry.open()) as AsyncIterable<Buffer>) {
            signal?.throwIfAborted();
            bytesRead += chunk.length;
            onBytesRead?.(bytesRead);
            yield chunk;
          }
        } catch (error) {
          signal?.throwIfAborted();
          throw zipError(path, error);
        }
      },
    })),
    close: () => archive.close(),
  };
}
