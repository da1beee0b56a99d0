import {
  asyncBufferFromFile,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { OperatorError } from '../../../errors.ts';
import type { RawFoodSink, RawNutrients } from '../normalise/raw-food.ts';
import type { ReadOptions, SourceFile } from '../readers/source-file.ts';
import { toRawFood } from './food.ts';
import { setOffNutrient } from './nutrients.ts';

const COLUMNS = [
  'code',
  'product_name',
  'generic_name',
  'brands',
  'quantity',
  'serving_size',
  'serving_quantity',
  'nutriments',
  'unique_scans_n',
  'created_t',
  'last_modified_t',
] as const;
const REQUIRED = [
  'code',
  'product_name',
  'nutriments',
] as const satisfies readonly (typeof COLUMNS)[number][];

/** Rows in memory; row groups of official files have about 120,000 rows. */
const MAX_ROWS_AT_A_TIME = 65_536;

interface Row {
  readonly code?: string | null;
  readonly product_name?: readonly LocalText[] | null;
  readonly generic_name?: readonly LocalText[] | null;
  readonly brands?: string | null;
  readonly quantity?: string | null;
  readonly serving_size?: string | null;
  readonly serving_quantity?: string | null;
  readonly nutriments?: readonly Nutriment[] | null;
  readonly unique_scans_n?: number | null;
  readonly created_t?: bigint | null;
  readonly last_modified_t?: bigint | null;
}
interface LocalText {
  readonly lang?: string | null;
  readonly text?: string | null;
}
interface Nutriment {
  readonly name?: string | null;
  readonly '100g'?: number | null;
  readonly serving?: number | null;
}

/** Reads the Parquet export by row groups, only the needed columns. */
export async function readOffParquet(
  file: SourceFile,
  sink: RawFoodSink,
  options: ReadOptions,
): Promise<void> {
  const buffer = await asyncBufferFromFile(file.path);
  const metadata = await guarded(file, () => parquetMetadataAsync(buffer));
  const columns = chooseColumns(file, metadata);
  let groupStart = 0;
  for (const group of metadata.row_groups) {
    const groupEnd = groupStart + Number(group.num_rows);
    for (let rowStart = groupStart; rowStart < groupEnd; rowStart += MAX_ROWS_AT_A_TIME) {
      options.signal?.throwIfAborted();
      const rowEnd = Math.min(rowStart + MAX_ROWS_AT_A_TIME, groupEnd);
      const rows = await guarded(file, () =>
        parquetReadObjects({ file: buffer, metadata, compressors, columns, rowStart, rowEnd }),
      );
      for (const [index, row] of rows.entries())
        readRow(row as Row, `${file.name}:${rowStart + index + 1}`, sink);
      options.onBytesRead?.(Math.round((file.sizeBytes * rowEnd) / Number(metadata.num_rows)));
    }
    groupStart = groupEnd;
  }
}

async function guarded<T>(file: SourceFile, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new OperatorError(
      `${file.path} is a damaged or incomplete Parquet file (${(error as Error).message}). Get it again.`,
      { cause: error },
    );
  }
}

function chooseColumns(file: SourceFile, metadata: FileMetaData): string[] {
  const present = new Set(parquetSchema(metadata).children.map(({ element }) => element.name));
  const missing = REQUIRED.filter((column) => !present.has(column));
  if (missing.length === 0) return COLUMNS.filter((column) => present.has(column));
  throw new OperatorError(
    `${file.path} is no Parquet export of Open Food Facts: it lacks the columns ${missing.join(', ')}.`,
  );
}

function readRow(row: Row, where: string, sink: RawFoodSink): void {
  const { name, otherNames } = readNames(row.product_name);
  if (!row.code) {
    sink.broken(where, 'a row without a code', name);
    return;
  }
  const per100: RawNutrients = {};
  const perServing: RawNutrients = {};
  for (const nutriment of row.nutriments ?? []) {
    if (!nutriment.name) continue;
    setOffNutrient(per100, nutriment.name, nutriment['100g'] ?? undefined);
    setOffNutrient(perServing, nutriment.name, nutriment.serving ?? undefined);
  }
  sink.food(
    toRawFood({
      code: row.code.trim(),
      name,
      otherNames,
      genericName: readNames(row.generic_name).name,
      brands: row.brands ?? '',
      quantity: row.quantity ?? '',
      servingText: row.serving_size ?? '',
      servingQuantity: toNumber(row.serving_quantity),
      servingUnit: '',
      per100,
      perServing,
      scans: row.unique_scans_n ?? undefined,
      createdAt: toNumber(row.created_t),
      updatedAt: toNumber(row.last_modified_t),
    }),
  );
}

/** The main name, and those in other languages. */
function readNames(texts: readonly LocalText[] | null | undefined): {
  name: string;
  otherNames: readonly string[];
} {
  const all = (texts ?? []).filter(({ text }) => text);
  const main = all.find(({ lang }) => lang === 'main') ?? all[0];
  const otherNames = all.filter((text) => text !== main).map(({ text }) => text!);
  return { name: main?.text ?? '', otherNames };
}

function toNumber(value: bigint | number | string | null | undefined): number | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
