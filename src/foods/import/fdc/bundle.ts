import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { inspectSourceFile, type ReadOptions, readSourceFile } from '../readers/source-file.ts';
import { ZipArchive, zipError } from './zip-archive.ts';

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
