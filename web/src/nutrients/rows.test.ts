import type { Food } from 'larder-client';
import { describe, expect, it } from 'vitest';
import { type Eaten, eatenOf, energyShareOf, rowsOf } from './rows.ts';

const oats: Eaten = {
  foodName: 'Oats',
  calories: 190,
  protein: 6.5,
  carbs: 30,
  fat: 3.5,
  fiber: 5,
  nutrients: { iron: 2 },
};
const milk: Eaten = {
  foodName: 'Milk',
  calories: 130,
  protein: 7,
  carbs: 10,
  fat: 7,
  nutrients: { calcium: 240, iron: 0 },
};
const canteen: Eaten = {
  foodName: 'Canteen',
  calories: 640,
  protein: 0,
  carbs: 0,
  fat: 0,
  unknown: ['protein', 'carbs', 'fat'],
};

const row = (eaten: readonly Eaten[], key: string, goals = {}) =>
  rowsOf(eaten, goals).known.find((each) => each.key === key);

describe('rowsOf', () => {
  it('sums what is stated and marks what something does not state', () => {
    expect(row([oats, milk], 'calories')).toMatchObject({ amount: 320, isAtLeast: false });
    expect(row([oats, milk], 'calcium')).toMatchObject({ amount: 240, isAtLeast: true });
    expect(row([oats, milk, canteen], 'protein')).toMatchObject({ amount: 13.5, isAtLeast: true });
  });

  it('lists what nothing states as unknown, and a stated zero as known', () => {
    const { known, unknown } = rowsOf([{ ...milk, nutrients: { iron: 0 } }]);
    expect(known.find(({ key }) => key === 'iron')).toMatchObject({ amount: 0, isAtLeast: false, top: [] });
    expect(unknown).toContain('vitaminD');
    expect(rowsOf([canteen]).unknown).toContain('protein');
    expect(rowsOf([]).known).toEqual([]);
  });

  it('names the foods with most of a nutrient, several entries of one food together', () => {
    const top = row([oats, milk, milk], 'protein')!.top;
    expect(top.map(({ name, amount }) => [name, amount])).toEqual([
      ['Milk', 14],
      ['Oats', 6.5],
    ]);
    expect(top[0]!.share).toBeCloseTo(14 / 20.5);
    expect(row([oats, milk], 'calcium')!.top).toEqual([{ name: 'Milk', amount: 240, share: 1 }]);
  });

  it('holds them against the goals of nutrients with and without a field of their own', () => {
    const goals = { protein: 90, nutrients: { iron: 10 } };
    expect(row([oats], 'protein', goals)!.goal).toBe(90);
    expect(row([oats], 'iron', goals)!.goal).toBe(10);
    expect(row([oats], 'fat', goals)!.goal).toBeUndefined();
  });
});

describe('energyShareOf', () => {
  it('is that of 4, 4 and 9 kcal a gram, for macros alone', () => {
    const { known } = rowsOf([{ foodName: 'X', calories: 170, protein: 10, carbs: 10, fat: 10 }]);
    const share = (key: string) => energyShareOf(known.find((each) => each.key === key)!, known);
    expect([share('protein'), share('carbs'), share('fat')]).toEqual([40 / 170, 40 / 170, 90 / 170]);
    expect(share('calories')).toBeUndefined();
  });

  it('is not told while one of the three is unknown, or only a part of it known', () => {
    const partly = rowsOf([oats, canteen]).known;
    expect(energyShareOf(partly.find(({ key }) => key === 'fat')!, partly)).toBeUndefined();
    const { known } = rowsOf([{ foodName: 'X', calories: 170, protein: 10, fat: 10 }]);
    expect(energyShareOf(known.find(({ key }) => key === 'fat')!, known)).toBeUndefined();
  });
});

describe('eatenOf', () => {
  const food = {
    name: 'Bar',
    servingSize: { value: 50, unit: 'g' },
    nutrients: { energy: 200, carbohydrates: 20, fat: 8, sodium: 100, sugars: 10 },
  } as unknown as Food;

  it('scales what the food states and leaves out what it does not', () => {
    const { known, unknown } = rowsOf([eatenOf(food, 0.5)]);
    expect(Object.fromEntries(known.map(({ key, amount }) => [key, amount]))).toEqual({
      ...{ calories: 100, carbs: 10, sugars: 5, fat: 4, sodium: 50 },
    });
    expect(unknown).toContain('protein');
    expect(known.every(({ isAtLeast }) => !isAtLeast)).toBe(true);
  });
});
