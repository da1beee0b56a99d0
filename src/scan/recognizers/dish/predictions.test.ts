import type { FoodId } from '@larder/core/food.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calibratedOf, probabilitiesOf, readDish } from './predictions.ts';

const logits = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 30 });

test('probabilities are 0 to 1, add up to 1 and keep the order at every temperature', () => {
  fc.assert(
    fc.property(logits, fc.double({ min: 0.01, max: 100, noNaN: true }), (values, temperature) => {
      const probabilities = probabilitiesOf([values, values], temperature);
      expect(probabilities.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9);
      for (const [a, p] of probabilities.entries()) {
        expect(p).toBeGreaterThanOrEqual(0);
        for (const [b, q] of probabilities.entries()) if (values[a]! > values[b]!) expect(p >= q).toBe(true);
      }
    }),
  );
});

test('a data set with its own temperature is calibrated by it, all others by the common one', () => {
  const labels = [{ set: 'shop' }, { set: 'plate' }];
  const calibration = { temperature: 2, temperatures: { shop: 0.5 } };
  const [shop, plate] = [[[3, 1]], [[1, 3]]];
  expect(calibratedOf(shop, labels, calibration)).toEqual(probabilitiesOf(shop, 0.5));
  expect(calibratedOf(plate, labels, calibration)).toEqual(probabilitiesOf(plate, 2));
  expect(calibratedOf(shop, labels, { temperature: 2 })).toEqual(probabilitiesOf(shop, 2));
});

test('at most five candidates are returned, best first, each food once', () => {
  const classes = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(9)), { minLength: 1 });
  fc.assert(
    fc.property(classes, (drawn) => {
      const labels = drawn.map(([, food]) => ({
        label: `l${food}`,
        food: { foodId: `starter:${food}` as FoodId, grams: { typical: 2, low: 1, high: 3 } },
      }));
      const limits = { notFood: null, unsure: null };
      const { proposal } = readDish(
        drawn.map(([p]) => p),
        labels,
        limits,
      );
      const all = [proposal!, ...proposal!.alternatives];
      expect(all.length).toBeLessThanOrEqual(5);
      expect(new Set(all.map(({ foodId }) => foodId)).size).toBe(all.length);
      for (let at = 1; at < all.length; at++) {
        expect(all[at - 1]!.confidence).toBeGreaterThanOrEqual(all[at]!.confidence);
      }
    }),
  );
});
