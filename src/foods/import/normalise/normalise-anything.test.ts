import { NUTRIENT_KEYS, NUTRIENT_UNITS, REQUIRED_NUTRIENTS } from '@larder/core/nutrients.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import { writeRecord } from '../../catalogue/food-record-writer.ts';
import { RecordBytesWriter } from '../../catalogue/record-bytes.ts';
import { normalise } from './normalise.ts';
import type { RawFood, RawNutrients } from './raw-food.ts';

const NOW = 1_750_000_000;

test('any raw food is normalised without a crash, and foods meet their invariants', () => {
  const number = fc.oneof(
    fc.double(),
    fc.integer({ min: -10, max: 1_000 }),
    fc.constantFrom(0, 1e-12, 1e300),
  );
  const keys = [...NUTRIENT_KEYS, 'energyKj', 'saltG', 'vitaminDIu', 'alcoholG'];
  const nutrients = fc.dictionary(fc.constantFrom(...keys), number) as fc.Arbitrary<RawNutrients>;
  const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const servingText = fc.oneof(
    fc.string(),
    fc.stringMatching(/^\d{1,3}\/\d{1,3} (cup|bar|g)( \(\d{1,4} g\))?$/),
  );
  const servingUnit = fc.oneof(fc.string(), fc.constantFrom('', 'g', 'ml', 'fl oz'));
  const anything = fc.record(
    {
      origin: fc.constant('off' as const),
      key: fc.oneof(fc.string(), fc.stringMatching(/^\d{1,30}$/)),
      name: fc.string({ unit: 'binary', maxLength: 500 }),
      brand: fc.string(),
      barcode: fc.oneof(fc.string(), fc.stringMatching(/^\d{1,30}$/)),
      basis: fc.constantFrom('g' as const, 'ml' as const),
      per100: nutrients,
      perServing: nutrients,
      servings: fc.array(
        fc.record({ text: servingText, quantity: number, unit: servingUnit, grams: number }),
      ),
      scans: number,
      createdAt: number,
      updatedAt: some(number),
    },
    { requiredKeys: ['origin', 'key', 'name'] },
  ) as fc.Arbitrary<RawFood>;

  fc.assert(
    fc.property(anything, (given) => {
      const result = normalise(given, NOW);
      if (result.kind !== 'food') return;
      const { food } = result;
      expect(food.name.length).toBeGreaterThan(0);
      expect(food.name.length).toBeLessThanOrEqual(300);
      for (const key of REQUIRED_NUTRIENTS) expect(food.per100[key]).toBeTypeOf('number');
      for (const key of NUTRIENT_KEYS) {
        const amount = food.per100[key];
        if (amount === undefined) continue;
        const max = key === 'energy' ? 905 : NUTRIENT_UNITS[key] === 'g' ? 100 : Number.MAX_VALUE;
        expect(amount).toBeGreaterThanOrEqual(0);
        expect(amount).toBeLessThanOrEqual(max);
      }
      for (const serving of food.servings) {
        expect(serving.value).toBeGreaterThanOrEqual(0.001);
        expect(serving.basisAmount).toBeGreaterThanOrEqual(0.001);
      }
      expect(() => writeRecord(new RecordBytesWriter(), { food, otherIds: [] })).not.toThrow();
      expect(food.popularity).toBeGreaterThanOrEqual(0);
      expect(food.popularity).toBeLessThanOrEqual(255);
    }),
    { numRuns: runs(2_000) },
  );
});
