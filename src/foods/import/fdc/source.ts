import { stat } from 'node:fs/promises';
import { OperatorError } from '@larder/core/errors.ts';
import { readError } from '../../../files/file-errors.ts';
import type { RawFoodSink } from '../normalise/raw-food.ts';
import { inspectSourceFile, type ReadOptions, readSourceFile } from '../readers/source-file.ts';
import { type Bundle, findFile, openFolderBundle, openZipBundle } from './bundle.ts';
import { csvBundleBytes, readCsvBundle } from './csv-bundle.ts';
import { readJsonFile } from './json-file.ts';

/** One folder, archive or file of FoodData Central, checked and ready to read. */
export interface FdcSource {
  readonly path: string;
  /** Total of the reading progress. */
  readonly sizeBytes: number;
  read(sink: RawFoodSink, options?: ReadOptions): Promise<void>;
  close(): void;
}

/** Throws an `OperatorError` if the path is not a download of FoodData Central. */
export async function openFdcSource(path: string): Promise<FdcSource> {
  if (await isFolder(path)) return bundleSource(await openFolderBundle(path));
  const source = await inspectSourceFile(path);
  if (source.content === 'zip') return bundleSource(await openZipBundle(path));
  if (source.content !== 'json') {
    throw new OperatorError(
      source.content === 'text'
        ? `${path} is a single text. Name the folder or the .zip that holds all CSV files of the download, or a JSON download.`
        : `${path} is neither a .zip, a JSON file nor a folder of FoodData Central.`,
    );
  }
  return jsonSource(path, [
    {
      name: source.name,
      sizeBytes: source.sizeBytes,
      read: ({ onBytesRead, signal }) => readSourceFile(source, onBytesRead, signal),
    },
  ]);
}

function bundleSource(bundle: Bundle): FdcSource {
  const jsonFiles = bundle.files.filter(({ name }) => name.endsWith('.json'));
  if (findFile(bundle, 'food.csv') === undefined && jsonFiles.length > 0) {
    return jsonSource(bundle.path, jsonFiles, () => bundle.close());
  }
  return {
    path: bundle.path,
    sizeBytes: csvBundleBytes(bundle),
    read: (sink, options = {}) => readCsvBundle({ bundle, sink, options }),
    close: () => bundle.close(),
  };
}

function jsonSource(path: string, files: Bundle['files'], close = () => {}): FdcSource {
  return {
    path,
    sizeBytes: files.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0),
    async read(sink, options = {}) {
      let bytesDone = 0;
      for (const file of files) {
        const bytesBefore = bytesDone;
        const onBytesRead = (bytesRead: number) => options.onBytesRead?.(bytesBefore + bytesRead);
        const name = files.length > 1 ? `${file.name} in ${path}` : path;
        await readJsonFile({ file, path: name, sink, options: { ...options, onBytesRead } });
        bytesDone += file.sizeBytes;
      }
    },
    close,
  };
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    throw readError(path, error);
  }
}
