import { FOOD_SOURCES, type Food, type KnownProduct, ORIGINS, toFoodId } from '@larder/core/food.ts';
import { FOOD_NOTES } from '@larder/core/food-notes.ts';
import { toGtin } from '@larder/core/gtin.ts';
import { NUTRIENT_KEYS, type Nutrients, REQUIRED_NUTRIENTS } from '@larder/core/nutrients.ts';
import { toPer100 } from '@larder/core/rounding.ts';
import fc from 'fast-check';

/** Amounts as in sources: decimals of up to seven significant digits. */
const arbitraryAmount = fc
  .tuple(fc.nat({ max: 9_999_999 }), fc.nat({ max: 7 }))
  .map(([mantissa, decimals]) => Number(`${mantissa}e-${decimals}`));
const arbitraryPositive = arbitraryAmount.map((amount) => amount + 1).map((n) => Number(n.toPrecision(7)));

const arbitraryText = (maxLength: number) =>
  fc.string({ unit: 'grapheme', minLength: 1, maxLength }).filter((text) => text.isWellFormed());
const arbitraryTime = fc.nat({ max: 2 ** 32 - 1 });
/** At least one digit is not zero, because imports drop numbers of zeros only. */
const arbitraryDigits = fc.stringMatching(/^\d{6,14}$/).filter((digits) => /[1-9]/.test(digits));
const arbitraryKey = fc.oneof(arbitraryDigits, fc.stringMatching(/^[A-Za-z0-9._-]{1,60}$/));
export const arbitraryId = fc
  .tuple(fc.constantFrom(...ORIGINS), arbitraryKey)
  .map(([origin, key]) => toFoodId(origin, key));

const arbitraryNutrients = fc.record(Object.fromEntries(NUTRIENT_KEYS.map((key) => [key, arbitraryAmount])), {
  requiredKeys: [...REQUIRED_NUTRIENTS],
}) as fc.Arbitrary<Nutrients>;

/** Per 100, or for another amount from which those per 100 are computed. */
const arbitraryAmounts: fc.Arbitrary<Pick<Food, 'per100' | 'stated'>> = fc.oneof(
  arbitraryNutrients.map((per100) => ({ per100 })),
  fc
    .record({ amount: arbitraryPositive, nutrients: arbitraryNutrients })
    .map((stated) => ({ per100: toPer100(stated), stated })),
);

const arbitraryServing = fc.record(
  {
    value: arbitraryPositive,
    unit: fc.oneof(fc.constantFrom('g', 'ml', 'oz', 'cup', 'slice'), arbitraryText(12)),
    basisAmount: arbitraryPositive,
    label: arbitraryText(30),
  },
  { requiredKeys: ['value', 'unit', 'basisAmount'] },
);

/** The barcode an origin states, and the key of the food, which is mostly the same. */
const arbitraryBarcodes = fc.oneof(
  fc.constant({}),
  arbitraryDigits.map((barcode) => ({ barcode, gtin: toGtin(barcode) })),
  fc.tuple(arbitraryDigits, arbitraryDigits).map(([barcode, other]) => ({ barcode, gtin: toGtin(other) })),
  fc.stringMatching(/^\d{15,24}$/).map((barcode) => ({ barcode })),
);

export const arbitraryFood: fc.Arbitrary<Food> = fc
  .tuple(
    fc.record(
      {
        id: arbitraryId,
        source: fc.constantFrom(...FOOD_SOURCES),
        name: arbitraryText(60),
        brand: arbitraryText(20),
        aliases: fc.array(arbitraryText(20), { maxLength: 4 }),
        basis: fc.constantFrom('g' as const, 'ml' as const),
        servings: fc
          .tuple(arbitraryServing, fc.array(arbitraryServing, { maxLength: 3 }))
          .map(([first, rest]): Food['servings'] => [first, ...rest]),
        popularity: fc.nat({ max: 255 }),
        createdAt: arbitraryTime,
        updatedAt: arbitraryTime,
        notes: fc.subarray([...FOOD_NOTES], { minLength: 1 }),
      },
      {
        requiredKeys: [
          'id',
          'source',
          'name',
          'aliases',
          'basis',
          'servings',
          'popularity',
          'createdAt',
          'updatedAt',
        ],
      },
    ),
    arbitraryBarcodes,
    arbitraryAmounts,
    fc.boolean(),
  )
  .map(([food, barcodes, amounts, keyedByBarcode]) => ({
    ...food,
    ...amounts,
    ...barcodes,
    ...(keyedByBarcode && 'gtin' in barcodes && { id: toFoodId('off', barcodes.barcode) }),
  }));

export const arbitraryProduct: fc.Arbitrary<KnownProduct> = fc
  .tuple(
    fc.record(
      { id: arbitraryId, name: arbitraryText(60), brand: arbitraryText(20) },
      { requiredKeys: ['id', 'name'] },
    ),
    arbitraryDigits,
  )
  .map(([product, barcode]) => ({ ...product, barcode, gtin: toGtin(barcode) }));
