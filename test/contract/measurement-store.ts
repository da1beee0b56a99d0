import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Day, DayRange } from '../../src/diary/records/day.ts';
import type { DiaryOwner } from '../../src/diary/records/entry.ts';
import {
  MAX_MEASUREMENTS_PER_USER,
  type Measurement,
  positionOfMeasurement,
} from '../../src/diary/records/measurement.ts';
import type { DiaryStore } from '../../src/diary/store/diary-store.ts';
import { newMeasurement } from '../support/diary-entries.ts';
import { runs } from '../support/runs.ts';

const measured = fc.record({
  name: fc.constantFrom('weight', 'waist', 'Gewicht'),
  value: fc.oneof(
    fc.double({ min: 0, max: 1_000_000, noNaN: true }).map((value) => value + 0),
    fc.nat({ max: 99_999 }).map((tenths) => tenths / 10),
  ),
  unit: fc.constantFrom('kg', 'lb', 'mmol/L', '°C'),
  measuredAt: fc
    .tuple(fc.integer({ min: 0, max: 5 * 86_400 }), fc.constantFrom('Z', '+01:00', '-11:00', '+14:00'))
    .map(([seconds, zone]) => new Date(1.7e12 + seconds * 1000).toISOString().slice(0, 19) + zone),
});

interface Filter {
  readonly name: string | undefined;
  readonly range: DayRange | undefined;
}

function isWanted(each: Measurement, { name, range }: Filter): boolean {
  const { date } = positionOfMeasurement(each);
  const isIn = range === undefined || (date >= range.from && date <= range.to);
  return isIn && (name === undefined || each.name === name);
}

async function listPages({ measurements }: DiaryStore, owner: DiaryOwner, filter: Filter, limit: number) {
  const listed: Measurement[] = [];
  for (;;) {
    const before = listed.length === 0 ? undefined : positionOfMeasurement(listed.at(-1)!);
    const page = await measurements.list(owner, { ...filter, before, limit });
    listed.push(...page);
    if (page.length < limit) return listed;
  }
}

/** Sorts newest first, in a simple way. */
function sorted(all: readonly Measurement[]): Measurement[] {
  const place = (each: Measurement) => positionOfMeasurement(each);
  return all.toSorted((one, other) => {
    const [a, b] = [place(one), place(other)];
    if (a.date !== b.date) return a.date < b.date ? 1 : -1;
    if (a.atMs !== b.atMs) return b.atMs - a.atMs;
    return a.id < b.id ? 1 : -1;
  });
}

/** Contract of the store of measurements, for any adapter. */
export function measurementStoreContract(
  adapter: string,
  open: () => Promise<{ readonly store: DiaryStore; close(): Promise<void> }>,
): void {
  describe(`measurements: ${adapter}`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    let users = 0;
    const newOwner = () => ({ tenant: 'measured', userId: `user-${++users}` });
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());

    test('lists are newest first, by name and days, in pages, with unchanged values', async () => {
      const property = fc.asyncProperty(
        fc.array(measured, { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        async (all, limit) => {
          const { measurements } = opened.store;
          const owner = newOwner();
          const written = all.map((each) => newMeasurement(each as Partial<Measurement>));
          if (written.length > 0) await measurements.add(owner, written);
          const days = { from: '2023-11-15' as Day, to: '2023-11-17' as Day };
          for (const name of [undefined, 'weight'])
            for (const range of [undefined, days]) {
              const wanted = written.filter((each) => isWanted(each, { name, range }));
              expect(await listPages(opened.store, owner, { name, range }, limit)).toEqual(sorted(wanted));
            }
          const byId = written.toSorted((a, b) => (a.id < b.id ? -1 : 1));
          expect(await measurements.listById(owner, { after: '', limit: 99 })).toEqual(byId);
        },
      );
      await fc.assert(property, { numRuns: runs(30) });
    });

    test('a measurement is changed and removed by version', async () => {
      const { measurements } = opened.store;
      const owner = newOwner();
      const first = newMeasurement();
      await measurements.add(owner, [first]);
      const changed = { ...first, value: 71.95, measuredAt: '2026-02-01T07:00:00Z', version: 2 };
      expect(await measurements.replace(owner, changed)).toBe('done');
      expect(await measurements.replace(owner, changed)).toBe('conflict');
      expect(await measurements.list(owner, { limit: 2 })).toEqual([changed]);
      expect(await measurements.remove(owner, first.id, 1)).toBe('conflict');
      expect(await measurements.remove(owner, first.id)).toBe('done');
      expect(await measurements.remove(owner, first.id)).toBe('missing');
      expect(await measurements.wasDeleted(owner, first.id)).toBe(true);
      expect(await measurements.findAll(owner, [first.id])).toEqual([]);
    });

    test('a user has a maximum number of measurements, and a batch beyond it adds nothing', async () => {
      const { measurements } = opened.store;
      const owner = newOwner();
      const many = (count: number) => Array.from({ length: count }, () => newMeasurement());
      for (let at = 0; at < MAX_MEASUREMENTS_PER_USER; at += 5_000)
        await measurements.add(owner, many(at === 0 ? 4_999 : 5_000));
      await expect(measurements.add(owner, many(2))).rejects.toMatchObject({
        code: 'invalid_request',
        details: { max: MAX_MEASUREMENTS_PER_USER },
      });
      await measurements.add(owner, many(1));
      await expect(measurements.add(owner, many(1))).rejects.toMatchObject({ code: 'invalid_request' });
      await opened.store.eraseUser(owner);
      expect(await measurements.list(owner, { limit: 1 })).toEqual([]);
    });
  });
}
