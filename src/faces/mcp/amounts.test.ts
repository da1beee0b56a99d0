import { NUTRIENT_KEYS, NUTRIENT_UNITS } from '@larder/core/nutrients.ts';
import { expect, it } from 'vitest';
import { AMOUNT_NAMES, ofDiary, ofFood, sumOfFoods, toDiaryFields, toSumLine } from './amounts.ts';

it('each name ends with the unit', () => {
  for (const key of NUTRIENT_KEYS)
    expect(AMOUNT_NAMES[key].toLowerCase()).toBe(`${key}${NUTRIENT_UNITS[key]}`.toLowerCase());
});

it('foods and the diary have one vocabulary, and arguments map to the fields of the diary', () => {
  const amounts = { energyKcal: 100, carbohydratesG: 20, sugarsG: 5, sodiumMg: 61 };
  expect(ofFood({ energy: 100, carbohydrates: 20, sugars: 5, sodium: 61 })).toEqual(amounts);
  const fields = { calories: 100, carbs: 20, sodium: 61, nutrients: { sugars: 5 } };
  expect(ofDiary(fields)).toEqual(amounts);
  expect(toDiaryFields({ ...amounts, foodName: 'Soup', quantity: 2 })).toEqual(fields);
});

it('omits amounts that the API returns as 0 because they are unknown', () => {
  expect(ofDiary({ calories: 100, protein: 0, carbs: 0, fat: 0, unknown: ['protein', 'fat'] })).toEqual({
    energyKcal: 100,
    carbohydratesG: 0,
  });
  expect(ofFood({ energy: 100, protein: 0, fat: 0 }, ['fat'])).toEqual({ energyKcal: 100, proteinG: 0 });
});

it.each([
  [{ amount: 61, statedBy: 4, foods: 12 }, 'at least 61 mg; 4 of 12 foods state it'],
  [{ amount: 61, statedBy: 12, foods: 12 }, '61 mg'],
  [{ amount: 0, statedBy: 0, foods: 12 }, 'unknown; 0 of 12 foods state it'],
  [{ amount: 0, statedBy: 0, foods: 0 }, '0 mg; no foods'],
  [{ amount: 61, statedBy: 2, foods: 2, goal: 100, left: 39 }, '61 mg; goal 100 mg, 39 mg left'],
  [{ amount: 161, statedBy: 2, foods: 2, goal: 100, left: -61 }, '161 mg; goal 100 mg, 61 mg over'],
  [
    { amount: 61, statedBy: 1, foods: 2, goal: 100, left: 39 },
    'at least 61 mg; 1 of 2 foods state it; goal 100 mg, at most 39 mg left',
  ],
  [
    { amount: 161, statedBy: 1, foods: 2, goal: 100, left: -61 },
    'at least 161 mg; 1 of 2 foods state it; goal 100 mg, at least 61 mg over',
  ],
])('%j is %s', (facts, text) => {
  expect(toSumLine('sodium', facts).text).toBe(text);
});

it('without a count of foods only says whether all of them state it', () => {
  expect(toSumLine('sodium', { amount: 61 }, true).text).toBe('at least 61 mg; not all foods state it');
  expect(toSumLine('sodium', { amount: 61 }, false).text).toBe('61 mg');
});

it('sums of foods count the foods that state each amount', () => {
  expect(sumOfFoods([{ energyKcal: 0.1, ironMg: 1 }, { energyKcal: 0.2 }])).toMatchObject([
    { nutrient: 'energy', amount: 0.3, statedBy: 2, foods: 2 },
    { nutrient: 'iron', amount: 1, statedBy: 1, foods: 2 },
  ]);
});
