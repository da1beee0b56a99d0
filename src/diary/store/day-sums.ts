import { SLICE_ENTRIES, slicesOf } from '../../base/background-work.ts';
import { columnOf } from '../../db/dialect.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';
import type { Day } from '../records/day.ts';
import { type AmountKey, COLUMN_AMOUNTS, type MealType } from '../records/entry.ts';
import { BILLIONTHS_PER_THOUSANDTH, splitBillionths } from '../records/exact-amount.ts';
import { type DayTotals, ExactSums, toSums } from '../records/totals.ts';
import { readFurther, unknownBit } from './entry-rows.ts';

/** Three columns for each amount that has one. */
const SUMS = COLUMN_AMOUNTS.map((key) => {
  const column = columnOf(key);
  return { key, column, whole: `whole_${column}`, rest: `rest_${column}`, known: `known_${column}` };
});

/** Sums of a day or a meal, with `SUMS`. */
interface SumRow {
  readonly date: Day;
  readonly meal: MealType | null;
  readonly items: number;
  /** The last id that is in the sums. */
  readonly last_id: string;
  /** A line with version and `further` of each entry that has further amounts; null without any. */
  readonly further: string | null;
}

/**
 * How many entries there are; for each amount the sum of its thousandths, the sum of the billionths beyond them, and how many
 * entries state it. The sum of the billionths themselves would not fit into 64 bits.
 */
const COLUMNS = raw(
  [
    'count(*) as items',
    'max(id) as last_id',
    // A line break in quotes is a line break for both databases.
    "string_agg(version || ' ' || further, '\n') as further",
    ...SUMS.flatMap(({ key, column, whole, rest, known }) => [
      `cast(coalesce(sum(${column} / ${BILLIONTHS_PER_THOUSANDTH}), 0) as bigint) as ${whole}`,
      `cast(coalesce(sum(${column} % ${BILLIONTHS_PER_THOUSANDTH}), 0) as bigint) as ${rest}`,
      `${countOf(key, column)} as ${known}`,
    ]),
  ].join(),
);

/** How many entries state an amount. Columns that cannot be null have a bit where they are unknown. */
function countOf(key: AmountKey, column: string): string {
  const bit = unknownBit(key);
  if (key === 'calories') return 'count(*)';
  if (bit === 0) return `count(${column})`;
  return `cast(count(*) - coalesce(sum(unknown_amounts / ${bit} % 2), 0) as bigint)`;
}

/** The grouping of sums of days. */
export type SummedBy = 'day' | 'meal';

/** The meal of a row and what rows are grouped by. */
const BY = {
  day: { meal: sql`null`, group: sql`date` },
  meal: { meal: sql`meal_type`, group: sql`date, meal_type` },
};

/** Sums of the entries of `from`: a row for each day, or for each meal of each day. */
export function sumUp(from: Sql, by: SummedBy, name: string): Sql<SumRow> {
  const { meal, group } = BY[by];
  const query = sql<SumRow>`select date, ${meal} as meal, ${COLUMNS} from ${from} group by ${group} order by date`;
  return query.prepared(name);
}

/** Without groups or a range: SQLite would plan those for each day, which takes longer than the sums. */
export function sumUpDay(owned: Sql, date: Day): Sql<SumRow> {
  const query = sql<SumRow>`
    select min(date) as date, null as meal, ${COLUMNS} from diary_entries where ${owned} and date = ${date}`;
  return query.prepared('sum-day');
}

/** Adds up rows, of which a day may have several. */
export class DaySums {
  readonly #days = new Map<Day, { readonly all: ExactSums; readonly meals: Map<MealType, ExactSums> }>();

  async add(rows: readonly SumRow[]): Promise<this> {
    for (const row of rows) {
      if (row.items === 0) continue;
      const day = getOrAdd(this.#days, row.date, () => ({ all: new ExactSums(), meals: new Map() }));
      const sums = [day.all];
      if (row.meal !== null) sums.push(getOrAdd(day.meals, row.meal, () => new ExactSums()));
      addRow(sums, row);
      if (row.further !== null) await addFurther(sums, row.further);
    }
    return this;
  }

  toDays(): DayTotals[] {
    return Array.from(this.#days, ([date, { all, meals }]) => ({
      date,
      entries: all.items,
      ...toSums(all),
      ...(meals.size > 0 && {
        meals: Object.fromEntries(Array.from(meals, ([meal, sums]) => [meal, toSums(sums)])),
      }),
    }));
  }
}

function addRow(sums: readonly ExactSums[], row: SumRow): void {
  const columns = row as unknown as Readonly<Record<string, number>>;
  for (const each of sums) {
    each.items += row.items;
    for (const { key, whole, rest, known } of SUMS)
      each.add(key, columns[known]!, columns[whole]!, columns[rest]!);
  }
}

/** Adds the further amounts of entries, which the database only collects; other requests run between slices. */
async function addFurther(sums: readonly ExactSums[], lines: string): Promise<void> {
  for await (const slice of slicesOf(lines.split('\n'), SLICE_ENTRIES)) {
    for (const line of slice) {
      const space = line.indexOf(' ');
      const further = readFurther(line.slice(space + 1), Number(line.slice(0, space)));
      for (const [key, billionths] of Object.entries(further)) {
        const [amount, rest] = splitBillionths(billionths);
        for (const each of sums) each.add(key as AmountKey, 1, amount, rest);
      }
    }
  }
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key) ?? create();
  map.set(key, known);
  return known;
}
