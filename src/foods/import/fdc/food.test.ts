import { describe, expect, test } from 'vitest';
import { jsonFood } from './food.ts';

const FULL = {
  fdcId: 1,
  dataType: 'Foundation',
  description: 'Hummus',
  publicationDate: '4/1/2019',
  foodNutrients: [
    { nutrient: { id: 2047, number: '957' }, amount: 243 },
    { nutrient: { id: 2048, number: '958' }, amount: 229 },
    { nutrient: { id: 1003 }, amount: 7.35 },
    { nutrient: { id: 1004 } },
  ],
  foodPortions: [
    { sequenceNumber: 1, amount: 2, measureUnit: { id: 1001, name: 'tablespoon' }, gramWeight: 33.9 },
  ],
};

test('a food of the downloads', () => {
  expect(jsonFood(FULL, 'FoundationFoods')).toEqual({
    kind: 'food',
    food: {
      origin: 'fdc',
      key: '1',
      name: 'Hummus',
      per100: { energy: 229, protein: 7.35 },
      aliases: [],
      createdAt: Date.UTC(2019, 3, 1) / 1000,
      updatedAt: Date.UTC(2019, 3, 1) / 1000,
      isGeneric: true,
      servings: [{ text: '2 tablespoons', grams: 33.9 }],
    },
  });
});

test('a survey food has its number of diary entries, by its code', () => {
  for (const [foodCode, entries] of [
    ['63107010', 5_822],
    [63107010, 5_822],
    ['constructor', undefined],
    ['1', undefined],
  ] as const) {
    const result = jsonFood({ ...FULL, dataType: 'Survey (FNDDS)', foodCode }, undefined);
    expect(result.kind === 'food' && result.food.diaryEntries, String(foodCode)).toBe(entries);
  }
});

describe('nutrients in every form of the API', () => {
  test.each([
    ['full', { nutrient: { id: 1008 }, amount: 52 }],
    ['abridged', { number: '208', amount: 52 }],
    ['search', { nutrientId: 1008, nutrientNumber: '208', value: 52 }],
    ['search without ids', { nutrientNumber: '208', value: 52 }],
  ])('%s', (_, nutrient) => {
    const result = jsonFood({ ...FULL, foodNutrients: [nutrient] }, undefined);
    expect(result).toMatchObject({ food: { per100: { energy: 52 } } });
  });
});

test('a survey food has other names, and numeric modifiers', () => {
  const survey = {
    fdcId: 2,
    dataType: 'Survey (FNDDS)',
    description: 'Banana, raw',
    foodAttributes: [
      { foodAttributeType: { id: 1001, name: 'Additional Description' }, value: 'plantain; NS as to kind' },
      { foodAttributeType: { id: 999 }, value: '9404' },
    ],
    foodPortions: [
      { portionDescription: '1 banana', modifier: '60919', measureUnit: { id: 9999 }, gramWeight: 126 },
    ],
  };
  expect(jsonFood(survey, 'SurveyFoods')).toMatchObject({
    food: { aliases: ['Banana plantain'], servings: [{ text: '1 banana', grams: 126 }] },
  });
});

test('a branded food whose type is known only from its list', () => {
  const branded = {
    fdcId: 3,
    description: 'MILK',
    brandOwner: 'Dairy Co',
    gtinUpc: '00123456789012',
    servingSize: 240,
    servingSizeUnit: 'MLT',
    householdServingFullText: '1 cup',
    modifiedDate: '8/11/2018',
  };
  expect(jsonFood(branded, 'BrandedFoods')).toMatchObject({
    food: {
      brand: 'Dairy Co',
      barcode: '00123456789012',
      basis: 'ml',
      updatedAt: Date.UTC(2018, 7, 11) / 1000,
      servings: [{ text: '1 cup', quantity: 240, unit: 'ml' }],
    },
  });
});

test('items that are not imported are named', () => {
  expect(jsonFood({ ...FULL, dataType: 'Sample' }, 'FoundationFoods')).toEqual({
    kind: 'skipped',
    reason: 'not a food to serve: Sample',
  });
  expect(jsonFood(null, undefined)).toEqual({ kind: 'skipped', reason: 'no fdcId' });
  expect(jsonFood({ fdcId: 1 }, undefined)).toEqual({
    kind: 'skipped',
    reason: 'not a food to serve: no data type',
  });
});
