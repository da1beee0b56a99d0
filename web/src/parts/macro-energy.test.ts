import fc from 'fast-check';
import { expect, it } from 'vitest';
import { energyOfMacros, gramsOf, MACRO_KEYS, percentOf } from './macro-energy.ts';

it('computes 4, 4 and 9 kcal a gram, and nothing while one of them is unknown', () => {
  expect(energyOfMacros({ protein: 10, carbs: 20, fat: 5 })).toBe(165);
  expect(energyOfMacros({ protein: 0, carbs: 0, fat: 0 })).toBe(0);
  expect(energyOfMacros({ protein: 10, fat: 5 })).toBeUndefined();
});

it('converts shares of the energy to grams and back', () => {
  expect(gramsOf('protein', 20, 2000)).toBe(100);
  expect(gramsOf('fat', 30, 2100)).toBe(70);
  const numbers = {
    key: fc.constantFrom(...MACRO_KEYS),
    percent: fc.integer({ min: 0, max: 100 }),
    kcal: fc.integer({ min: 1, max: 20_000 }),
  };
  fc.assert(
    fc.property(fc.record(numbers), ({ key, percent, kcal }) => {
      expect(percentOf(key, gramsOf(key, percent, kcal), kcal)).toBeCloseTo(percent, 8);
    }),
  );
});
