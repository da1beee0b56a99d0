import type { DatedTotals, DiaryEntry } from 'larder-client';
import { expect, it } from 'vitest';
import { averageOf, monthly, pointsOf, statedBy } from './series.ts';

const NOTHING = { calories: 0, protein: 0, carbs: 0, fat: 0, fiber: 0, sodium: 0 };
const day = (date: string, rest: Partial<DatedTotals>): DatedTotals => ({
  ...{ ...NOTHING, nutrients: {}, date, entries: 1 },
  ...rest,
});

it('leaves out what is not known, and marks what is too low', () => {
  const points = pointsOf(
    [
      day('2026-11-01', {}),
      day('2026-11-02', { calories: 500, unknown: ['fiber'] }),
      day('2026-11-03', { calories: 600, fiber: 8, unknown: ['fiber'], goals: { fiber: 30 } }),
      day('2026-11-04', { calories: 700, fiber: 12 }),
      day('2026-11-05', { calories: 10 }),
    ],
    'fiber',
  );
  expect(points.map(({ value }) => value)).toEqual([undefined, undefined, 8, 12, 0]);
  expect(points.map(({ isLow }) => isLow)).toEqual([false, false, true, false, false]);
  expect(points[2]!.goal).toBe(30);
  expect(averageOf(points)).toEqual({ value: 20 / 3, days: 3, lowDays: 1 });
});

it('averages the days of a month that have a value', () => {
  const points = pointsOf(
    [day('2026-01-30', { calories: 1000 }), day('2026-01-31', {}), day('2026-02-01', { calories: 2000 })],
    'calories',
  );
  expect(monthly(points).map(({ day, value }) => [day, value])).toEqual([
    ['2026-01-01', 1000],
    ['2026-02-01', 2000],
  ]);
  expect(averageOf(pointsOf([day('2026-01-31', {})], 'calories'))).toBeUndefined();
});

it('averages the goals of the days that have a value, else those of all days', () => {
  const goals = (calories: number) => ({ goals: { calories } });
  const points = pointsOf(
    [
      day('2026-01-29', { calories: 1000, ...goals(2000) }),
      day('2026-01-30', { calories: 1000 }),
      day('2026-01-31', { calories: 1000, ...goals(2600) }),
      day('2026-02-01', goals(2600)),
      day('2026-02-02', goals(2000)),
      day('2026-03-01', { calories: 1 }),
    ],
    'calories',
  );
  expect(monthly(points).map(({ goal }) => goal)).toEqual([2300, 2300, undefined]);
});

it('counts the foods that state a measure', () => {
  const entries = [
    { ...NOTHING, unknown: ['protein'] },
    { ...NOTHING, nutrients: { iron: 1 } },
  ] as unknown as DiaryEntry[];
  expect(statedBy(entries, 'protein')).toBe(1);
  expect(statedBy(entries, 'iron')).toBe(1);
});
