import { setImmediate as nextTurn } from 'node:timers/promises';
import { columnOf } from '../../db/dialect.ts';
import { type Queries, raw, type Sql, sql } from '../../db/sql.ts';
import type { Day, DayRange } from './day.ts';
import { AMOUNT_KEYS, type AmountKey, type DiaryOwner, isRequired, type MealType } from './entry.ts';
import { BILLIONTHS_PER_THOUSANDTH } from './exact-amount.ts';
import { isOwned } from './store-writes.ts';
import { type DayTotals, type ExactSums, toSums } from './totals.ts';

/** Entries that a thread sums up without a pause: about five milliseconds. A single day may hold four times as many. */
const SLICE_SUMMED = 5_000;

/** Three columns for each amount. */
const SUMS = AMOUNT_KEYS.map((key) => {
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
}

/**
 * How many entries there are; for each amount the sum of its thousandths, the sum of the billionths beyond them, and how many
 * entries state it. The sum of the billionths themselves would not fit into 64 bits.
 */
const COLUMNS = raw(
  [
    'count(*) as items',
    'max(id) as last_id',
    ...SUMS.flatMap(({ key, column, whole, rest, known }) => [
      `cast(coalesce(sum(${column} / ${BILLIONTHS_PER_THOUSANDTH}), 0) as bigint) as ${whole}`,
      `cast(coalesce(sum(${column} % ${BILLIONTHS_PER_THOUSANDTH}), 0) as bigint) as ${rest}`,
      `${isRequired(key) ? 'count(*)' : `count(${column})`} as ${known}`,
    ]),
  ].join(),
);

/** By what days are summed up. */
export type SummedBy = 'day' | 'meal';

/** What rows are grouped by: constant texts, as parts of statements with names. */
const BY = {
  day: { meal: sql`null`, group: sql`date` },
  meal: { meal: sql`meal_type`, group: sql`date, meal_type` },
};

/** One element for each day with entries, in order. Long reads go in slices where `db` reads in the thread itself. */
export async function sumDays(
  db: Queries,
  owner: DiaryOwner,
  range: DayRange,
  by: SummedBy,
): Promise<DayTotals[]> {
  const { from, to } = range;
  const owned = isOwned(owner);
  // SQLite plans a range anew for each pair of bounds, which takes longer than the sums of one day.
  if (from === to && by === 'day')
    return new DaySums()
      .add(await sumUp(sql`diary_entries where ${owned} and date = ${from}`, by, 'sum-day').all(db))
      .toDays();
  const between = sql`${owned} and date between ${from} and ${to}`;
  const isLong = sql`select 1 from diary_entries where ${between} limit 1 offset ${SLICE_SUMMED}`;
  if (db.inOneState !== undefined && (await isLong.prepared('is-long').first(db)) !== undefined)
    return db.inOneState(`${owner.tenant}\n${owner.userId}`, (one) => sumInSlices(one, owned, range, by));
  return new DaySums()
    .add(await sumUp(sql`diary_entries where ${between}`, by, `sum-${by}s`).all(db))
    .toDays();
}

async function sumInSlices(
  db: Queries,
  owned: Sql,
  { from, to }: DayRange,
  by: SummedBy,
): Promise<DayTotals[]> {
  const days = new DaySums();
  let [date, id] = [from as string, ''];
  for (;;) {
    const slice = sql`(
      select * from diary_entries where ${owned} and (date, id) > (${date}, ${id}) and date <= ${to}
      order by date, id limit ${SLICE_SUMMED}) as slice`;
    const rows = await sumUp(slice, by, `sum-slice-of-${by}s`).all(db);
    days.add(rows);
    const count = rows.reduce((sum, { items }) => sum + items, 0);
    if (count < SLICE_SUMMED) return days.toDays();
    date = rows.at(-1)!.date;
    id = rows
      .flatMap((row) => (row.date === date ? [row.last_id] : []))
      .sort()
      .at(-1)!;
    await nextTurn();
  }
}

function sumUp(from: Sql, by: SummedBy, name: string): Sql<SumRow> {
  const { meal, group } = BY[by];
  const query = sql<SumRow>`select date, ${meal} as meal, ${COLUMNS} from ${from} group by ${group} order by date`;
  return query.prepared(name);
}

/** Adds up rows, of which a day may have several. */
class DaySums {
  readonly #days = new Map<Day, { readonly all: Sums; readonly meals: Map<MealType, Sums> }>();

  add(rows: readonly SumRow[]): this {
    for (const row of rows) {
      const day = getOrAdd(this.#days, row.date, () => ({ all: new Sums(), meals: new Map() }));
      day.all.add(row);
      if (row.meal !== null) getOrAdd(day.meals, row.meal, () => new Sums()).add(row);
    }
    return this;
  }

  toDays(): DayTotals[] {
    return Array.from(this.#days, ([date, { all, meals }]) => ({
      date,
      ...toSums(all),
      ...(meals.size > 0 && {
        meals: Object.fromEntries(Array.from(meals, ([meal, sums]) => [meal, toSums(sums)])),
      }),
    }));
  }
}

class Sums implements ExactSums {
  items = 0;
  readonly known = zeros();
  readonly amounts = zeros();
  readonly rests = zeros();

  add(row: SumRow): void {
    const sums = row as unknown as Readonly<Record<string, number>>;
    this.items += row.items;
    for (const { key, whole, rest, known } of SUMS) {
      this.known[key] += sums[known]!;
      this.amounts[key] += sums[whole]!;
      this.rests[key] += sums[rest]!;
    }
  }
}

function zeros(): Record<AmountKey, number> {
  return Object.fromEntries(AMOUNT_KEYS.map((key) => [key, 0])) as Record<AmountKey, number>;
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key) ?? create();
  map.set(key, known);
  return known;
}
