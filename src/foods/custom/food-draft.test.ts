import { toFoodId } from '@larder/core/food.ts';
import { NUTRIENT_KEYS, type NutrientKey, REQUIRED_NUTRIENTS } from '@larder/core/nutrients.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FoodDraft, toCustomFood, toFoodDraft } from './food-draft.ts';

const stamp = { id: toFoodId('manual', 'x'), createdAt: 1, updatedAt: 2 };
const draft: FoodDraft = {
  name: 'Plum jam',
  brand: 'Aunt Ada',
  barcode: '4 006381 333931',
  aliases: ['Powidl'],
  servingSize: { value: 15, unit: 'g', label: '1 tbsp' },
  macros: { energy: 36.7, protein: 0.1, fat: 0.05, carbohydrates: 9.1, sodium: 1.5 },
};

/** Undefined for impossible foods, such as one with more protein than its weight. */
function tryToCustomFood(stated: FoodDraft) {
  try {
    return toCustomFood(stated, stamp);
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_request' });
    return undefined;
  }
}

describe('a food that a person enters', () => {
  test('keeps its stated amounts exactly, for any serving', () => {
    const amount = fc.double({ min: 0, max: 30, noNaN: true });
    const drafts = fc.record({
      value: fc.double({ min: 0.001, max: 10_000, noNaN: true }),
      unit: fc.constantFrom('g', 'ml', 'oz', 'fl_oz', 'slice'),
      grams: fc.option(fc.double({ min: 0.001, max: 10_000, noNaN: true }), { nil: undefined }),
      macros: fc.record(
        Object.fromEntries(NUTRIENT_KEYS.map((key) => [key, amount])) as Record<NutrientKey, typeof amount>,
        { requiredKeys: [...REQUIRED_NUTRIENTS] },
      ),
    });
    fc.assert(
      fc.property(drafts, ({ value, unit, grams, macros }) => {
        const servingSize = { value, unit, ...(grams !== undefined && { grams }) };
        const stated = { ...draft, barcode: '4006381333931', servingSize, macros };
        const food = tryToCustomFood(stated);
        fc.pre(food !== undefined);
        const again = toFoodDraft(JSON.parse(JSON.stringify(food)));
        expect(again.macros).toEqual(macros);
        expect(toCustomFood(again, stamp)).toEqual(food);
      }),
    );
  });

  test('is equal after conversion in both directions', () => {
    const food = toCustomFood(draft, stamp);
    expect(food).toMatchObject({
      barcode: '4006381333931',
      gtin: '04006381333931',
      source: 'manual_entry',
      basis: 'g',
    });
    expect(toCustomFood(toFoodDraft(food), stamp)).toEqual(food);
  });

  test.each([
    { value: 1, unit: 'slice', grams: 38 },
    { value: 1, unit: 'cup', grams: 120 },
    { value: 1, unit: 'oz', grams: 28 },
    { value: 1, unit: 'oz' },
  ])('keeps the weight of its serving when converted in both directions: %j', (servingSize) => {
    const food = toCustomFood({ ...draft, servingSize, macros: { ...draft.macros, energy: 20 } }, stamp);
    expect(toCustomFood(toFoodDraft(food), stamp)).toEqual(food);
  });

  test('a unit may be named like a property of every object', () => {
    const servingSize = { value: 1, unit: 'constructor' };
    expect(() => toCustomFood({ ...draft, servingSize }, stamp)).toThrow(
      expect.objectContaining({ details: { fields: ['servingSize.grams'] } }),
    );
  });

  test.each([
    ['oz', 'g', 28.349523125],
    ['fl_oz', 'ml', 29.5735295625],
    ['cup', 'ml', 236.5882365],
  ])('one %s is counted in %s', (unit, basis, basisAmount) => {
    const food = toCustomFood(
      { ...draft, servingSize: { value: 1, unit }, macros: { ...draft.macros, energy: 20 } },
      stamp,
    );
    expect(food.basis).toBe(basis);
    expect(food.servings[0].basisAmount).toBeCloseTo(basisAmount, 9);
  });

  test.each<[string, Partial<FoodDraft>, string]>([
    [
      'a household unit without its weight',
      { servingSize: { value: 2, unit: 'slice' } },
      'servingSize.grams',
    ],
    ['a serving of tons', { servingSize: { value: 10_001, unit: 'g' } }, 'servingSize'],
    ['energy per 100 kJ', { macros: { ...draft.macros, energy: 4_810 } }, 'macros.energy'],
    ['more protein than food', { macros: { ...draft.macros, protein: 16 } }, 'macros.protein'],
    ['parts that weigh more than the whole', { macros: { ...draft.macros, protein: 7 } }, 'macros.protein'],
  ])('%s is rejected, and the field is named', (_, change, field) => {
    expect(() => toCustomFood({ ...draft, ...change }, stamp)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        details: expect.objectContaining({ fields: expect.arrayContaining([field]) }),
      }),
    );
  });

  test('an invalid barcode is rejected', () => {
    expect(() => toCustomFood({ ...draft, barcode: '12' }, stamp)).toThrow(
      expect.objectContaining({ code: 'invalid_barcode' }),
    );
  });
});
