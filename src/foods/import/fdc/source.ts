import { stat } from 'node:fs/promises';
import { OperatorError } from '@larder/core/errors.ts';
import { readError } from '../../../files/file-errors.ts';
import type { RawFoodSink } from '../normalise/raw-food.ts';
import { JsonElements } from '../readers/json-elements.ts';
import { inspectSourceFile, type ReadOptions, readSourceFile } from '../readers/source-file.ts';
import { asUtf8 } from '../readers/utf8.ts';
import { type Bundle, type BundleFile, findFile, openFolderBundle, openZipBundle } from './bundle.ts';
import { csvBundleBytes, readCsvBundle } from './csv-bundle.ts';
import { isFoodList, jsonFood } from './food.ts';
import { NOT_KEPT } from './nutrients.ts';

/** The largest foods, with all their samples, have some hundred kB. */
const MAX_FOOD_MIB = 16;
const EXAMPLE_CHARS = 120;

interface JsonFile {
  readonly file: BundleFile;
  /** The path, for messages. */
  readonly path: string;
  readonly sink: RawFoodSink;
  readonly options: ReadOptions;
}

/**
 * Reads the JSON form of FoodData Central, food by food. Each list element reaches the sink once. Throws an
 * `OperatorError` at the end if the file is incomplete or has no such list.
 */
async function readJsonFile({ file, path, sink, options }: JsonFile): Promise<void> {
  let count = 0;
  const broken = (reason: string, bytes: Buffer) =>
    sink.broken(`${file.name}, food ${count}`, reason, bytes.toString('utf8', 0, EXAMPLE_CHARS));
  const elements = new JsonElements({
    isWanted: isFoodList,
    maxElementBytes: MAX_FOOD_MIB * 1024 * 1024,
    onTooLarge: (start) => {
      count++;
      broken(`a food of more than ${MAX_FOOD_MIB} MiB`, start);
    },
    onElement: (bytes, list) => {
      count++;
      const value = parse(bytes);
      if (value === undefined) return broken('no valid JSON', bytes);
      const notice = (nutrient: number) =>
        sink.noticed(NOT_KEPT, `nutrient ${nutrient} of ${file.name}, food ${count}`);
      const result = jsonFood(value, list, sink.takesFacts ? notice : undefined);
      if (result.kind === 'food') sink.food(result.food);
      else sink.skipped(result.reason, bytes.toString('utf8', 0, EXAMPLE_CHARS));
    },
  });
  for await (const chunk of asUtf8(file.name, file.read(options), sink)) elements.push(chunk);
  if (!elements.isWhole) {
    throw new OperatorError(
      `${path} ends in the middle of a food: its copy or download is incomplete. Get it again.`,
    );
  }
  if (elements.listCount === 0) {
    throw new OperatorError(
      `${path} holds no list of foods (FoundationFoods, SRLegacyFoods, SurveyFoods, BrandedFoods). ` +
        'Is it a JSON download of FoodData Central?',
    );
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** One folder, archive or file of FoodData Central, checked and ready to read. */
interface FdcSource {
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
