import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Queries, type Sql, sql } from '../../db/sql.ts';
import type { DayRange } from '../records/day.ts';
import type { DayTotals } from '../records/totals.ts';
import { DaySums, type SummedBy, sumUp } from './day-sums.ts';

/** Entries that a thread sums up without a pause: about five milliseconds. A single day may hold four times as many. */
const SLICE_SUMMED = 5_000;

/** Whether sums would keep the thread busy for long. */
export async function isLong(db: Queries, owned: Sql, { from, to }: DayRange): Promise<boolean> {
  if (db.inOneState === undefined) return false;
  const query = sql`
    select 1 from diary_entries where ${owned} and date between ${from} and ${to} limit 1 offset ${SLICE_SUMMED}`;
  return (await query.prepared('is-long').first(db)) !== undefined;
}

/** Sums in slices, between which the thread does its other work. */
export async function sumInSlices(
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
    await days.add(rows);
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
