import { setImmediate } from 'node:timers/promises';
import { OperatorError } from '@larder/core/errors.ts';
import { asyncBufferFromFile, type FileMetaData, parquetMetadataAsync, parquetSchema } from 'hyparquet';
import type { RawFoodSink, RawNutrients } from '../normalise/raw-food.ts';
import type { SourceFile } from '../readers/source-file.ts';
import {
  FurtherAmounts,
  NO_LANGUAGE,
  OFF_FACT_NUMBERS,
  OFF_FACT_TAGS,
  OFF_FACT_TEXTS,
  OFF_LOCAL_TEXTS,
  type OffFactFields,
} from './facts.ts';
import { isName, type OffReadOptions, takeProduct } from './food.ts';
import { isOffNutrient, setOffNutrient } from './nutrients.ts';
import { openRowGroup, type RowGroupLeaves } from './parquet-columns.ts';
import { type OffMarket, outsideOf, requireMarket, type SliceFilter } from './slice.ts';

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
/** The columns of facts. */
const FACT_COLUMNS = [...OFF_FACT_TEXTS, ...OFF_FACT_TAGS, ...OFF_FACT_NUMBERS, ...OFF_LOCAL_TEXTS, 'images'];
/** The columns that a slice is chosen by. */
const MARKET_COLUMNS = ['countries_tags', 'lang', 'product_name', 'unique_scans_n'];
const REQUIRED = [
  'code',
  'product_name',
  'nutriments',
] as const satisfies readonly (typeof COLUMNS)[number][];

/** The fields that are read of each list. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  product_name: ['lang', 'text'],
  generic_name: ['lang', 'text'],
  nutriments: ['name', '100g', 'serving'],
  ...Object.fromEntries(OFF_FACT_TAGS.map((column) => [column, ['element', 'item']])),
  ingredients_text: ['lang', 'text'],
  images: ['key', 'rev'],
};
/** Number of rows between two checks for cancellation, and two progress messages. */
const ROWS_AT_A_TIME = 4_096;

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
  readonly lang?: string | null;
  readonly images?: readonly { readonly key?: string | null; readonly rev?: number | null }[] | null;
  /** Writers name the member of a plain list in different ways. */
  readonly countries_tags?: readonly Readonly<Record<string, string | null>>[] | null;
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
  options: OffReadOptions,
): Promise<void> {
  const { filter } = options;
  const columns = [
    ...COLUMNS,
    ...(filter === undefined ? [] : MARKET_COLUMNS),
    ...(sink.takesFacts ? FACT_COLUMNS : []),
  ];
  await eachRow(file, columns, options, (row, where) => readRow(row, where, sink, filter));
}

/** Counts the products, and those of a slice, by the few columns that say so. */
export async function countOffParquet(
  file: SourceFile,
  filter: SliceFilter,
  options: OffReadOptions,
): Promise<{ readonly products: number; readonly chosen: number }> {
  let products = 0;
  let chosen = 0;
  await eachRow(file, MARKET_COLUMNS, { ...options, filter }, (row) => {
    products++;
    if (outsideOf(filter, row.unique_scans_n ?? undefined, marketOf(row)) === undefined) chosen++;
  });
  return { products, chosen };
}

async function eachRow(
  file: SourceFile,
  asked: readonly string[],
  options: OffReadOptions,
  onRow: (row: Row, where: string) => void,
): Promise<void> {
  const buffer = await asyncBufferFromFile(file.path);
  const metadata = await guarded(file, () => parquetMetadataAsync(buffer));
  const columns = chooseColumns(file, metadata, asked, options.filter);
  const isWanted = ([column, ...below]: readonly string[]) =>
    columns.includes(column!) && (MEMBERS[column!]?.includes(below.at(-1)!) ?? below.length === 0);
  let start = 0;
  for (const group of metadata.row_groups) {
    const end = start + Number(group.num_rows);
    const leaves = await guarded(file, () => openRowGroup(buffer, metadata, group, isWanted));
    for (let row = start; row < end; row++) {
      if (row % ROWS_AT_A_TIME === 0) {
        options.signal?.throwIfAborted();
        options.onBytesRead?.(Math.round((file.sizeBytes * row) / Number(metadata.num_rows)));
        // Yields to signals and other work: a group in memory is read without waiting.
        await setImmediate();
      }
      onRow(
        attempt(file, () => nextRow(leaves)),
        `${file.name}:${row + 1}`,
      );
    }
    start = end;
  }
  options.onBytesRead?.(file.sizeBytes);
}

/** Assembles a row from the next value of each leaf. Throws if one has ended. */
function nextRow(leaves: RowGroupLeaves): Row {
  const row: Record<string, unknown> = {};
  for (const [path, values] of leaves) {
    const { done, value } = values.next();
    if (done === true) throw new Error(`the column ${path} has fewer rows than its row group`);
    const [column = '', member] = path.split('.');
    if (member === undefined) {
      row[column] = value[0];
      continue;
    }
    row[column] ??= value.map(() => ({}));
    const members = row[column] as Record<string, unknown>[];
    for (const [at, one] of value.entries()) members[at]![member] = one;
  }
  return row as Row;
}

async function guarded<T>(file: SourceFile, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw explain(file, error);
  }
}

function attempt<T>(file: SourceFile, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw explain(file, error);
  }
}

function explain({ path }: SourceFile, cause: unknown): OperatorError {
  if (cause instanceof OperatorError)
    return new OperatorError(`${path} cannot be read: ${cause.message}`, { cause });
  const reason = (cause as Error).message;
  return new OperatorError(`${path} is a damaged or incomplete Parquet file (${reason}). Get it again.`, {
    cause,
  });
}

function chooseColumns(
  file: SourceFile,
  metadata: FileMetaData,
  asked: readonly string[],
  filter: SliceFilter | undefined,
): readonly string[] {
  const present = parquetSchema(metadata).children.map(({ element }) => element.name);
  const missing = REQUIRED.filter((column) => !present.includes(column));
  requireMarket(file.path, filter, { columns: present, languages: 'product_name' });
  if (missing.length === 0) return asked.filter((column) => present.includes(column));
  throw new OperatorError(
    `${file.path} is not a Parquet export of Open Food Facts: it lacks the columns ${missing.join(', ')}.`,
  );
}

function readRow(row: Row, where: string, sink: RawFoodSink, filter: SliceFilter | undefined): void {
  const { name, otherNames } = readNames(row.product_name);
  if (!row.code) {
    sink.broken(where, 'a row without a code', name);
    return;
  }
  const per100: RawNutrients = {};
  const perServing: RawNutrients = {};
  const further = sink.takesFacts ? new FurtherAmounts(isOffNutrient) : undefined;
  for (const nutriment of row.nutriments ?? []) {
    if (!nutriment.name) continue;
    further?.add('per100', nutriment.name, nutriment['100g'] ?? undefined);
    further?.add('perServing', nutriment.name, nutriment.serving ?? undefined);
    setOffNutrient(per100, nutriment.name, nutriment['100g'] ?? undefined);
    setOffNutrient(perServing, nutriment.name, nutriment.serving ?? undefined);
  }
  const product = {
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
    ...(further && { further, facts: factsIn(row) }),
  };
  takeProduct(product, sink, filter, () => marketOf(row));
}

function factsIn(row: Row): OffFactFields {
  const cells = row as Readonly<Record<string, unknown>>;
  return {
    text: (name) => (typeof cells[name] === 'string' ? cells[name] : ''),
    number: (name) => toNumber(cells[name] as bigint | number | null),
    tags: (name) =>
      ((cells[name] as Row['countries_tags']) ?? []).map((member) => Object.values(member)[0] ?? ''),
    texts: (name) => localTexts((cells[name] as readonly LocalText[] | null) ?? [], row.lang),
    *images() {
      for (const { key, rev } of row.images ?? []) if (key && rev) yield [key, rev] as const;
    },
  };
}

function localTexts(
  texts: readonly LocalText[],
  own: string | null | undefined,
): Readonly<Record<string, string>> {
  const known: Record<string, string> = {};
  for (const { lang, text } of texts) if (lang && lang !== 'main' && text) known[lang] = text;
  const main = texts.find(({ lang }) => lang === 'main')?.text;
  if (main && !Object.values(known).includes(main)) known[own || NO_LANGUAGE] ??= main;
  return known;
}

function marketOf({ countries_tags: countries, lang, product_name: names }: Row): OffMarket {
  return {
    countries: (countries ?? []).map((member) => Object.values(member)[0] ?? ''),
    languages: [lang ?? '', ...(names ?? []).map((name) => name.lang ?? '')],
  };
}

/** The main name and the names in other languages. */
function readNames(texts: readonly LocalText[] | null | undefined): {
  name: string;
  otherNames: readonly string[];
} {
  const all = (texts ?? []).filter(({ text }) => text && isName(text));
  const main = all.find(({ lang }) => lang === 'main') ?? all[0];
  const otherNames = all.filter((text) => text !== main).map(({ text }) => text!);
  return { name: main?.text ?? '', otherNames };
}

function toNumber(value: bigint | number | string | null | undefined): number | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
