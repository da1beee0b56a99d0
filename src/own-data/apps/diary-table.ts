import { AppError } from '@larder/core/errors.ts';
import type { PartialNutrients } from '@larder/core/nutrients.ts';
import { sizeOfUnit } from '@larder/core/unit-sizes.ts';
import { fold } from '@larder/core/words/tokenise.ts';
import { invalidField } from '../../diary/records/invalid-field.ts';
import { normaliseUnit } from '../../diary/records/units.ts';
import { repairTwiceEncoded } from '../../foods/import/normalise/twice-encoded.ts';
import type { Table, TableRow } from '../../foods/import/table/delimited-table.ts';
import { type DecimalMark, decimalMarkOf, readNumber } from '../../foods/import/table/numbers.ts';
import type { NutrientColumn } from '../../foods/import/table/nutrient-columns.ts';
import type { EatenRow, EntryMaker } from '../import/entry-maker.ts';
import type { Reading } from '../import/reading.ts';
import type { DateOrder } from '../import-options.ts';
import { dateOrderOf, readDate, readTimeOfDay } from '../tables/dates.ts';
import { readAmount, type StatedAmount } from '../tables/values.ts';
import { AmountColumns } from './amount-columns.ts';

/** The meaning of a diary column that states no nutrient. */
const ROLES = [
  'date',
  'time',
  'meal',
  'food',
  'brand',
  'quantity',
  'unit',
  'note',
  'servingSize',
  'servingUnit',
] as const;
type Role = (typeof ROLES)[number];

/** Headings in English, German, French, Spanish, Italian and Portuguese, folded, with "_" as a space. */
const NAMES: Readonly<Record<Role, string>> = {
  date: 'date|day|datum|tag|jour|fecha|dia|data|giorno|date time|entry date',
  time: 'time|uhrzeit|zeit|heure|hora|ora',
  meal: 'meal|group|meal type|mealtype|type|mahlzeit|repas|comida|pasto|refeicao|meal name group',
  food: 'food|food name|foodname|name|meal name|item|lebensmittel|speise|produkt|aliment|nom|alimento|nombre|nome|cibo',
  brand: 'brand|brands|meal brands|marke|marque|marca',
  quantity: 'quantity|amount|qty|menge|anzahl|quantite|cantidad|quantita|quantidade',
  unit: 'unit|units|einheit|unite|unidad|unita|unidade',
  note: 'note|notes|comment|notiz|notizen|bemerkung|remarque|nota|notas|commento|comentario',
  servingSize: 'meal serving quantity',
  servingUnit: 'meal serving unit',
};

const ROLE_OF: ReadonlyMap<string, Role> = new Map(
  ROLES.flatMap((role) => NAMES[role].split('|').map((name) => [name, role] as const)),
);

/** One spelling of a heading: "meal_name" and "Meal Name" are equal. */
export function headingKey(heading: string): string {
  return fold(heading)
    .replace(/[_\s]+/g, ' ')
    .trim();
}

function roleOf(heading: string): Role | undefined {
  return ROLE_OF.get(headingKey(heading));
}

interface DiaryColumnsOptions {
  readonly nutrientOf: (heading: string) => NutrientColumn | undefined;
  /** Headings, in the form of `headingKey`, whose amounts have no stated unit. */
  readonly ignored?: readonly string[];
}

/** The columns of a table of eaten foods. */
export class DiaryColumns extends AmountColumns {
  readonly roles: ReadonlyMap<Role, number>;

  constructor(headings: readonly string[], { nutrientOf, ignored = [] }: DiaryColumnsOptions) {
    const roles = new Map<Role, number>();
    for (const [at, heading] of headings.entries()) {
      const role = roleOf(heading);
      if (role !== undefined && !roles.has(role)) roles.set(role, at);
    }
    super(headings, {
      nutrientOf: (heading) => (ignored.includes(headingKey(heading)) ? undefined : nutrientOf(heading)),
      taken: new Set(roles.values()),
    });
    this.roles = roles;
  }

  get isPer100(): boolean {
    return this.stated.some((per) => per !== 'serving');
  }

  cell(cells: readonly string[], role: Role): string | undefined {
    const at = this.roles.get(role);
    return at === undefined ? undefined : cells[at]?.trim();
  }
}

interface DiaryTableOptions {
  readonly table: Table;
  readonly columns: DiaryColumns;
  /** The position of the row of headings. */
  readonly headingAt: number;
  readonly dateOrder: DateOrder | undefined;
  readonly maker: EntryMaker;
}

/** Names of rows with the sums of a day, which are not entries. */
const TOTALS = /^(?:daily )?(?:total|totals|summe|gesamt|totale|totaux|insgesamt)$/i;

/** Reads a table with a row for each food or meal, as most apps export it. */
export function readDiaryTable(reading: Reading, options: DiaryTableOptions): void {
  const { table, columns, headingAt, maker } = options;
  const rows = table.rows.slice(headingAt + 1);
  const cellsOf = function* (positions: readonly number[]) {
    for (const { cells } of rows) for (const at of positions) yield cells[at] ?? '';
  };
  const order = dateOrderOf(cellsOf([columns.roles.get('date')!]), options.dateOrder);
  if (order !== undefined)
    reading.note(`Dates were read with the ${order === 'day-first' ? 'day' : 'month'} first.`);
  const mark = decimalMarkOf(cellsOf(columns.positions), table.delimiter);
  if (mark === undefined) {
    throw new AppError({
      code: 'invalid_request',
      message: 'Some numbers of this file have a decimal point and others a decimal comma; write them alike.',
    });
  }
  if (mark === ',') reading.note('Numbers were read with a decimal comma.');
  reading.ignoredColumns.push(...columns.unused);
  for (const row of rows) readRow(row, { reading, columns, order, mark, maker });
}

interface RowContext {
  readonly reading: Reading;
  readonly columns: DiaryColumns;
  readonly order: DateOrder | undefined;
  readonly mark: DecimalMark;
  readonly maker: EntryMaker;
}

function readRow(row: TableRow, context: RowContext): void {
  const { reading, columns, maker } = context;
  const { line, cells } = row;
  const isSum = TOTALS.test(columns.cell(cells, 'meal') ?? '') && !columns.cell(cells, 'food');
  if (isSum) reading.note('Rows with the sums of a day were left out.');
  else reading.add('entries', line, () => maker.make(toEatenRow(row, context)));
}

/** Throws `invalid_request` that names the column. */
function toEatenRow({ line, cells, problem }: TableRow, context: RowContext): EatenRow {
  const { reading, columns, order, mark } = context;
  const { headings } = columns;
  if (problem !== undefined) throw invalidField('', problem);
  if (cells.length !== headings.length)
    throw invalidField('', `The row has ${cells.length} cells, and the headings are ${headings.length}.`);
  const dateCell = columns.cell(cells, 'date') ?? '';
  const date = readDate(dateCell, order);
  if (date === undefined) {
    const heading = headings[columns.roles.get('date')!]!;
    throw invalidField(heading, `"${dateCell.slice(0, 50)}" is no date that can be read.`);
  }
  const amount = amountOf(cells, context);
  const stated = columns.nutrientsOf(cells, line, mark, reading);
  const food = textOf(columns.cell(cells, 'food'), reading);
  const brand = textOf(columns.cell(cells, 'brand'), reading);
  return {
    date,
    time: readTimeOfDay(columns.cell(cells, 'time') ?? (dateCell.includes('T') ? dateCell : '')),
    meal: textOf(columns.cell(cells, 'meal'), reading) ?? '',
    food: food && brand ? `${food} (${brand})` : food || undefined,
    ...amount,
    nutrients: columns.isPer100 ? eatenOf(stated, cells, amount, context) : stated,
    note: textOf(columns.cell(cells, 'note'), reading),
  };
}

function amountOf(cells: readonly string[], { columns, mark }: RowContext): StatedAmount {
  const text = columns.cell(cells, 'quantity');
  if (text === undefined || text === '') return {};
  const unit = columns.cell(cells, 'unit');
  const quantity = readNumber(text, mark);
  if (typeof quantity === 'number') return { quantity, ...(unit && { unit }) };
  return readAmount(text, mark);
}

/** Scales amounts per 100 g or ml to the eaten amount. Throws `invalid_request` if its weight is unknown. */
function eatenOf(
  per100: PartialNutrients,
  cells: readonly string[],
  { quantity, unit = '' }: StatedAmount,
  { columns, mark }: RowContext,
): PartialNutrients {
  const size = sizeOf(unit) ?? servingOf(cells, columns, mark);
  if (quantity === undefined || size === undefined)
    throw invalidField('', 'The row states amounts per 100 g, and no weight that was eaten.');
  const scaled = Object.entries(per100).map(([key, amount]) => [key, (amount * quantity * size) / 100]);
  return Object.fromEntries(scaled);
}

function sizeOf(unit: string): number | undefined {
  return /^g\s*\/\s*ml$/i.test(unit) ? 1 : sizeOfUnit(normaliseUnit(unit))?.size;
}

function servingOf(cells: readonly string[], columns: DiaryColumns, mark: DecimalMark): number | undefined {
  const count = readNumber(columns.cell(cells, 'servingSize') ?? '', mark);
  const size = sizeOf(columns.cell(cells, 'servingUnit') ?? '');
  return typeof count === 'number' && size !== undefined ? count * size : undefined;
}

/** The text of a cell; a twice-encoded one is repaired. */
export function textOf(cell: string | undefined, reading: Reading): string | undefined {
  if (cell === undefined) return undefined;
  const { text, isRepaired, isDoubtful } = repairTwiceEncoded(cell);
  if (isRepaired) reading.note('A text that was encoded twice was repaired.');
  if (isDoubtful) reading.note('A text looks as if it was encoded twice; it was kept as it is.');
  return text;
}
