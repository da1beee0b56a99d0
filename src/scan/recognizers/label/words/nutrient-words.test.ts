import { readFileSync } from 'node:fs';
import { NUTRIENT_KEYS } from '@larder/core/nutrients.ts';
import { describe, expect, it } from 'vitest';
import { NutrientWords } from './nutrient-words.ts';

const table = readFileSync(
  new URL('../../../../foods/import/table/label-words.tsv', import.meta.url),
  'utf8',
);
const words = NutrientWords.parse(table);

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

  it('knows a name of each nutrient of the catalogue', () => {
    const known = table.split('\n').map((line) => line.split('\t')[0]);
    expect(known).toEqual(expect.arrayContaining([...NUTRIENT_KEYS]));
  });

  it.each(['Salmon fillet', 'Serving size', 'Amount per serving', 'Selection of herbs'])(
    'finds nothing in %s',
    (text) => {
      expect(words.find(text)).toBeUndefined();
    },
  );
});
