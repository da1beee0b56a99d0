import type { Food, FoodId } from '@larder/core/food.ts';
import { expect, test } from 'vitest';
import { customFood } from '../../test/support/custom-food.ts';
import { habitsOf } from './eaten-foods.ts';
import type { Day } from './records/day.ts';
import type { LatestFood } from './store/diary-store.ts';

const TODAY = '2026-12-01' as Day;
const entry = (food: string, more: Partial<LatestFood> = {}): LatestFood => ({
  date: TODAY,
  addedMethod: 'manual',
  foodId: `starter:${food}` as FoodId,
  ...more,
});
const photo = (food: string, more: Partial<LatestFood> = {}) =>
  entry(food, { addedMethod: 'image', ...more });
const strengthOf = (own: readonly LatestFood[], others: readonly LatestFood[] = []) =>
  habitsOf(own, others, TODAY).foods.get('starter:soup')?.strength;

test('a food counts by how often and how lately it was eaten, from photos most, and by others less', () => {
  expect(strengthOf([])).toBeUndefined();
  expect(strengthOf([photo('soup')])).toBe(1);
  expect(strengthOf([entry('soup')])).toBe(0.5);
  expect(strengthOf([entry('soup'), entry('soup')])).toBe(1);
  expect(strengthOf([photo('soup'), photo('soup')])).toBe(1);
  expect(strengthOf([photo('soup', { date: '2026-09-02' as Day })])).toBe(0.5);
  expect(strengthOf([photo('soup', { date: '2027-01-01' as Day })])).toBe(1);
  expect(strengthOf([], [photo('soup')])).toBe(0.5);
});

test('entries of the owner are told by count and last date, those of others not at all', () => {
  const others = [photo('soup'), photo('tea')];
  const { foods } = habitsOf([entry('soup'), entry('soup', { date: '2026-11-01' as Day })], others, TODAY);
  expect(foods.get('starter:soup')?.own).toMatchObject({ times: 2, last: TODAY });
  expect(foods.get('starter:tea')).toEqual({ strength: 0.5 });
});

test('the usual amount is the median of the last five that can be converted', () => {
  const soup: Food = {
    ...customFood({ name: 'Soup' }),
    servings: [{ value: 1, unit: 'bowl', basisAmount: 250 }],
  };
  const usual = (...amounts: (readonly [number, string] | undefined)[]) => {
    const entries = amounts.map((amount) =>
      entry('soup', amount && { quantity: amount[0], unit: amount[1] }),
    );
    return habitsOf(entries, [], TODAY).foods.get('starter:soup')?.own?.usualAmount(soup);
  };
  expect(usual(undefined)).toBeUndefined();
  expect(usual([3, 'crates'])).toBeUndefined();
  expect(usual([300, 'g'])).toBe(300);
  expect(usual([300, 'g'], [2, 'bowl'])).toBe(300);
  expect(usual([300, 'g'], [2, 'bowl'], [100, 'g'])).toBe(300);
  expect(usual([1, 'g'], [2, 'g'], [3, 'g'], [4, 'g'], [5, 'g'], [900, 'g'], [900, 'g'])).toBe(3);
});

test('the share of repeated photos is that of the latest ones without a package, drawn towards six in ten', () => {
  const repeats = (own: readonly LatestFood[]) => habitsOf(own, [], TODAY).repeats;
  expect(repeats([])).toBe(6 / 10);
  expect(repeats([entry('soup'), entry('soup')])).toBe(6 / 10);
  expect(repeats([photo('soup')])).toBe(6 / 11);
  expect(repeats([photo('soup'), entry('soup')])).toBe(7 / 11);
  expect(repeats([photo('soup', { barcode: '4006381333931' }), entry('soup')])).toBe(6 / 10);
  const always = Array.from({ length: 200 }, () => photo('soup'));
  expect(repeats(always)).toBe(46 / 50);
  const never = Array.from({ length: 200 }, (_, at) => photo(`soup ${at}`));
  expect(repeats(never)).toBe(6 / 50);
});
