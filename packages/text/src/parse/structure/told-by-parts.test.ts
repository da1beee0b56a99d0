import { beforeAll, expect, test } from 'vitest';
import type { Catalogue } from '../../../../../src/foods/catalogue/catalogue.ts';
import { readStarterFoods } from '../../../../../src/foods/starter/starter-foods.ts';
import { compileFoods } from '../../../../../test/support/compiled-foods.ts';
import { parseText } from '../parse-foods.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

function namesIn(text: string): string[] {
  return parseText(text, { finder: catalogue, context: 'meal' }).items.map((item) => item.text);
}

test.each([
  ['porridge made with 40 g oats', ['oats']],
  ['porridge made with 40 g oats and 200 ml milk', ['oats', 'milk']],
  ['Porridge aus 40 g Haferflocken', ['Haferflocken']],
  ['Rührei aus 3 Eiern', ['Eiern']],
  ['Pfannkuchen gemacht mit 2 Eiern', ['Eiern']],
  ['omelette de 3 œufs', ['œufs']],
  ['tortilla hecha con 2 huevos', ['huevos']],
  ['frittata fatta con 2 uova', ['uova']],
  ['papas de aveia feitas com 40 g de aveia', ['aveia']],
  ['havermoutpap gemaakt met 40 g havermout', ['havermout']],
  ['owsianka z 40 g płatków owsianych', ['płatków owsianych']],
])('what a dish is made of counts: %s', (text, names) => {
  expect(namesIn(text)).toEqual(names);
});

test.each([
  ['Salad: romaine, tomato, feta', ['romaine', 'tomato', 'feta']],
  ['Salat: Tomaten, Gurke, Feta', ['Tomaten', 'Gurke', 'Feta']],
  ['Salade : tomates, concombre, feta', ['tomates', 'concombre', 'feta']],
  ['ensalada: lechuga, tomate', ['lechuga', 'tomate']],
  ['insalata: pomodori, mozzarella', ['pomodori', 'mozzarella']],
  ['salada: alface, tomate', ['alface', 'tomate']],
  ['smoothie: banaan, melk', ['banaan', 'melk']],
  ['sałatka: pomidor, ogórek', ['pomidor', 'ogórek']],
  ['salad (romaine, tomato, feta)', ['romaine', 'tomato', 'feta']],
  ['full english - 2 sausages, 2 eggs, bacon', ['sausages', 'eggs', 'bacon']],
  ['English breakfast - 2 eggs, toast', ['eggs', 'toast']],
  ['Fruit: apple, pear', ['apple', 'pear']],
  ['churrasco: picanha 200 g, farofa', ['picanha', 'farofa']],
])('parts that follow a sign count: %s', (text, names) => {
  expect(namesIn(text)).toEqual(names);
});

test.each([
  ['salad: 200 g', ['salad']],
  ['rice: 200 g, egg: 2', ['rice', 'egg']],
  ['pizza: 2 slices, beer: 1', ['pizza', 'beer']],
  ['salad - 2 eggs - toast', ['salad', 'eggs', 'toast']],
  ['150 g pasta made with 2 eggs', ['pasta']],
  ['2 sandwiches, ham, cheese', ['sandwiches', 'ham', 'cheese']],
  ['salad\n2 eggs', ['salad', 'eggs']],
])('other dishes count: %s', (text, names) => {
  expect(namesIn(text)).toEqual(names);
});

test.each([
  ['3 egg omelette with cheese and ham', 'Ham and cheese omelet', 255],
  ['omelette 3 œufs', 'Omelet', 183],
  ['jajecznica 3 jajka', 'Scrambled eggs', 183],
  ['uitsmijter 2 eieren', 'Fried egg', 100],
])('the eggs beside a dish of eggs count as it: %s', (text, name, grams) => {
  const { items, ignored } = parseText(text, { finder: catalogue, context: 'meal' });
  expect(items.map(({ food, basisAmount }) => [food?.name, basisAmount])).toEqual([[name, grams]]);
  expect(ignored).toEqual([]);
});

test('the words of a dish that its parts tell are ignored', () => {
  const { ignored } = parseText('Salad: romaine, tomato', { finder: catalogue, context: 'meal' });
  expect(ignored.map(({ text }) => text)).toEqual(['Salad']);
});
