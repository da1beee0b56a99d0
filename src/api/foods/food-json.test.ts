import { tidyNumber } from '@larder/core/rounding.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyFood } from '../../../test/support/any-food.ts';
import { detailedFoodObject, foodObject, foodSchema } from './food-json.ts';

const written = (answered: unknown) => JSON.parse(JSON.stringify(answered));

/** Includes the second name of `createdAt`, which the OpenAPI document only mentions in a description. */
const answered = foodSchema
  .extend({ created_at: foodSchema.shape.createdAt })
  .strict()
  .refine((food) => food.created_at === food.createdAt);

it('every food is valid JSON of the described schema, without further fields', () => {
  fc.assert(
    fc.property(anyFood, (food) => {
      const plain = written(foodObject(food));
      expect(answered.parse(plain)).toEqual(plain);
    }),
  );
});

it('with details every food has the same fields, all servings and all nutrients, as described', () => {
  fc.assert(
    fc.property(anyFood, (food) => {
      const detailed = written(detailedFoodObject(food));
      expect(answered.parse(detailed)).toEqual(detailed);
      expect(detailed).toMatchObject(written(foodObject(food)));
      const measure = food.basis === 'g' ? 'grams' : 'milliliters';
      expect(detailed.servings.map((serving: Record<string, number>) => serving[measure])).toEqual(
        food.servings.map(({ basisAmount }) => tidyNumber(basisAmount)),
      );
      expect(Object.keys(detailed.per100).toSorted()).toEqual(Object.keys(food.per100).toSorted());
    }),
  );
});

it('every text is returned unchanged', () => {
  fc.assert(
    fc.property(anyFood, (food) => {
      const plain = written(foodObject(food));
      expect([plain.name, plain.brand, plain.servingSize.label]).toEqual([
        food.name,
        food.brand,
        food.servings[0].label,
      ]);
    }),
  );
});

it('amounts are those of one serving, to three decimals', () => {
  fc.assert(
    fc.property(anyFood, (food) => {
      const { macros } = written(foodObject(food));
      const [{ basisAmount }] = food.servings;
      expect(Object.keys(macros)).toEqual(Object.keys(macros).filter((key) => key in food.per100));
      for (const [key, per100] of Object.entries(food.per100)) {
        expect(Math.abs(macros[key] - (per100 * basisAmount) / 100)).toBeLessThanOrEqual(0.000_500_1);
        expect(String(macros[key])).toMatch(/^\d+(\.\d{1,3})?$/);
      }
    }),
  );
});
