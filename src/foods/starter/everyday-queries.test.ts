import { beforeAll, expect, test } from 'vitest';
import { compileFoods } from '../../../test/support/compiled-foods.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { readStarterFoods } from './starter-foods.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

/**
 * Queries as users type them into a food diary, with plurals, typos, brands and other languages, and the expected
 * foods.
 */
const EVERYDAY_QUERIES: readonly (readonly [string, string])[] = [
  ['bananas', 'Banana'],
  ['banan', 'Banana'],
  ['aple', 'Apple'],
  ['boiled egg', 'Boiled egg'],
  ['oatmilk', 'Oat milk'],
  ['chiken brest', 'Chicken breast'],
  ['brown rice', 'Brown rice'],
  ['spagetti bolognese', 'Spaghetti bolognese'],
  ['fries', 'French fries'],
  ['coke', 'Cola'],
  ['diet coke', 'Diet cola'],
  ['big mac', 'Big Mac'],
  ['oj', 'Orange juice'],
  ['nutella', 'Chocolate hazelnut spread'],
  ['yoghurt', 'Plain yogurt, whole milk'],
  ['avacado', 'Avocado'],
  ['tomatoes', 'Tomato'],
  ['brocolli', 'Broccoli'],
  ['strawberrys', 'Strawberries'],
  ['porridge', 'Oatmeal with water'],
  ['corn flakes', 'Corn flakes'],
  ['donut', 'Doughnut'],
  ['saft', 'Mixed fruit juice'],
  ['bread and butter', 'Buttered bread'],
  ['feijoada', 'Feijoada'],
  ['croquetas', 'Ham croquettes'],
  ['couve-flor', 'Cauliflower'],
  ['suco de maracujá', 'Passion fruit juice'],
  ['lasagne', 'Lasagna'],
  ['mac n cheese', 'Macaroni and cheese'],
  ['hotdog', 'Hot dog'],
  ['mayo', 'Mayonnaise'],
  ['Kartoffel', 'Potato, raw'],
  ['Käse', 'Cheese'],
  ['Hähnchen', 'Chicken'],
  ['fromage', 'Cheese'],
  ['oeuf', 'Egg'],
  ['manzana', 'Apple'],
  ['arroz', 'Rice'],
  ['creme brulee', 'Crème brûlée'],
  ['milk', 'Milk'],
  ['Milch', 'Milk'],
  ['lait', 'Milk'],
  ['oreo', 'Oreo chocolate sandwich cookies'],
  ['doritos', 'Doritos nacho cheese tortilla chips'],
  ['jam', 'Jam'],
  ['flour', 'White flour'],
  ['cream', 'Heavy cream'],
  ['tomato sauce', 'Tomato sauce'],
  ['fish', 'Fish'],
  ['tortilla', 'Flour tortilla'],
  ['breadcrumbs', 'Bread crumbs'],
  ['bay leaves', 'Bay leaf'],
  ['curry', 'Chicken curry'],
  ['salad dressing', 'Salad dressing'],
  ['farine', 'White flour'],
  ['Öl', 'Vegetable oil'],
  ['Fisch', 'Fish'],
  ['Tomatensauce', 'Tomato sauce'],
];

test.each(EVERYDAY_QUERIES)('"%s" finds %s first', (query, name) => {
  expect(catalogue.search(query, 1).map((food) => food.name)).toEqual([name]);
});

test('a complete word is rarely treated as the beginning of another', () => {
  expect(catalogue.search('jam', 4).map((food) => food.name)).not.toContain('Ham');
});

test('a shorter result is the beginning of a longer one', () => {
  const typed = [
    ...EVERYDAY_QUERIES.map(([query]) => query),
    ...['Milka', 'chocolate bar', 'red appel', 'xyzzy tea'],
  ];
  // Beginnings of words match the maximum number of foods.
  const queries = typed.flatMap((query) => [query, query.slice(0, 2), query.slice(0, 4)]);
  for (const query of queries) {
    const many = catalogue.search(query, 100).map(({ id }) => id);
    for (const limit of [1, 3, 9, 20]) {
      const few = catalogue.search(query, limit).map(({ id }) => id);
      expect(few, `${limit} for "${query}"`).toEqual(many.slice(0, limit));
      expect(catalogue.explain(query, limit).hits.map(({ food }) => food.id)).toEqual(few);
    }
  }
});

/** Words for foods that have no name in this language: no result is better than a wrong one. */
const UNKNOWN_WORDS = ['kanapka', 'cukinia', 'szparagi', 'boczek', 'kyckling', 'brood met ham'];

test.each(UNKNOWN_WORDS)('"%s" does not find another food', (query) => {
  const wrong = /soup|bean|pudding|candy|shakshuka|scallop|cake|kugel|cranber|egg/i;
  expect(catalogue.search(query, 5).filter(({ name }) => wrong.test(name))).toEqual([]);
});

/** Queries that exclude something, in the languages of the table. */
const WITHOUT: readonly (readonly [query: string, first: RegExp, excluded: RegExp])[] = [
  ['turkey without gravy', /turkey/i, /gravy/i],
  ['burrito without cheese', /burrito/i, /cheese/i],
  ['cappuccino no sugar', /cappuccino/i, /sugar/i],
  ['green salad without dressing', /salad/i, /with dressing/i],
  ['Salat ohne Zwiebeln', /salad|lettuce/i, /onion/i],
  ['Toast ohne Butter', /toast/i, /butter/i],
  ['chocolat sans lait', /chocolate/i, /milk/i],
  ['sandwich sans fromage', /sandwich/i, /cheese/i],
  ['pizza sin queso', /pizza/i, /^cheese/i],
  ['chocolate sin leche', /chocolate/i, /milk/i],
  ['tè senza latte', /tea/i, /milk/i],
  ['panino senza formaggio', /sandwich|roll|bread/i, /cheese/i],
  ['chá sem leite', /tea/i, /milk/i],
  ['pizza sem queijo', /pizza/i, /^cheese/i],
];

test.each(WITHOUT)('"%s" finds the food without it first', (query, first, excluded) => {
  const [found] = catalogue.search(query, 1);
  expect(found?.name).toMatch(first);
  expect(found?.name).not.toMatch(excluded);
});

test.each([
  ['salad without dressing', 'Garden salad, without dressing'],
  ['pasta senza glutine', 'Gluten-free pasta'],
])('"%s" prefers the food that says so: %s', (query, name) => {
  expect(catalogue.search(query, 1).map((food) => food.name)).toEqual([name]);
});

test.each(['doughnut', 'muffin', 'cookie', 'ice cream', 'soft drink', 'mortadella', 'feijoada'])(
  '"%s" finds the food of that name before kinds of it',
  (query) => {
    expect(catalogue.search(query, 1)[0]?.name.toLowerCase()).toBe(query);
  },
);

test.each([
  ['schorle', ['Apple spritzer', 'Wine spritzer']],
  ['kuchen', ['Cake', 'Chocolate cake']],
])('"%s" finds compounds with it first', (query, names) => {
  expect(catalogue.search(query, 2).map((food) => food.name)).toEqual(names);
});
