import { beforeAll, expect, test } from 'vitest';
import { compileFoods } from '../../../test/support/compiled-foods.ts';
import type { Catalogue } from '../catalogue.ts';
import { readStarterFoods } from './starter-foods.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

/** What people type into a food diary, with plurals, slips, brands and other languages; and what they mean. */
test.each([
  ['bananas', 'Banana'],
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
])('"%s" finds %s first', (query, name) => {
  expect(catalogue.search(query, 1).map((food) => food.name)).toEqual([name]);
});

test('a word that is whole is hardly taken for the beginning of another', () => {
  expect(catalogue.search('jam', 4).map((food) => food.name)).not.toContain('Ham');
});
