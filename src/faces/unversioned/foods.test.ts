import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyFood } from '../../../test/support/any-food.ts';
import { foodObject } from '../../api/foods/food-json.ts';
import { foodInWords, foodSchema } from './foods.ts';

it('every food is valid JSON of the described schema, without further fields', () => {
  fc.assert(
    fc.property(anyFood, (food) => {
      const written = JSON.parse(JSON.stringify(foodInWords(foodObject(food))));
      expect(foodSchema.strict().parse(written)).toEqual(written);
      expect([written.name, written.brand]).toEqual([food.name, food.brand ?? null]);
    }),
  );
});

it('the four macros are those of one serving', () => {
  fc.assert(
    fc.property(anyFood, ({ per100, servings, ...food }) => {
      const { macros } = JSON.parse(JSON.stringify(foodInWords(foodObject({ ...food, per100, servings }))));
      const { energy, protein, carbohydrates, fat } = per100;
      const expected = [energy, protein, carbohydrates, fat].map((x) => (x * servings[0].basisAmount) / 100);
      const written = [macros.calories, macros.protein, macros.carbs, macros.fat];
      for (const [i, amount] of written.entries()) {
        expect(Math.abs(amount - expected[i]!)).toBeLessThanOrEqual(0.000_500_1);
      }
    }),
  );
});
