import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { languageBit } from '@larder/core/name-languages.ts';
import { fold } from '@larder/core/words/tokenise.ts';
import type { ImportSource } from '../import-run.ts';
import type { RawFood, RawFoodSink, RawNutrients } from '../normalise/raw-food.ts';
import { inspectSourceFile } from '../readers/source-file.ts';
import { type DecimalMark, decimalMarkOf, readNumber } from './numbers.ts';
import { openHeadingMeanings, openNutrientColumns } from './nutrient-columns.ts';
import { knownMapOf, knownMaps, type Layout, layoutOf, proposeMap } from './propose-map.ts';
import { type Cell, openSheets, type Sheet, type SheetRow } from './sheets.ts';
import type { AmountBasis } from './table-limits.ts';
import { type ColumnMeaning, columnKey, parseTableMap, readTableMap, type TableMap } from './table-map.ts';

/** Foods are held until all rows are read, since a table may state a food in several places. */
const MAX_FOODS = 500_000;
/** The three that fill a food: more of them in 100 g means that the amounts are of another weight. */
const MOST_OF_100_G = 110;
/** Number of foods by which the basis of a table's amounts is guessed. */
const JUDGED_FOODS = 200;
const MAX_KEY_LENGTH = 60;
const MAX_SLUG_LENGTH = 48;
const HASH_LENGTH = 8;
const EXAMPLE_CHARACTERS = 120;

/** Texts for an amount too small to measure, and for an unknown one, in the published tables; in lower case. */
const TRACES: ReadonlySet<string> = new Set([
  'tr',
  'tr.',
  'trace',
  'traces',
  'sp',
  'sp.',
  'spuren',
  'spor',
  'spår',
  'sporen',
  'tracce',
  'trazas',
]);
const UNKNOWN: ReadonlySet<string> = new Set([
  'n',
  'n.d.',
  'nd',
  'k.a.',
  'k. a.',
  'ka',
  'm',
  '*',
  '.',
  '..',
  '...',
  'x',
]);

export interface TableRequest {
  /** Name of a known map, or file of one; proposed if undefined. */
  readonly map: string | undefined;
  /** A map in YAML, instead of `map`. */
  readonly mapText?: string | undefined;
  /** The basis of amounts, where neither map nor headings state it. */
  readonly per: AmountBasis | undefined;
  /** Begins the ids of the foods where the map is proposed. */
  readonly name: string;
}

/** A table that was looked at and can be read. */
export interface OpenedTable {
  readonly map: TableMap;
  /** Whether the map was given, is that of a known table, or was made by the headings. */
  readonly mapIs: 'given' | 'known' | 'proposed';
  readonly layouts: readonly Layout[];
  /** Headings without a meaning. */
  readonly unused: readonly string[];
  readonly notes: readonly string[];
  readonly per: AmountBasis;
  readonly sources: readonly ImportSource[];
}

/** Looks at files of one table and finds how to read them. Throws an `OperatorError` that says what is missing. */
export async function openTable(paths: readonly string[], request: TableRequest): Promise<OpenedTable> {
  const all: Sheet[] = [];
  const repairs: (readonly [reason: string, example: string])[] = [];
  const noticed = (reason: string, example: string) => repairs.push([reason, example]);
  const files = await Promise.all(paths.map(inspectSourceFile));
  for (const file of files) all.push(...(await openSheets(file, { noticed })));
  const { map, mapIs } = await mapFor(all, request);
  const named = all.filter(({ title }) => title !== undefined && map.sheets?.includes(title));
  const sheets = named.length === 0 ? all : named;
  const layouts = sheets.flatMap((sheet) => layoutOf(sheet, map) ?? []);
  const [first] = sheets;
  if (layouts.every(({ meanings }) => meanings.every((meaning) => meaning?.kind !== 'name'))) {
    throw new OperatorError(
      `${first!.name} has no column "${map.nameHeading}", as the map ${map.name} says, within its first rows.`,
    );
  }
  const used = new Set(
    layouts.flatMap(({ names, meanings }) => names.filter((_, at) => meanings[at] !== undefined)),
  );
  const unused = new Set(
    layouts.flatMap(({ names }) => names.filter((name) => name !== '' && !used.has(name))),
  );
  const table = { map, mapIs, layouts, unused: [...unused], ...basisOf(map, layouts, request.per) };
  const source: ImportSource = {
    name: files.map(({ name }) => name).join(', '),
    sizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    read: async (sink) => {
      for (const repair of repairs) sink.noticed(...repair);
      for (const food of readFoods(table, { sink })) sink.food(food);
    },
  };
  return { ...table, sources: [source] };
}

async function mapFor(
  sheets: readonly Sheet[],
  { map, mapText, per, name }: TableRequest,
): Promise<Pick<OpenedTable, 'map' | 'mapIs'>> {
  if (mapText !== undefined) return { map: parseTableMap(mapText, 'The map'), mapIs: 'given' };
  const byName = map === undefined ? undefined : (await knownMaps()).find((each) => each.name === map);
  if (map !== undefined) return { map: byName ?? (await readTableMap(map)), mapIs: 'given' };
  const known = await knownMapOf(sheets);
  if (known !== undefined) return { map: known, mapIs: 'known' };
  const words = { nutrientOf: await openNutrientColumns(), meaningOf: await openHeadingMeanings() };
  let problem: unknown;
  for (const sheet of sheets) {
    try {
      return { map: proposeMap(sheet, words, { name, per }), mapIs: 'proposed' };
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
}

/** The basis of the amounts: that of the request, the map or the headings, or 100 g where the amounts can be of it. */
function basisOf(
  map: TableMap,
  layouts: readonly Layout[],
  given: AmountBasis | undefined,
): Pick<OpenedTable, 'per' | 'notes'> {
  const stated = given ?? map.per;
  if (stated !== undefined) return { per: stated, notes: [] };
  const meanings = layouts.flatMap((layout) => layout.meanings);
  const amounts = meanings.filter((meaning) => meaning?.kind === 'amount');
  if (amounts.every(({ per }) => per !== undefined) || meanings.some((meaning) => meaning?.kind === 'basis'))
    return { per: '100g', notes: [] };
  if (meanings.some((meaning) => meaning?.kind === 'serving') || !canBePer100(map, layouts)) {
    throw new OperatorError(
      'The table does not say what its amounts are of. State it with --per 100g, --per 100ml or --per serving, in the form of the console, or as "per" in the map.',
    );
  }
  return { per: '100g', notes: ['Amounts are read as those of 100 g; --per states another weight.'] };
}

function canBePer100(map: TableMap, layouts: readonly Layout[]): boolean {
  const foods = readFoods({ map, layouts, per: '100g' }, { limit: JUDGED_FOODS });
  return foods.every(
    ({ per100: { protein = 0, fat = 0, carbohydrates = 0 } = {} }) =>
      protein + fat + carbohydrates <= MOST_OF_100_G,
  );
}

/** How a table is read: the meaning of each column, and what is not read. */
export interface TableReading extends Pick<OpenedTable, 'mapIs' | 'per' | 'unused' | 'notes'> {
  /** The map in YAML. */
  readonly map: string;
  readonly columns: readonly { readonly heading: string; readonly meaning: string }[];
}

export function describeTable({ map, mapIs, per, layouts, unused, notes }: OpenedTable): TableReading {
  const meanings = new Map(
    layouts.flatMap(({ names }) =>
      names.flatMap((heading) => {
        const meaning = map.meanings.get(columnKey(heading));
        return meaning === undefined ? [] : [[heading, meaning] as const];
      }),
    ),
  );
  const columns = Array.from(meanings, ([heading, meaning]) => ({ heading, meaning }));
  return { map: map.text, mapIs, per, columns, unused, notes };
}

const MAX_NAME_LENGTH = 20;

/** A name for ids by the name of a file: "My Pantry 2026.xlsx" is "my-pantry-2026". */
export function tableNameOf(path: string): string {
  const name = fold(basename(path).replace(/\.gz$/, ''));
  const slug = name
    .slice(0, name.length - extname(name).length)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[-0-9]+/, '')
    .slice(0, MAX_NAME_LENGTH)
    .replace(/-$/, '');
  return slug === '' ? 'table' : slug;
}

/** The first foods of a table. */
export function previewTable(table: OpenedTable, limit: number): readonly RawFood[] {
  return readFoods(table, { limit });
}

interface ReadFoodsOptions {
  readonly sink?: Omit<RawFoodSink, 'food'>;
  /** Foods after which a look at the table ends. */
  readonly limit?: number;
}

interface Draft {
  readonly names: {
    readonly text: string;
    readonly language: string | undefined;
    readonly isShown: boolean;
  }[];
  code: string;
  brand: string;
  barcode: string;
  serving: Cell;
  isMl: boolean;
  readonly per100: RawNutrients;
  readonly perServing: RawNutrients;
}

function readFoods(
  { map, layouts, per }: Pick<OpenedTable, 'map' | 'layouts' | 'per'>,
  { sink, limit = MAX_FOODS }: ReadFoodsOptions,
): RawFood[] {
  const drafts = new Map<string, Draft>();
  for (const layout of layouts) {
    const mark = map.decimal ?? decimalMark(layout);
    const row = new RowReader({ map, layout, mark, per, sink });
    let count = 0;
    for (const each of rowsAfter(layout)) {
      if (each.problem !== undefined)
        sink?.broken(`${layout.sheet.name}:${each.line}`, each.problem, exampleOf(each));
      else if (row.read(each, drafts) && ++count === limit && limit < MAX_FOODS) break;
      if (drafts.size > MAX_FOODS) {
        throw new OperatorError(
          `The table has more than ${MAX_FOODS.toLocaleString('en')} foods; divide it into several imports.`,
        );
      }
    }
  }
  return [...drafts.values()].flatMap((draft) => toFood(draft, map, sink) ?? []);
}

function* rowsAfter({ sheet, rows: headings }: Layout): Generator<SheetRow> {
  let at = 0;
  for (const row of sheet.rows()) if (at++ >= headings) yield row;
}

/** The decimal mark of the amounts. Throws an `OperatorError` if they contradict each other. */
function decimalMark(layout: Layout): DecimalMark {
  const columns = layout.meanings.flatMap((meaning, at) =>
    meaning?.kind === 'amount' || meaning?.kind === 'value' ? [at] : [],
  );
  function* cells(): Generator<string> {
    for (const row of rowsAfter(layout)) {
      for (const at of columns) {
        const cell = row.cells[at];
        if (typeof cell === 'string') yield cell.replace(/^[<~≈(\s]+|[)\s]+$/g, '');
      }
    }
  }
  const mark = decimalMarkOf(cells(), layout.sheet.delimiter);
  if (mark !== undefined) return mark;
  throw new OperatorError(
    `Some amounts of ${layout.sheet.name} have a decimal point and others a decimal comma. Write them alike, or state "decimal" in the map.`,
  );
}

interface RowReaderOptions {
  readonly map: TableMap;
  readonly layout: Layout;
  readonly mark: DecimalMark;
  readonly per: AmountBasis;
  readonly sink: Omit<RawFoodSink, 'food'> | undefined;
}

/** Adds the rows of one sheet to the foods. */
class RowReader {
  readonly #options: RowReaderOptions;
  readonly #columns: readonly (readonly [at: number, meaning: ColumnMeaning])[];
  readonly #traces: ReadonlySet<string>;
  readonly #unknown: ReadonlySet<string>;

  constructor(options: RowReaderOptions) {
    const { map, layout } = options;
    this.#options = options;
    // In the order of the map, so that its first name is shown.
    const order = [...map.columns.keys()];
    const rank = (at: number) => order.indexOf(columnKey(layout.names[at]!));
    this.#columns = layout.meanings
      .flatMap((meaning, at) => (meaning === undefined ? [] : [[at, meaning] as const]))
      .sort(([a], [b]) => rank(a) - rank(b));
    this.#traces = new Set([...TRACES, ...map.traces.map((text) => text.toLowerCase())]);
    this.#unknown = new Set([...UNKNOWN, ...map.unknown.map((text) => text.toLowerCase())]);
  }

  /** Returns whether the row is of a food. */
  read(row: SheetRow, drafts: Map<string, Draft>): boolean {
    const text = (kind: ColumnMeaning['kind']) => {
      const column = this.#columns.find(([, meaning]) => meaning.kind === kind);
      return column === undefined ? '' : String(row.cells[column[0]] ?? '').trim();
    };
    const code = text('code');
    const name = text('name');
    const key = code === '' ? [name, text('brand'), text('barcode')].join('\n') : code;
    if (key.trim() === '') return false;
    if (this.#isTitle(row)) {
      if (name !== '' && !drafts.has(key)) this.#options.sink?.skipped('no amounts', name);
      return false;
    }
    let draft = drafts.get(key);
    if (draft === undefined) {
      draft = {
        names: [],
        code,
        brand: '',
        barcode: '',
        serving: '',
        isMl: false,
        per100: {},
        perServing: {},
      };
      drafts.set(key, draft);
    }
    for (const [at, meaning] of this.#columns) this.#take(meaning, row.cells[at] ?? '', draft, row);
    this.#takeOne(row, draft);
    return true;
  }

  /** A row that names a group, or describes the columns: the table has amounts, and the row has none. */
  #isTitle(row: SheetRow): boolean {
    const amounts = this.#columns.filter(([, { kind }]) => kind === 'amount');
    return (
      amounts.length > 0 && amounts.every(([at]) => typeof this.#amountOf(row.cells[at] ?? '') !== 'number')
    );
  }

  #take(meaning: ColumnMeaning, cell: Cell, draft: Draft, row: SheetRow): void {
    const text = String(cell).trim();
    if (text === '') return;
    switch (meaning.kind) {
      case 'name':
      case 'alias':
        for (const each of meaning.kind === 'alias' ? text.split(/\s*[|;/]\s*/) : [text]) {
          if (draft.names.some((known) => known.text === each)) continue;
          draft.names.push({
            text: each,
            language: meaning.language ?? this.#options.map.language,
            isShown: meaning.kind === 'name',
          });
        }
        break;
      case 'serving':
        draft.serving = cell;
        break;
      case 'basis':
        draft.isMl = /(?:\b|\d)ml\b|millilit/i.test(text);
        break;
      case 'brand':
      case 'barcode':
        draft[meaning.kind] = text;
        break;
      case 'amount':
        this.#put(meaning, cell, draft, row);
        break;
    }
  }

  /** Takes the amount of a table with one amount a row. */
  #takeOne(row: SheetRow, draft: Draft): void {
    const at = (kind: ColumnMeaning['kind']) =>
      this.#columns.find(([, meaning]) => meaning.kind === kind)?.[0];
    const [nutrient, value] = [at('nutrient'), at('value')];
    if (nutrient === undefined || value === undefined) return;
    const meaning = this.#options.map.nutrients.get(columnKey(String(row.cells[nutrient] ?? '')));
    if (meaning !== undefined) this.#put(meaning, row.cells[value] ?? '', draft, row);
  }

  #put(
    { nutrient, factor, per = this.#options.per }: Extract<ColumnMeaning, { kind: 'amount' }>,
    cell: Cell,
    draft: Draft,
    row: SheetRow,
  ): void {
    const amount = this.#amountOf(cell);
    if (amount === 'invalid') {
      this.#options.sink?.noticed(
        'amount that is no number left out',
        `${this.#options.layout.sheet.name}:${row.line} ${String(cell).slice(0, EXAMPLE_CHARACTERS)}`,
      );
    } else if (amount !== undefined) {
      if (per === '100ml') draft.isMl = true;
      draft[per === 'serving' ? 'perServing' : 'per100'][nutrient] = Number(
        (amount * factor).toPrecision(12),
      );
    }
  }

  #amountOf(cell: Cell): number | undefined | 'invalid' {
    if (typeof cell === 'number') return cell >= 0 ? cell : 'invalid';
    const text = cell.trim().toLowerCase();
    if (this.#traces.has(text) || text.startsWith('<')) return 0;
    if (this.#unknown.has(text)) return undefined;
    // Estimated values are in brackets, or have a sign before them.
    return readNumber(text.replace(/^[([~≈]+\s*|^ca\.?\s+|[)\]]+$/g, ''), this.#options.mark);
  }
}

function exampleOf({ cells }: SheetRow): string {
  return cells.join(', ').slice(0, EXAMPLE_CHARACTERS);
}

function toFood(
  draft: Draft,
  map: TableMap,
  sink: Omit<RawFoodSink, 'food'> | undefined,
): RawFood | undefined {
  const names = [...draft.names].sort((a, b) => Number(b.isShown) - Number(a.isShown));
  const [name, ...aliases] = names;
  if (name === undefined) {
    sink?.skipped('no name', draft.code);
    return undefined;
  }
  const isGeneric = draft.brand === '' && draft.barcode === '';
  return {
    origin: map.origin,
    key: keyOf(draft, name.text, map),
    name: name.text,
    aliases: aliases.map(({ text }) => text),
    nameLanguages: names.map(({ language }) => languageBit(language ?? '')),
    ...(isGeneric ? { isGeneric } : { brand: draft.brand, barcode: draft.barcode }),
    ...(draft.isMl ? { basis: 'ml' as const } : draft.serving === '' ? { basis: 'g' as const } : {}),
    ...(Object.keys(draft.per100).length > 0 && { per100: draft.per100 }),
    ...(Object.keys(draft.perServing).length > 0 && { perServing: draft.perServing, isPerServing: true }),
    ...(draft.serving !== '' && { servings: [servingOf(draft)] }),
  };
}

function servingOf({ serving, isMl }: Draft): NonNullable<RawFood['servings']>[number] {
  const text = String(serving).trim();
  const isNumber = /^\d+(?:[.,]\d+)?$/.test(text);
  return isNumber ? { quantity: Number(text.replace(',', '.')), unit: isMl ? 'ml' : 'g' } : { text };
}

/** A key that stays across imports: the code of the table, or one of the name, the brand and the barcode. */
function keyOf({ code, brand, barcode }: Draft, name: string, { origin, name: table }: TableMap): string {
  const prefix = origin === 'table' ? `${table}.` : '';
  const longest = MAX_KEY_LENGTH - prefix.length;
  if (/^[A-Za-z0-9._-]+$/.test(code) && code.length <= longest) return prefix + code;
  const own = code === '' ? [name, brand, barcode].filter((each) => each !== '').join(' ') : code;
  const slug = own
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, Math.min(MAX_SLUG_LENGTH, longest - HASH_LENGTH - 1));
  return `${prefix}${slug}-${createHash('sha256').update(own).digest('hex').slice(0, HASH_LENGTH)}`;
}
