import { beforeAll, describe, expect, test } from 'vitest';
import type { Catalogue } from '../../../../../src/foods/catalogue/catalogue.ts';
import { readStarterFoods } from '../../../../../src/foods/starter/starter-foods.ts';
import { compileFoods } from '../../../../../test/support/compiled-foods.ts';
import { parseFoods } from '../parse-foods.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

const foodsIn = (text: string) => parseFoods(text, { finder: catalogue }).filter(({ food }) => food);

describe('an instruction is no food', () => {
  test.each([
    ...[
      'Makes 12',
      'Serves 4',
      'Bake at 180 C',
      'Preheat oven to 200 °C',
      '30 minutes',
      'cook for 20 minutes',
    ],
    ...['30 Minuten backen', 'Ergibt 12 Stück', 'Für 4 Personen', 'Backofen auf 200 Grad vorheizen'],
    ...['cuire 20 minutes', 'hornear 30 minutos', 'cuocere 10 minuti', 'assar por 40 minutos'],
    ...['piec 30 minut', 'Sauce:', 'For the sauce', "Per l'impasto", 'Na sos'],
  ])('%s', (text) => {
    expect(foodsIn(text)).toEqual([]);
  });
});

test.each([
  ['boiled egg 7 minutes', 'Boiled egg'],
  ['for the sauce 200 g tomatoes', 'Tomato'],
  ['2 c milk', 'Milk'],
])('%s names a food', (text, name) => {
  expect(foodsIn(text).map(({ food }) => food?.name)).toContain(name);
});

test.each([
  ['ground beef 93/7 113g', 113],
  ['113 g ground beef 80/20', 113],
  ['1.500 ml Milch', 1500],
  ['1 lb, 4 oz flour', 566.990_462_5],
  ['a) 3 eggs', 150],
  ['1) 3 eggs', 150],
])('the amount of "%s" is %s g', (text, grams) => {
  expect(foodsIn(text).map(({ basisAmount }) => basisAmount)).toEqual([grams]);
});

test('an unknown dish does not become its companion', () => {
  const items = parseFoods('8 loukoumades with honey', { finder: catalogue });
  expect(items.map(({ food, amount }) => [food?.name, amount?.quantity])).toEqual([
    [undefined, 8],
    ['Honey', undefined],
  ]);
});
