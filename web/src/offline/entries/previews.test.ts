import type { DiaryEntry, DiaryEntryInput, Food } from 'larder-client';
import { expect, it } from 'vitest';
import { previewOf, previewOfChange } from './previews.ts';

const place = { date: '2026-01-31', mealType: 'lunch' } as const;
const soup = {
  id: 'manual:1',
  name: 'Soup',
  servingSize: { value: 1, unit: 'cup' },
  servings: [{ value: 1, unit: 'cup', grams: 250 }],
  macros: { energy: 100, protein: 5, fat: 2, carbohydrates: 15 },
  per100: { energy: 40, protein: 2, fat: 0.8, carbohydrates: 6 },
} as Food;
const preview = (input: object, known: { food?: Food; eaten?: DiaryEntry[] } = {}) =>
  previewOf('1', 'ann', { ...place, ...input } as DiaryEntryInput, { food: undefined, eaten: [], ...known });

it('computes an amount of a known food in any of its units', () => {
  const food = { food: soup };
  expect(preview({ foodId: soup.id, quantity: 2, unit: 'cup' }, food)).toMatchObject({
    foodName: 'Soup',
    calories: 200,
    fat: 4,
    unknown: undefined,
  });
  expect(preview({ foodId: soup.id, quantity: 50, unit: 'g' }, food)).toMatchObject({
    calories: 20,
    carbs: 3,
  });
  expect(preview({ foodId: soup.id, quantity: 10, unit: 'oz' }, food)).toMatchObject({ calories: 113.398 });
});

it('scales what was eaten before', () => {
  const eaten = [
    { foodId: 'off:1', foodName: 'Bread', quantity: 2, unit: 'slice', calories: 150, unknown: ['fat'] },
  ];
  expect(
    preview({ foodId: 'off:1', quantity: 1, unit: 'slice' }, { eaten: eaten as unknown as DiaryEntry[] }),
  ).toMatchObject({ foodName: 'Bread', calories: 75, unknown: ['protein', 'carbs', 'fat'] });
});

it('takes a known food as it is now, not as it was eaten before', () => {
  const eaten = [{ foodId: soup.id, foodName: 'Soup', quantity: 1, unit: 'cup', calories: 70 }];
  expect(
    preview(
      { foodId: soup.id, quantity: 1, unit: 'cup' },
      { food: soup, eaten: eaten as unknown as DiaryEntry[] },
    ),
  ).toMatchObject({ calories: 100 });
});

it('says that it does not know, instead of nothing eaten', () => {
  expect(preview({ foodId: 'off:2', quantity: 1, unit: 'slice' })).toMatchObject({
    unknown: ['calories', 'protein', 'carbs', 'fat'],
  });
  expect(preview({ foodName: 'Tea', calories: 2 })).toMatchObject({
    foodName: 'Tea',
    calories: 2,
    unknown: ['protein', 'carbs', 'fat'],
  });
});

it('scales an entry whose quantity changes, and forgets amounts of an unknown unit', () => {
  const entry = preview({
    foodName: 'Rice',
    calories: 100,
    protein: 2,
    carbs: 20,
    fat: 1,
    quantity: 1,
    unit: 'cup',
  });
  const nothing = { food: undefined, eaten: [] };
  expect(previewOfChange(entry, { quantity: 3 }, nothing)).toMatchObject({
    quantity: 3,
    calories: 300,
    fat: 3,
  });
  expect(previewOfChange(entry, { fat: null, carbs: 25 }, nothing)).toMatchObject({
    calories: 100,
    carbs: 25,
    unknown: ['fat'],
  });
  expect(previewOfChange(entry, { note: 'x' }, nothing)).toEqual({ ...entry, note: 'x' });
  expect(previewOfChange(entry, { unit: 'g' }, nothing).unknown).toHaveLength(4);
});
