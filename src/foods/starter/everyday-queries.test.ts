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
  ['donut', 'Glazed doughnut'],
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

test('a word that is whole is hardly taken for the beginning of another', () => {
  expect(catalogue.search('jam', 4).map((food) => food.name)).not.toContain('Ham');
});

test('fewer answers are the first of more', () => {
  const typed = [
    ...EVERYDAY_QUERIES.map(([query]) => query),
    ...['Milka', 'chocolate bar', 'red appel', 'xyzzy tea'],
  ];
  // Beginnings of words have as many answers as a catalogue can give.
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
