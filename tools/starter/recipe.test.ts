import { describe, expect, test } from 'vitest';
import { formatAmount, mixDensity, mixPer100, parseRecipe } from './recipe.ts';
import type { UsdaFood } from './usda-foods.ts';

function usdaFood(per100: UsdaFood['per100'], density?: number): UsdaFood {
  return { description: '', per100, density, foodCode: undefined };
}

const foods = new Map([
  ['1', usdaFood({ energy: 100, protein: 10, fiber: 2 }, 1)],
  ['2', usdaFood({ energy: 200, protein: 0 }, 0.5)],
  ['3', usdaFood({ energy: 50 })],
]);

describe('the sources of a starter food', () => {
  test('a single USDA food is used unchanged', () => {
    expect(mixPer100(parseRecipe('1'), foods)).toEqual({ energy: 100, protein: 10, fiber: 2 });
  });

  test('several are mixed by weight, and a nutrient that one lacks is unknown', () => {
    expect(mixPer100(parseRecipe('1*75 + 2*25'), foods)).toEqual({ energy: 125, protein: 7.5 });
  });

  test('volumes add up', () => {
    expect(mixDensity(parseRecipe('1*50 + 2*50'), foods)).toBeCloseTo(1 / 1.5);
    expect(mixDensity(parseRecipe('1*50 + 3*50'), foods)).toBeUndefined();
  });

  test.each(['', 'x', '1*50', '1*50 + 2*60', '1*50, 2*50'])('%j is rejected', (text) => {
    expect(() => parseRecipe(text)).toThrow(RangeError);
  });

  test('a food that the USDA files lack is named', () => {
    expect(() => mixPer100(parseRecipe('9'), foods)).toThrow('the USDA files hold no food 9');
  });

  test('amounts are stated to a tenth of a kcal or mg and a hundredth of a g', () => {
    expect(formatAmount('energy', 12.345)).toBe('12.3');
    expect(formatAmount('protein', 12.345)).toBe('12.35');
    expect(formatAmount('sodium', 0.04)).toBe('0');
    expect(formatAmount('iron', 0.04)).toBe('0.04');
  });
});
