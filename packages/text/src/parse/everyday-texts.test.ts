import { beforeAll, expect, test } from 'vitest';
import type { Catalogue } from '../../../../src/foods/catalogue/catalogue.ts';
import { readStarterFoods } from '../../../../src/foods/starter/starter-foods.ts';
import { compileFoods } from '../../../../test/support/compiled-foods.ts';
import { likelyLanguages } from '../language.ts';
import { tokenise } from '../tokens.ts';
import { stemOf } from './names/name-words.ts';
import { parseFoods } from './parse-foods.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

const foodsIn = (text: string) =>
  parseFoods(text, { finder: catalogue }).map(
    ({ food, basisAmount }) => `${food?.name ?? '?'} ${Math.round(basisAmount ?? 0)}`,
  );

test.each([
  ['en', 'bread 50 g, cheese 30 g'],
  ['de', 'Schmand 200 g'],
  ['fr', 'poisson 120 g'],
  ['es', 'pescado 120 g'],
  ['it', 'riso 150 g'],
  ['pt', 'peixe 120 g'],
  ['nl', 'kipfilet 150 g'],
  ['pl', 'serek wiejski 200 g'],
])('names of foods tell the language of a text without small words: %s', (code, text) => {
  const shares = ({ folded }: { folded: string }) => catalogue.names.languagesOf(stemOf(folded));
  expect(likelyLanguages(tokenise(text), shares)[0]).toBe(code);
  expect(likelyLanguages(tokenise('200 g'), shares)).toEqual([]);
});

test.each([
  'rice 60 g raw',
  'Reis 60 g roh',
  'riz 60 g cru',
  'arroz 60 g crudo',
  'riso 60 g crudo',
  'arroz 60 g cru',
  'ryż 60 g surowy',
])('a stated state chooses the raw form: %s', (text) => {
  expect(foodsIn(text)).toEqual(['White rice, dry 60']);
});

test.each([
  'coffee without sugar',
  'Kaffee ohne Zucker',
  'café sans sucre',
  'café sin azúcar',
  'caffè senza zucchero',
  'café sem açúcar',
  'koffie zonder suiker',
  'kawa bez cukru',
])('what a text excludes is no part of its food: %s', (text) => {
  const [coffee, ...others] = parseFoods(text, { finder: catalogue });
  expect(coffee!.food!.name).toBe('Coffee, black');
  expect(others).toEqual([]);
});

test.each([
  ['chai with sugar 1 cup', ['Masala chai 200', 'Sugar 4']],
  ['Tee mit Honig 1 Becher', ['Black tea 250', 'Honey 11']],
  ['tea with 1 cup milk', ['Black tea 240', 'Milk 237']],
])('a cup belongs to the drink, not to what is added: %s', (text, foods) => {
  expect(foodsIn(text)).toEqual(foods);
});

test('a stated share of fat chooses among foods', () => {
  expect(foodsIn('yogurt greco 0% 170g, noci')[0]).toBe('Greek yogurt, fat-free 170');
});

test('amounts within a text that begins with a food may follow their foods', () => {
  expect(foodsIn('blanc de poulet 120 g riz basmati 60 g')).toEqual([
    'Chicken breast 120',
    'Basmati rice 60',
  ]);
});
