import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntryPosition } from '../diary/diary-store.ts';
import type { DiaryEntry, DiaryOwner } from '../diary/entry.ts';
import type { DayTotals } from '../diary/totals.ts';
import type { DayRange } from '../diary/values/day.ts';
import { SLICE_ENTRIES } from '../slices.ts';
import { toDayTotals, toEntry } from './diary-rows.ts';
import { IS_LONG, LIST_ENTRIES, SLICE_SUMMED, SUM_SLICE } from './diary-statements.ts';
import type { Reads, Row } from './writer.ts';

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
): Promise<DayTotals[]> {
  const days = new Map<string, number[]>();
  let [date, id] = [from as string, ''];
  for (;;) {
    const rows = await all(SUM_SLICE, [tenant, userId, date, id, to]);
    for (const row of rows) addSums(days, row);
    const count = rows.reduce((sum, row) => sum + (row[1] as number), 0);
    if (count < SLICE_SUMMED) return [...days].map(([day, sums]) => toDayTotals([day, ...sums]));
    [date, id] = [rows.at(-1)![0] as string, rows.at(-1)!.at(-1) as string];
    await nextTurn();
  }
}

/** A day may lie in several slices. */
function addSums(days: Map<string, number[]>, [date, ...values]: Row): void {
  const sums = values.slice(0, -1) as number[];
  const known = days.get(date as string);
  days.set(date as string, known === undefined ? sums : sums.map((sum, at) => sum + known[at]!));
}
