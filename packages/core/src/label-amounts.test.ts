import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countDecimals, labelAmounts } from './label-amounts.ts';
import type { Nutrients } from './nutrients.ts';

const DECIMALS = { energy: 0, protein: 2, fat: 2, carbohydrates: 2, fiber: 1, sodium: 0 } as const;
const KEYS = Object.keys(DECIMALS) as (keyof typeof DECIMALS)[];

/** Scales a label as FoodData Central does. */
function scaled(label: Nutrients, amount: number): Nutrients {
  const rounded = KEYS.map((key) => [key, roundTo(((label[key] ?? 0) * 100) / amount, DECIMALS[key])]);
  return Object.fromEntries(rounded);
}

function roundTo(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}

const nutrients = fc.record({
  energy: fc.nat(100).map((tens) => tens * 10),
  protein: fc.nat(40),
  fat: fc.nat(80).map((halves) => halves / 2),
  carbohydrates: fc.nat(60),
  fiber: fc.nat(9),
  sodium: fc.nat(160).map((fives) => fives * 5),
});

test('amounts of a label are recovered from scaled and rounded ones', () => {
  // With larger servings, rounding to whole kcal and mg leaves several whole numbers possible.
  const amount = fc.integer({ min: 10, max: 99 });
  fc.assert(
    fc.property(nutrients, amount, (label, serving) => {
      const per100 = scaled(label, serving);
      const stated = labelAmounts(per100, serving);
      fc.pre(stated !== undefined);
      expect(stated).toEqual({ amount: serving, nutrients: label });
    }),
  );
});

test('for any serving they round to the source’s amounts per 100', () => {
  const anyAmount = fc.integer({ min: 1, max: 50_000 }).map((hundredths) => hundredths / 100);
  fc.assert(
    fc.property(nutrients, anyAmount, anyAmount, (label, serving, other) => {
      const per100 = scaled(label, serving);
      const stated = labelAmounts(per100, other);
      for (const key of stated === undefined ? [] : KEYS) {
        const back = (stated!.nutrients[key]! * 100) / other;
        expect(Math.abs(back - per100[key]!)).toBeLessThanOrEqual(0.5 * 10 ** -DECIMALS[key] + 1e-6);
      }
    }),
  );
});

test('amounts that are simpler per 100 stay per 100', () => {
  expect(labelAmounts({ energy: 40, protein: 7.5, fat: 6.5, carbohydrates: 13.7 }, 227)).toBeUndefined();
  expect(labelAmounts({ energy: 583, protein: 8.33, fat: 37.5, carbohydrates: 50 }, 12)).toEqual({
    amount: 12,
    nutrients: { energy: 70, protein: 1, fat: 4.5, carbohydrates: 6 },
  });
});

test.each([
  [0, 0],
  [12, 0],
  [0.25, 2],
  [1e-7, 7],
  [1.5e-9, 9],
])('%d has at least %d decimals', (value, decimals) => {
  expect(countDecimals(value)).toBe(decimals);
});
