import type { Food } from 'larder-client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const measures = vi.hoisted(() => ({ isUs: false }));
vi.mock('../parts/measures.ts', () => ({
  usMeasureOf: () => (measures.isUs ? { unit: 'oz', words: 'oz', size: 28.349523125 } : undefined),
}));
vi.mock('./recents.ts', () => ({ recentAmount: () => undefined }));

const { measureOf, proposedIn, rememberUnit, startAmount } = await import('./units.ts');

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

it('knows ounces whatever measures are chosen', () => {
  expect(measureOf(sauce, 2, 'oz')).toBeCloseTo(56.7, 1);
  expect(proposedIn(sauce, 4.41, 'oz', 'g')).toBe('125');
});

it('proposes no number of one unit with another', () => {
  expect(proposedIn(soup, 2, 'ladle', 'cup')).toBe('3');
  expect(proposedIn(soup, 2, 'ladle', 'g')).toBe('');
});
