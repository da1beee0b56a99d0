import { OperatorError } from '@larder/core/errors.ts';
import { counted } from '../../../base/texts.ts';
import type { RawFoodSink, RawNutrients } from '../normalise/raw-food.ts';
import { DelimitedReader } from '../readers/delimited.ts';
import type { DelimitedRow } from '../readers/delimited-fields.ts';
import { readSourceFile, type SourceFile, truncatedFile } from '../readers/source-file.ts';
import { asUtf8 } from '../readers/utf8.ts';
import {
  FurtherAmounts,
  NO_LANGUAGE,
  OFF_FACT_NUMBERS,
  OFF_FACT_TAGS,
  OFF_FACT_TEXTS,
  OFF_LOCAL_TEXTS,
  type OffFactFields,
} from './facts.ts';
import { type OffReadOptions, takeProduct } from './food.ts';
import {
  isOffNutrient,
  OFF_NUTRIENT_NAMES,
  setOffNutrient,
  setOffNutrientWithUnit,
  setWrittenNutrient,
} from './nutrients.ts';
import { type OffMarket, requireMarket, type SliceFilter } from './slice.ts';

type Row = DelimitedRow<string>;

interface StatedAmounts {
  per100: RawNutrients;
  perServing?: RawNutrients;
  /** `100ml` if the table states it. */
  per?: string;
}

/** The nutrient columns of one kind of table. */
interface NutrientColumns {
  readonly columns: readonly string[];
  /** Adds nutrients beside those of foods to `further`. */
  read(row: Row, further?: FurtherAmounts): StatedAmounts;
}

/** Headers of a reduced extract of 2019: per 100 g, without energy. */
const EXTRACT = new Map([
  ['protein', 'proteins'],
  ['fat_amount', 'fat'],
  ['carbohydrate', 'carbohydrates'],
  ['dietary_fiber', 'fiber'],
  ['sugar', 'sugars'],
  ['saturated_fats', 'saturated-fat'],
  ['salt', 'salt'],
  ['sodium', 'sodium'],
]);

/** Undefined if the table has no nutrients. */
function nutrientColumns(
  names: readonly string[],
  takesFacts: boolean | undefined,
): NutrientColumns | undefined {
  const present = new Set(names);
  if (present.has('barcode_id'))
    return per100Columns(
      [...EXTRACT].filter(([column]) => present.has(column)),
      [],
    );
  const furtherWith = (ending: string) =>
    takesFacts === true
      ? names.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length))
      : [];
  return (
    per100Columns(
      OFF_NUTRIENT_NAMES.map((name) => [`${name}_100g`, name] as const).filter(([column]) =>
        present.has(column),
      ),
      furtherWith('_100g'),
    ) ??
    valueColumns(
      OFF_NUTRIENT_NAMES.filter((name) => present.has(`${name}_value`)),
      furtherWith('_value').filter((name) => present.has(`${name}_unit`)),
    ) ??
    setColumns(names)
  );
}

/** Columns of the full export and those of countries; all masses are in g. */
function per100Columns(
  columns: ReadonlyArray<readonly [column: string, nutrient: string]>,
  furtherNames: readonly string[],
): NutrientColumns | undefined {
  if (columns.length === 0) return undefined;
  return {
    columns: [...columns.map(([column]) => column), ...furtherNames.map((name) => `${name}_100g`)],
    read(row, further) {
      const per100: RawNutrients = {};
      for (const [column, nutrient] of columns) {
        const amount = row.number(column);
        if (amount === undefined) setWrittenNutrient(per100, nutrient, row.text(column));
        else setOffNutrient(per100, nutrient, amount);
      }
      for (const name of furtherNames) further?.add('per100', name, row.number(`${name}_100g`));
      return { per100 };
    },
  };
}

/** Columns of search exports until 2025: as entered, with units, per the basis in `nutrition_data_per`. */
function valueColumns(
  nutrients: readonly string[],
  furtherNames: readonly string[],
): NutrientColumns | undefined {
  if (nutrients.length === 0) return undefined;
  return {
    columns: [
      'nutrition_data_per',
      ...new Set([...nutrients, ...furtherNames].flatMap((name) => [`${name}_value`, `${name}_unit`])),
    ],
    read(row, further) {
      const amounts: RawNutrients = {};
      for (const name of nutrients) set(amounts, name, row, `${name}_value`, `${name}_unit`);
      const per = row.text('nutrition_data_per');
      const of = per === 'serving' ? 'perServing' : 'per100';
      for (const name of furtherNames)
        further?.addWithUnit(of, name, row.number(`${name}_value`), row.text(`${name}_unit`) || 'g');
      return per === 'serving' ? { per100: {}, perServing: amounts } : { per100: amounts, per };
    },
  };
}

const SET =
  /^(?<set>nutrition\.(?:aggregated_set|input_sets\.(?<source>[^.]+)\.(?<preparation>[^.]+)\.(?<per>[^.]+)))\.nutrients\.(?<nutrient>[^.]+)\.value$/;
/** The sources of sets, best first. `estimate` is computed from ingredients and left out. */
const SOURCES = ['packaging', 'manufacturer', 'database-usda', 'usda'];

interface SetColumn {
  readonly column: string;
  readonly nutrient: string;
  readonly set: string;
  readonly source: string | undefined;
  /** `100g`, `100ml` or `serving`; for the aggregated set another column states it. */
  readonly per: string | undefined;
}

/** Columns of search exports since 2025: one set for each source, preparation and basis. */
function setColumns(names: readonly string[]): NutrientColumns | undefined {
  const columns = names
    .flatMap((column): SetColumn[] => {
      const groups = SET.exec(column)?.groups;
      const isLeftOut = groups?.['source'] === 'estimate' || groups?.['preparation'] === 'prepared';
      if (groups === undefined || isLeftOut) return [];
      const { set = '', source, per, nutrient = '' } = groups;
      return [{ column, nutrient, set, source, per }];
    })
    .toSorted((a, b) => rankOf(a) - rankOf(b));
  if (columns.length === 0) return undefined;
  const unitOf = ({ column }: SetColumn) => column.replace(/value$/, 'unit');
  return {
    columns: columns.flatMap((each) => [each.column, unitOf(each), `${each.set}.per`]),
    read(row, further) {
      const stated: Required<StatedAmounts> = { per100: {}, perServing: {}, per: '' };
      for (const each of columns) {
        if (row.text(each.column) === '') continue;
        const per = each.per ?? row.text(`${each.set}.per`);
        if (per !== 'serving') stated.per ||= per;
        // Amounts per 100 g and per 100 ml are never mixed.
        if (per !== 'serving' && per !== stated.per) continue;
        const into = per === 'serving' ? stated.perServing : stated.per100;
        set(into, each.nutrient, row, each.column, unitOf(each));
        further?.addWithUnit(
          per === 'serving' ? 'perServing' : 'per100',
          each.nutrient,
          row.number(each.column),
          row.text(unitOf(each)) || 'g',
        );
      }
      return stated;
    },
  };
}

/** The aggregated set ranks first: Open Food Facts chose it among the others. */
function rankOf({ source }: SetColumn): number {
  if (source === undefined) return -1;
  const rank = SOURCES.indexOf(source);
  return rank === -1 ? SOURCES.length : rank;
}

function set(into: RawNutrients, nutrient: string, row: Row, value: string, unit: string): void {
  const stated = row.text(unit);
  // An amount without a unit has the usual one.
  if (stated === '') setOffNutrient(into, nutrient, row.number(value));
  else setOffNutrientWithUnit(into, nutrient, row.number(value), stated);
}

const DESCRIPTIONS = [
  'product_name',
  'abbreviated_product_name',
  'generic_name',
  'lc',
  'quantity',
  'brands',
  'brand_owner',
  'serving_size',
  'serving_quantity',
  'unique_scans_n',
  'created_t',
  'last_modified_t',
] as const;
/** Preferred languages: the first one with a name in a search export determines the name of the food. */
const LANGUAGES = ['en', 'fr', 'de', 'es', 'it'];
const NAME_IN_LANGUAGE = /^(?:product|generic)_name_[a-z]{2}$/;

/** Maximum share of rows without nutrients; above it the table is considered a newer export, which lacks them. */
const MAX_SHARE_WITHOUT_NUTRIENTS = 0.5;

interface Table {
  readonly code: 'code' | 'barcode_id';
  readonly isTabbed: boolean;
  /** False for the full export, in which quotes have no meaning. */
  readonly isQuoted: boolean;
  readonly columns: readonly string[];
  /** The columns with names in languages. */
  readonly names: readonly string[];
  readonly nutrients: NutrientColumns;
}

/**
 * Reads the tables of Open Food Facts: the full export and those of countries (tabs, no quotes), the export of a search
 * (tabs and quotes, other columns), and copies saved by other programs with commas and quotes.
 */
export async function readOffCsv(
  file: SourceFile,
  sink: RawFoodSink,
  options: OffReadOptions,
): Promise<void> {
  const table = openTable(file, sink.takesFacts);
  requireMarket(file.path, options.filter, { columns: table.columns, languages: 'lc' });
  const rows = { count: 0, withoutNutrients: 0 };
  const facts = sink.takesFacts ? factColumns(table) : undefined;
  const reader = new DelimitedReader<string>({
    delimiter: table.isTabbed ? '\t' : ',',
    quoted: table.isQuoted,
    columns: [
      ...new Set([
        table.code,
        ...DESCRIPTIONS,
        'countries_tags',
        ...table.names,
        ...table.nutrients.columns,
        ...(facts ?? []),
      ]),
    ],
    onRow: (row) => {
      const further = facts && new FurtherAmounts(isOffNutrient);
      const stated = table.nutrients.read(row, further);
      rows.count++;
      if (!hasNutrients(stated)) rows.withoutNutrients++;
      readRow({ row, stated, further, table, file }, sink, options.filter);
    },
    onBroken: (line, reason, example) => sink.broken(`${file.name}:${line}`, reason, example),
  });
  for await (const chunk of asUtf8(
    file.name,
    readSourceFile(file, options.onBytesRead, options.signal),
    sink,
  ))
    reader.push(chunk);
  if (!reader.end()) throw truncatedFile(file.path);
  const share = rows.withoutNutrients / rows.count;
  if (share > MAX_SHARE_WITHOUT_NUTRIENTS) {
    sink.noticed(
      'a table of which most rows have no nutrients: import JSON lines or Parquet instead, which have them',
      `${file.name}: ${Math.floor(share * 100)} % of ${counted(rows.count, 'row')} have none`,
    );
  }
}

function hasNutrients({ per100, perServing = {} }: StatedAmounts): boolean {
  return [...Object.values(per100), ...Object.values(perServing)].some((amount) => amount !== undefined);
}

interface TableRow {
  readonly row: DelimitedRow<string>;
  readonly stated: StatedAmounts;
  readonly table: Table;
  readonly file: SourceFile;
  /** Present if facts are kept. */
  readonly further: FurtherAmounts | undefined;
}

function readRow(
  { row, stated, further, table, file }: TableRow,
  sink: RawFoodSink,
  filter?: SliceFilter,
): void {
  const code = row.text(table.code).trim();
  const [name = '', ...otherNames] = namesIn(row, table, 'product_name');
  if (code === '') {
    sink.broken(`${file.name}:${row.line}`, 'a row without a code', name);
    return;
  }
  const product = {
    code,
    name: name || row.text('abbreviated_product_name'),
    otherNames,
    genericName: namesIn(row, table, 'generic_name')[0] ?? '',
    brands: row.text('brands') || row.text('brand_owner'),
    quantity: row.text('quantity'),
    servingText: row.text('serving_size'),
    servingQuantity: row.number('serving_quantity'),
    servingUnit: '',
    scans: row.number('unique_scans_n'),
    createdAt: row.number('created_t'),
    updatedAt: row.number('last_modified_t'),
    ...stated,
    ...(further && { further, facts: factsIn(row, table) }),
  };
  takeProduct(product, sink, filter, () => marketOf(row, table));
}

/** A text in a language in the export of a search. */
const TEXT_IN_LANGUAGE = /^(?:generic_name|ingredients_text)_([a-z]{2})$/;
/** Photos of the full export. */
const PHOTOS = { front: 'image_url', ingredients: 'image_ingredients_url', nutrition: 'image_nutrition_url' };

function factColumns({ columns }: Table): readonly string[] {
  return [
    ...OFF_FACT_TEXTS,
    ...OFF_FACT_TAGS,
    ...OFF_FACT_NUMBERS,
    ...OFF_LOCAL_TEXTS,
    'allergens',
    ...Object.values(PHOTOS),
    ...columns.filter((column) => TEXT_IN_LANGUAGE.test(column)),
  ].filter((column) => columns.includes(column));
}

function factsIn(row: DelimitedRow<string>, { columns }: Table): OffFactFields {
  const text = (column: string) => (columns.includes(column) ? row.text(column) : '');
  const own = row.text('lc') || text('lang') || NO_LANGUAGE;
  return {
    text,
    number: (name) => (columns.includes(name) ? row.number(name) : undefined),
    // The full export has its tags of allergens in a column without that ending.
    tags: (name) =>
      (text(name) || (name === 'allergens_tags' ? text('allergens') : ''))
        .split(',')
        .filter((tag) => tag !== ''),
    texts: (name) => {
      const texts: Record<string, string> = {};
      for (const column of columns) {
        const language = column.startsWith(name) ? TEXT_IN_LANGUAGE.exec(column)?.[1] : undefined;
        if (language !== undefined && row.text(column) !== '') texts[language] = row.text(column);
      }
      const main = text(name);
      if (main !== '' && !Object.values(texts).includes(main)) texts[own] ??= main;
      return texts;
    },
    *images() {
      for (const [kind, column] of Object.entries(PHOTOS))
        if (text(column) !== '') yield [kind, text(column)] as const;
    },
  };
}

function marketOf(row: DelimitedRow<string>, { names }: Table): OffMarket {
  const named = names.filter((column) => column.startsWith('product_name') && row.text(column) !== '');
  return {
    countries: row.text('countries_tags').split(','),
    languages: [row.text('lc'), ...named.map((column) => column.slice(-2))],
  };
}

/** Names in order: the product's own language, then `LANGUAGES`, then any. */
function namesIn(row: DelimitedRow<string>, { names }: Table, field: string): readonly string[] {
  const main = row.text(field);
  if (names.length === 0) return main === '' ? [] : [main];
  const own = row.text(`${field}_${row.text('lc')}`);
  const known = LANGUAGES.map((language) => row.text(`${field}_${language}`));
  const any = names.filter((column) => column.startsWith(field)).map((column) => row.text(column));
  const found = [...new Set([main, own, ...known, ...any])].filter((text) => text !== '');
  // Names in other languages are not found, as when reading JSON.
  return found.filter((text, index) => index === 0 || known.includes(text));
}

function openTable(file: SourceFile, takesFacts: boolean | undefined): Table {
  const line = headerLine(file);
  const isTabbed = line.includes('\t');
  const columns = line.split(isTabbed ? '\t' : ',').map((name) => name.replace(/^"|"$/g, ''));
  const names = columns.filter((name) => NAME_IN_LANGUAGE.test(name));
  const nutrients = nutrientColumns(columns, takesFacts);
  const code = (['code', 'barcode_id'] as const).find((column) => columns.includes(column));
  const hasNames = columns.includes('product_name') || names.length > 0;
  if (code !== undefined && hasNames && nutrients !== undefined) {
    return { code, isTabbed, isQuoted: !isTabbed || names.length > 0, columns, names, nutrients };
  }
  throw new OperatorError(
    `${file.path} is not an Open Food Facts table: its first line must name the columns "code", "product_name" (or ` +
      '"product_name_en", …) and nutrients such as "energy-kcal_100g", "proteins_100g", "fat_100g" and ' +
      `"carbohydrates_100g", separated by tabs. It begins with ${JSON.stringify(columns.join(', ').slice(0, 120))}.`,
  );
}

function headerLine(file: SourceFile): string {
  const lineEnd = file.head.indexOf(0x0a);
  return file.head
    .toString('utf8', 0, lineEnd === -1 ? file.head.length : lineEnd)
    .replace(/^\uFEFF|\r$/g, '');
}
