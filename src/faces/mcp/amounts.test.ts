import { expect, it } from 'vitest';
import { readable, rounded, sumOfFoods, toSumLine } from './amounts.ts';

it('rounds what is known, and leaves out what is not', () => {
  expect(rounded({ energy: 100.4, protein: 0, carbohydrates: 20.26, sodium: 161.2 })).toEqual({
    ...{ energy: 100, protein: 0, carbohydrates: 20.3, sodium: 161 },
  });
});

it.each([
  [{ amount: 61, statedBy: 4, foods: 12 }, 'at least 61 mg; 4 of 12 foods state it'],
  [{ amount: 61, statedBy: 12, foods: 12 }, '61 mg'],
  [{ amount: 0, statedBy: 0, foods: 12 }, 'unknown; 0 of 12 foods state it'],
  [{ amount: 0, statedBy: 0, foods: 0 }, 'no entries'],
  [{ amount: 0, statedBy: 0, foods: 0, goal: 100, left: 100 }, 'no entries; goal 100 mg, 100 mg left'],
  [
    { amount: 0, statedBy: 0, foods: 12, goal: 100, left: 100 },
    'unknown; 0 of 12 foods state it; goal 100 mg',
  ],
  [
    { amount: 441.256, statedBy: 2, foods: 2, goal: 2000, left: 1558.744 },
    '441 mg; goal 2000 mg, 1559 mg left',
  ],
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

it('an amount that no food states is absent, and so is what is left of its goal', () => {
  const facts = { amount: 0, statedBy: 0, foods: 2, goal: 100, left: 100 };
  expect(toSumLine('sodium', facts)).toEqual({
    ...{ nutrient: 'sodium', unit: 'mg', statedBy: 0, foods: 2, goal: 100 },
    text: 'unknown; 0 of 2 foods state it; goal 100 mg',
  });
  expect(toSumLine('sodium', { amount: 0, statedBy: 0, foods: 0 })).not.toHaveProperty('amount');
  expect(toSumLine('sodium', { amount: 0 }, true).text).toBe('unknown; no foods state it');
});

it.each([
  ['energy', 441.256, 441],
  ['energy', 0.3, 0],
  ['protein', 12.345, 12.3],
  ['iron', 1.2345, 1.23],
  ['sodium', 441.256, 441],
  ['protein', -12.345, -12.3],
] as const)('%s of %d is read as %d', (nutrient, amount, read) => {
  expect(readable(nutrient, amount)).toBe(read);
});

it('without a count of foods only says whether all of them state it', () => {
  expect(toSumLine('sodium', { amount: 61 }, true).text).toBe('at least 61 mg; not all foods state it');
  expect(toSumLine('sodium', { amount: 61 }, false).text).toBe('61 mg');
});

it('sums of foods count the foods that state each amount', () => {
  expect(sumOfFoods([{ energy: 10.4, iron: 1 }, { energy: 20.4 }])).toMatchObject([
    { nutrient: 'energy', amount: 31, statedBy: 2, foods: 2 },
    { nutrient: 'iron', amount: 1, statedBy: 1, foods: 2 },
  ]);
});
