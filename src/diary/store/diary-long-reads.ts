import { setImmediate as nextTurn } from 'node:timers/promises';
import { SLICE_ENTRIES } from '../../base/background-work.ts';
import type { Reads } from '../../db/writer.ts';
import type { DayRange } from '../records/day.ts';
import type { EntryPosition } from '../records/diary-store.ts';
import type { DiaryEntry, DiaryOwner } from '../records/entry.ts';
import type { DayTotals } from '../records/totals.ts';
import { SummedRows, toEntry } from './diary-rows.ts';
import { IS_LONG, LIST_ENTRIES, SLICE_SUMMED, SUM_SLICE } from './diary-statements.ts';

// Reads that would keep a thread busy for long go in slices, between which the thread does its other work.

export async function listInSlices(
  all: Reads['all'],
  { tenant, userId }: DiaryOwner,
  { after, to, limit }: { after: EntryPosition; to: string; limit: number },
): Promise<DiaryEntry[]> {
  const entries: DiaryEntry[] = [];
  for (;;) {
    const { date, id } = entries.at(-1) ?? after;
    const size = Math.min(SLICE_ENTRIES, limit - entries.length);
    const rows = await all(LIST_ENTRIES, [tenant, userId, date, id, to, size]);
    for (const row of rows) entries.push(toEntry(row));
    if (rows.length < SLICE_ENTRIES || entries.length === limit) return entries;
    await nextTurn();
  }
}

/** Whether sums of these days are to be read in slices. */
export async function isLong(reads: Reads, values: readonly unknown[]): Promise<boolean> {
  return reads.inOneState !== undefined && (await reads.all(IS_LONG, values)).length > 0;
}

export async function sumInSlices(
  all: Reads['all'],
  { tenant, userId }: DiaryOwner,
  { from, to }: DayRange,
  by: 'day' | 'meal',
): Promise<DayTotals[]> {
  const days = new SummedRows();
  let [date, id] = [from as string, ''];
  for (;;) {
    const rows = await all(SUM_SLICE[by], [tenant, userId, date, id, to]);
    days.add(rows);
    const count = rows.reduce((sum, row) => sum + (row[2] as number), 0);
    if (count < SLICE_SUMMED) return days.toDays();
    const lastDate = rows.at(-1)![0] as string;
    const lastIds = rows.filter(([of]) => of === lastDate).map((row) => row.at(-1) as string);
    [date, id] = [lastDate, lastIds.sort().at(-1)!];
    await nextTurn();
  }
}
