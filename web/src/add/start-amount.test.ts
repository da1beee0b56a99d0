import type { Food } from 'larder-client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const measures = vi.hoisted(() => ({ isUs: false }));
vi.mock('../parts/measures.ts', () => ({ usMeasureOf: () => (measures.isUs ? 'oz' : undefined) }));
vi.mock('./recents.ts', () => ({ recentAmount: () => undefined }));

const { rememberUnit, startAmount } = await import('./start-amount.ts');

const sauce = {
  id: 'starter:applesauce',
  name: 'Applesauce',
  servingSize: { value: 125, unit: 'g', label: '1 serving (125 g)' },
  servings: [{ value: 125, unit: 'g', grams: 125 }],
} as Food;
const soup = {
  ...sauce,
  id: 'manual:soup',
  servingSize: { value: 2, unit: 'ladle' },
  servings: [
    { value: 2, unit: 'ladle' },
    { value: 3, unit: 'cup' },
  ],
} as Food;
const served = (...servings: [value: number, unit: string, grams: number, label: string][]) =>
  ({
    ...sauce,
    id: 'starter:served',
    servingSize: { value: servings[0]![2], unit: 'g', label: servings[0]![3] },
    servings: servings.map(([value, unit, grams, label]) => ({ value, unit, grams, label })),
  }) as Food;

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  measures.isUs = false;
});

it('offers the unit that was chosen last', () => {
  measures.isUs = true;
  rememberUnit(sauce, 'oz');
  expect(startAmount(sauce)).toEqual({ quantity: '4.41', unit: 'oz' });
});

it('offers the own serving where the unit that was chosen last is of other measures', () => {
  measures.isUs = true;
  rememberUnit(sauce, 'oz');
  measures.isUs = false;
  expect(startAmount(sauce)).toEqual({ quantity: '125', unit: 'g' });
});

it('offers the own serving where nothing says what the other unit weighs', () => {
  rememberUnit(soup, 'cup');
  expect(startAmount(soup)).toEqual({ quantity: '2', unit: 'ladle' });
});

it.each([
  ['1/4', 'block', served([81, 'g', 81, '1/4 block (81 g)'], [0.25, 'block', 81, '1/4 block (81 g)'])],
  ['2', 'tbsp', served([32, 'g', 32, '2 tbsp (32 g)'], [2, 'tbsp', 32, '2 tbsp (32 g)'])],
  ['10', 'almonds', served([12, 'g', 12, '10 almonds (12 g)'], [10, 'almonds', 12, '10 almonds (12 g)'])],
  ['1', 'bar', served([50, 'g', 50, '1 bar (50 g)'])],
])('offers the usual serving, %s %s', (quantity, unit, food) => {
  expect(startAmount(food)).toEqual({ quantity, unit });
});
