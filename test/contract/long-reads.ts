import { expect, test } from 'vitest';
import { type Day, WHOLE_DIARY } from '../../src/diary/records/day.ts';
import type { DiaryOwner } from '../../src/diary/records/entry.ts';
import type { DiaryStore } from '../../src/diary/store/diary-store.ts';
import { newEntry } from '../support/diary-entries.ts';

const FIRST = '2026-01-01' as Day;
const LAST = '2026-12-31' as Day;
const RANGE = { from: FIRST, to: LAST };
/** Readings in which a thread counts its turns. */
const READS = 5;
const LIMIT = 20_000;

/** Contract of `DiaryStore` for lists and sums of thousands of entries. */
export function longReadsContract(parts: {
  readonly store: () => DiaryStore;
  /** Another connection to the same diaries. */
  readonly other: () => DiaryStore;
  readonly newOwner: () => DiaryOwner;
}): void {
  /** Entries in the middle of the year, so that first and last day are read in different slices. */
  async function openYear(count: number) {
    const owner = parts.newOwner();
    const entries = Array.from({ length: count }, (_, at) =>
      newEntry({ date: '2026-06-30' as Day, mealType: at % 3 === 0 ? 'breakfast' : 'dinner' }),
    );
    for (let at = 0; at < count; at += 2_000) {
      await parts.store().addEntries(owner, entries.slice(at, at + 2_000));
    }
    /** Adds the same to the first and to the last day, in one step. */
    const addToBoth = () =>
      parts.other().addEntries(owner, [newEntry({ date: FIRST }), newEntry({ date: LAST })]);
    return { owner, entries, addToBoth };
  }

  test('a long list is complete and ordered, whatever its slices', async () => {
    const { owner, entries } = await openYear(1_234);
    const list = (limit: number, after?: { date: Day; id: string }) =>
      parts.store().listEntries(owner, { range: WHOLE_DIARY, limit, ...(after && { after }) });
    for (const limit of [499, 500, 501, 1_000, 1_233, 1_234, LIMIT]) {
      expect(await list(limit)).toEqual(entries.slice(0, limit));
    }
    expect(await list(700, entries[99])).toEqual(entries.slice(100, 800));
  });

  test('a long list is a consistent snapshot of a changing diary', async () => {
    const { owner, addToBoth } = await openYear(3_000);
    for (let round = 1; round <= 20; round++) {
      const writing = addToBoth();
      const list = await parts.store().listEntries(owner, { range: RANGE, limit: LIMIT });
      const countOf = (day: Day) => list.filter(({ date }) => date === day).length;
      expect(countOf(LAST)).toBe(countOf(FIRST));
      await writing;
    }
  });

  test('long sums are a consistent snapshot of a changing diary, exact across slices', async () => {
    const { owner, addToBoth } = await openYear(12_000);
    for (let round = 1; round <= 20; round++) {
      const writing = addToBoth();
      const sums = await parts.store().sumDays(owner, RANGE);
      const caloriesOf = (day: Day) => sums.find(({ date }) => date === day)?.totals.calories;
      expect(caloriesOf(LAST)).toBe(caloriesOf(FIRST));
      expect(caloriesOf('2026-06-30' as Day)).toBe(12_000_000);
      await writing;
    }
  });

  test('long sums per meal add up to those of the days', async () => {
    const { owner } = await openYear(12_000);
    const [day] = await parts.store().sumDays(owner, RANGE);
    const [byMeal, ...others] = await parts.store().sumDays(owner, RANGE, 'meal');
    expect(others).toEqual([]);
    expect(byMeal).toMatchObject(day!);
    expect(byMeal?.meals).toMatchObject({
      breakfast: { totals: { calories: 4_000_000 } },
      dinner: { totals: { calories: 8_000_000 } },
    });
  });

  test('a read that starts during a long read sees later writes', async () => {
    const { owner, entries } = await openYear(3_000);
    const long = parts.store().listEntries(owner, { range: RANGE, limit: LIMIT });
    const late = newEntry({ date: LAST });
    await parts.other().addEntries(owner, [late]);
    const [found, later] = await Promise.all([
      parts.store().findEntry(owner, late.id),
      parts.store().listEntries(owner, { range: RANGE, limit: LIMIT }),
    ]);
    expect(found).toEqual(late);
    expect(later).toHaveLength(entries.length + 1);
    await long;
  });

  test.each([
    [
      'a list',
      (store: DiaryStore, owner: DiaryOwner) => store.listEntries(owner, { range: RANGE, limit: LIMIT }),
    ],
    ['sums', (store: DiaryStore, owner: DiaryOwner) => store.sumDays(owner, RANGE)],
  ])('the thread does other work while it reads %s of many entries', async (_, read) => {
    const { owner } = await openYear(12_000);
    let turns = 0;
    const count = () => {
      turns++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    for (let reads = 0; reads < READS; reads++) await read(parts.store(), owner);
    clearImmediate(next);
    // A database of its own may answer before the second turn of a thread that had to wait for a processor.
    expect(turns).toBeGreaterThan(READS);
  });
}
