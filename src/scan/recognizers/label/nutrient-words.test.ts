import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NutrientWords } from './nutrient-words.ts';

const words = NutrientWords.parse(readFileSync(new URL('./nutrient-words.tsv', import.meta.url), 'utf8'));

describe('NutrientWords', () => {
  it.each([
    ['Total Fat', 'fat'],
    ['TotalFat', 'fat'],
    ['Calories from Fat', 'other'],
    ['Saturated Fat', 'saturatedFat'],
    ['davon gesättigte Fettsäuren', 'saturatedFat'],
    ['waarvanverzadigdevetzuren', 'saturatedFat'],
    ['TtuszCZ', 'fat'],
    ['Hidratos de carbono', 'carbohydrates'],
    ['de los cuales azucares', 'sugars'],
    ['heraf sukkerarter', 'sugars'],
    ['Eiweis', 'protein'],
    ['Sel', 'salt'],
    ['Polyunsaturated Fat', 'other'],
    ['Vitamin D', 'vitaminD'],
  ])('finds what %s names', (text, nutrient) => {
    expect(words.find(text)).toBe(nutrient);
  });

  it.each(['Salmon fillet', 'Serving size', 'Amount per serving', 'Selection of herbs'])(
    'finds nothing in %s',
    (text) => {
      expect(words.find(text)).toBeUndefined();
    },
  );
});
