import type { DiaryEntry } from 'larder-client';
import { expect, it } from 'vitest';
import { goalsOn, sumsOf } from './day-sums.ts';

const entry = (values: Partial<DiaryEntry>) =>
  ({ calories: 0, protein: 0, carbs: 0, fat: 0, fiber: 0, sodium: 0, ...values }) as DiaryEntry;

it('sums what entries state, without the faults of binary fractions', () => {
  expect(sumsOf([entry({ protein: 0.1 }), entry({ protein: 0.2 })], { calories: 2000 })).toEqual({
    calories: 0,
    protein: 0.3,
    carbs: 0,
    fat: 0,
    fiber: 0,
    sodium: 0,
    nutrients: { energy: 0, protein: 0.3, carbohydrates: 0, fat: 0, fiber: 0, sodium: 0 },
    goals: { calories: 2000 },
  });
});

it('names a sum as unknown if an entry does not state its amount', () => {
  const entries = [entry({ calories: 100, fiber: undefined }), entry({ unknown: ['fat'] })];
  expect(sumsOf(entries, undefined)).toMatchObject({ calories: 100, unknown: ['fat', 'fiber'] });
});

it('sums what only some entries state, and nothing that none states', () => {
  const entries = [entry({ nutrients: { iron: 0.1 } }), entry({ nutrients: { iron: 0.2 } }), entry({})];
  expect(sumsOf(entries)).toMatchObject({ nutrients: { iron: 0.3 }, unknown: ['iron'] });
  expect(sumsOf([entry({})]).nutrients).not.toHaveProperty('iron');
  expect(sumsOf([]).unknown).toBeUndefined();
});

it('finds the last goals that begin on a day or before', () => {
  const all = [
    { from: '2026-01-01', calories: 1 },
    { from: '2026-02-01', calories: 2 },
  ];
  expect(goalsOn(all, '2025-12-31')).toBeUndefined();
  expect(goalsOn(all, '2026-01-31')).toEqual({ calories: 1 });
  expect(goalsOn(all, '2026-02-01')).toEqual({ calories: 2 });
  expect(goalsOn(undefined, '2026-02-01')).toBeUndefined();
});

it('replaces the goals that a weekday names', () => {
  const all = [
    {
      from: '2026-01-01',
      calories: 2000,
      nutrients: { iron: 14, sugars: 50 },
      weekdays: { saturday: { calories: 2600, nutrients: { sugars: 90 } }, sunday: { fat: 80 } },
    },
  ];
  expect(goalsOn(all, '2026-01-30')).toEqual({ calories: 2000, nutrients: { iron: 14, sugars: 50 } });
  expect(goalsOn(all, '2026-01-31')).toEqual({ calories: 2600, nutrients: { iron: 14, sugars: 90 } });
  expect(goalsOn(all, '2026-02-01')).toEqual({
    calories: 2000,
    fat: 80,
    nutrients: { iron: 14, sugars: 50 },
  });
  expect(goalsOn([{ weekdays: { friday: { fiber: 30 } } }], '2026-01-30')).toEqual({ fiber: 30 });
  expect(goalsOn([{ weekdays: { friday: { fiber: 30 } } }], '2026-01-31')).toEqual({});
});
