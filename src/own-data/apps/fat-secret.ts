import type { Day } from '../../diary/records/day.ts';
import { invalidField } from '../../diary/records/invalid-field.ts';
import type { Table, TableRow } from '../../foods/import/table/delimited-table.ts';
import { type DecimalMark, decimalMarkOf } from '../../foods/import/table/numbers.ts';
import type { NutrientColumn } from '../../foods/import/table/nutrient-columns.ts';
import type { EntryMaker } from '../import/entry-maker.ts';
import type { Reading } from '../import/reading.ts';
import type { DateOrder } from '../import-options.ts';
import { dateOrderOf, readDate } from '../tables/dates.ts';
import { mealNamed, readAmount } from '../tables/values.ts';
import { DiaryColumns, textOf } from './diary-table.ts';

export interface FatSecretOptions {
  readonly table: Table;
  readonly nutrientOf: (heading: string) => NutrientColumn | undefined;
  readonly dateOrder: DateOrder | undefined;
  readonly maker: EntryMaker;
}

/** The beginning of the lines that divide the report, and of its title. */
export const SECTION = '#';
/** Minimum columns with amounts in the row of headings. */
const MIN_AMOUNTS = 3;
const AMOUNT = /^[\s\d.,-]*$/;

/** A row whose entry is created after its amount, or the next row, was read. */
interface PendingRow {
  readonly row: TableRow;
  readonly date: Day;
  readonly meal: string;
  /** Absent for a meal that lists no foods. */
  readonly food: string | undefined;
  amount: string;
}

/**
 * Reads FatSecret's "Food Diary Report". Rows are nested by the spaces before their first cell; a sample is in a post of
 * https://github.com/jgoodhcg/playground (2018):
 *
 *     "Tuesday, May 1, 2018",1523,46.06,…     a day with its sums
 *      Breakfast,250,4,…                      a meal with its sums
 *       Rye Bread,160,4,…                     a food
 *     "   2 x 1 oz, 56 g"                     its amount
 */
export function readFatSecret(reading: Reading, options: FatSecretOptions): void {
  const rows = options.table.rows.filter(({ cells }) => !cells[0]?.startsWith(SECTION));
  const report = new Report(reading, rows, options);
  for (const row of rows) report.take(row);
  report.endMeal();
  if (report.hasHeadings) return;
  throw invalidField(
    'format',
    'The file is no report of FatSecret: it has no headings such as "Cals ( kcal)".',
  );
}

class Report {
  readonly #reading: Reading;
  readonly #options: FatSecretOptions;
  readonly #order: DateOrder | undefined;
  readonly #mark: DecimalMark;
  #columns: DiaryColumns | undefined;
  #date: Day | undefined;
  /** Present while the meal has no food. */
  #meal: PendingRow | undefined;
  #mealName = '';
  #food: PendingRow | undefined;

  constructor(reading: Reading, rows: readonly TableRow[], options: FatSecretOptions) {
    this.#reading = reading;
    this.#options = options;
    const first = rows.map(({ cells }) => cells[0] ?? '');
    this.#order = dateOrderOf(first, options.dateOrder);
    const amounts = rows.flatMap(({ cells }) => cells.slice(1));
    this.#mark = decimalMarkOf(amounts, options.table.delimiter) ?? '.';
  }

  get hasHeadings(): boolean {
    return this.#columns !== undefined;
  }

  take(row: TableRow): void {
    const { cells, line, problem } = row;
    if (problem !== undefined) this.#reading.refuse('entries', line, invalidField('', problem));
    if (problem !== undefined || this.#isHeading(cells)) return;
    const first = cells[0]!;
    const name = textOf(first.trim(), this.#reading)!;
    const depth = first.length - first.trimStart().length;
    const day = depth === 0 ? readDate(name, this.#order) : undefined;
    if (day !== undefined) {
      this.endMeal();
      this.#date = day;
    } else if (this.#date !== undefined) this.#takeNested(row, name, depth, this.#date);
  }

  /** Rows before the first day are a summary. */
  #takeNested(row: TableRow, name: string, depth: number, date: Day): void {
    if (row.cells.slice(1).every((cell) => cell.trim() === '')) {
      if (this.#food !== undefined) this.#food.amount = name;
      return;
    }
    // Programs that save the file again may remove the spaces.
    const isMeal = depth === 1 || (depth === 0 && mealNamed(name) !== undefined);
    if (isMeal) {
      this.endMeal();
      this.#mealName = name;
      this.#meal = { row, date, meal: name, food: undefined, amount: '' };
    } else {
      this.#add(this.#food);
      this.#meal = undefined;
      this.#food = { row, date, meal: this.#mealName, food: name, amount: '' };
    }
  }

  endMeal(): void {
    this.#add(this.#food ?? this.#meal);
    this.#food = undefined;
    this.#meal = undefined;
  }

  #isHeading(cells: readonly string[]): boolean {
    if (AMOUNT.test(cells[1] ?? '')) return false;
    const columns = new DiaryColumns(cells, this.#options);
    if (columns.positions.length < MIN_AMOUNTS) return false;
    this.#columns = columns;
    return true;
  }

  #add(pending: PendingRow | undefined): void {
    if (pending === undefined || this.#columns === undefined) return;
    const { row, amount, ...eaten } = pending;
    const nutrients = this.#columns.nutrientsOf(row.cells, row.line, this.#mark, this.#reading);
    const stated = readAmount(amount, this.#mark);
    this.#reading.add('entries', row.line, () =>
      this.#options.maker.make({ ...eaten, ...stated, nutrients }),
    );
  }
}
