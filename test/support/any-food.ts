import { FOOD_SOURCES, type Food, type Serving, toFoodId } from '@larder/core/food.ts';
import { toGtin } from '@larder/core/gtin.ts';
import { NUTRIENT_KEYS, type Nutrients, REQUIRED_NUTRIENTS } from '@larder/core/nutrients.ts';
import fc from 'fast-check';

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
const amount = fc.double({ min: 0, max: 10_000, noNaN: true });
const positive = fc.double({ min: 0.01, max: 10_000, noNaN: true });
const barcode = fc.stringMatching(/^[0-9]{8,14}$/);
const unixSeconds = fc.integer({ min: 0, max: 4_000_000_000 });

const nutrients = fc.record(Object.fromEntries(NUTRIENT_KEYS.map((key) => [key, amount])), {
  requiredKeys: [...REQUIRED_NUTRIENTS],
}) as fc.Arbitrary<Nutrients>;

const serving: fc.Arbitrary<Serving> = fc.record(
  { value: positive, unit: text, basisAmount: positive, label: text },
  { requiredKeys: ['value', 'unit', 'basisAmount'] },
);

/** Foods as an import could produce them, with texts in any script. */
export const anyFood: fc.Arbitrary<Food> = fc
  .record(
    {
      key: fc.stringMatching(/^[A-Za-z0-9._-]{1,60}$/),
      source: fc.constantFrom(...FOOD_SOURCES),
      name: text,
      brand: text,
      barcode,
      basis: fc.constantFrom('g', 'ml'),
      per100: nutrients,
      servings: fc.tuple(serving),
      createdAt: unixSeconds,
      updatedAt: unixSeconds,
    },
    { requiredKeys: ['key', 'source', 'name', 'basis', 'per100', 'servings', 'createdAt', 'updatedAt'] },
  )
  .map(({ key, ...food }) => ({
    ...food,
    id: toFoodId('off', key),
    aliases: [],
    popularity: 0,
    ...(food.barcode === undefined ? {} : { gtin: toGtin(food.barcode) }),
  })) as fc.Arbitrary<Food>;
