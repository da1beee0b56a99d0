import { expect, it } from 'vitest';
import { sumsOf } from '../offline/entries/day-sums.ts';
import { loggedOf, withAllNutrients } from './logged.ts';

type Entry = Parameters<typeof sumsOf>[0][number];
const allOf = (items: readonly Entry[]) => withAllNutrients(sumsOf(items), items);
const entry = (nutrients: object) => ({ calories: 100, nutrients: { energy: 100, ...nutrients } });

it('says how much was logged, and how many of the foods state it', () => {
  const day = allOf([entry({ magnesium: 20.1 }), entry({ magnesium: 40.2 }), entry({})]);
  expect(loggedOf([day], 'magnesium')).toEqual({ amount: 60.3, statedBy: 2, foods: 3 });
  expect(loggedOf([day], 'energy')).toEqual({ amount: 300, statedBy: 3, foods: 3 });
});

it('keeps what no food states apart from a stated 0', () => {
  expect(loggedOf([allOf([entry({}), entry({})])], 'zinc')).toBeUndefined();
  expect(loggedOf([allOf([entry({ zinc: 0 }), entry({})])], 'zinc')).toEqual({
    amount: 0,
    statedBy: 1,
    foods: 2,
  });
  expect(loggedOf([], 'energy')).toBeUndefined();
});

it('is the average of the days with entries', () => {
  const days = [allOf([entry({ zinc: 2 })]), allOf([]), allOf([entry({ zinc: 4 }), entry({})])];
  expect(loggedOf(days, 'zinc')).toEqual({ amount: 3, statedBy: 2, foods: 3 });
});

it('counts foods by the sums of the service, which name only those that some food does not state', () => {
  const day = { calories: 1, protein: 0, carbs: 2, fat: 0, fiber: 0, sodium: 0, entries: 3 };
  const nutrients = { energy: 1, carbohydrates: 2, magnesium: 5 };
  const sums = { ...day, nutrients, unknown: ['carbs', 'zinc' as never], statedBy: { carbs: 2, zinc: 0 } };
  const loggedIn = (key: string) => loggedOf([sums as Parameters<typeof loggedOf>[0][number]], key);
  expect(loggedIn('carbohydrates')).toEqual({ amount: 2, statedBy: 2, foods: 3 });
  expect(loggedIn('magnesium')).toEqual({ amount: 5, statedBy: 3, foods: 3 });
  expect(loggedIn('zinc')).toBeUndefined();
});
