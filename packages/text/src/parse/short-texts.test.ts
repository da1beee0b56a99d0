import { beforeAll, describe, expect, test } from 'vitest';
import type { Catalogue } from '../../../../src/foods/catalogue/catalogue.ts';
import { readStarterFoods } from '../../../../src/foods/starter/starter-foods.ts';
import { compileFoods } from '../../../../test/support/compiled-foods.ts';
import { languageOfTag } from '../language.ts';
import { parseFoods } from './parse-foods.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

const itemsIn = (text: string, tag?: string) =>
  parseFoods(text, {
    ...{ finder: catalogue, context: 'meal' },
    language: tag === undefined ? undefined : languageOfTag(tag),
  }).map(({ food, basisAmount }) => `${food?.name ?? '?'} ${Math.round(basisAmount ?? 0)}`);

test.each([
  ['chicken 65', ['Spicy fried chicken, Indian 180']],
  ['2 7up', ['Lemon-lime soda 710']],
  ['seven up and a burger', ['Lemon-lime soda 355', 'Hamburger 145']],
  ['3 after eight', ['After Eight mint chocolates 25']],
  ['2 nimm 2', ['Hard candy 10']],
  ['tacos 2 viandes', ['French tacos, wrap with meat, fries and cheese sauce 450']],
  ['gelato 2 gusti', ['Ice cream 110']],
  ['cruzcampo 0,0', ['Alcohol-free beer, 0.0% 330']],
  ['pizza 4 queijos', ['Cheese pizza 250']],
  ['0.0 biertje', ['Alcohol-free beer, 0.0% 250']],
  ['7 days croissant', ['Croissant 57']],
  ['coca cola 0', ['Diet cola 355']],
  ['pepsi 0 330 ml', ['Diet cola 330']],
  ['eggs 2', ['Egg 100']],
  ['pizza 2', ['Cheese pizza 700']],
])('numbers in names are no amounts: %s', (text, items) => {
  expect(itemsIn(text)).toEqual(items);
});

describe('percentages of fat need no sign', () => {
  test.each([
    ['milk 3.5', ['Milk, 3.5% fat 240']],
    ['Quark 20 250 g', ['Quark, 20% fat 250']],
    ['Sahne 30 20 g', ['Whipping cream, 30% fat 20']],
    ['yaourt 0', ['Plain yogurt, fat-free 125']],
    ['leche 1,5 un vaso', ['Milk 200']],
    ['panna 35 20 g', ['Heavy cream 20']],
    ['iogurte 0', ['Plain yogurt, fat-free 125']],
    ['kwark 0 200 g', ['Quark, low-fat 200']],
    ['jogurt naturalny 2,5 180 g', ['Plain yogurt, low-fat 180']],
    ['mleko 3,2 200 ml', ['Whole milk 200']],
    ['milk 2', ['Milk 400']],
    ['milk 1.5 cups', ['Milk 355']],
    ['chicken 200 g, milk 1.5, 2 eggs', ['Chicken 200', 'Milk 240', 'Egg 100']],
  ])('%s', (text, items) => {
    expect(itemsIn(text)).toEqual(items);
  });
});

describe('a plural without a number is the usual number of pieces', () => {
  test.each([
    ['tacos', ['Taco 210']],
    ['cookies', ['Cookie 60']],
    ['cookies and milk', ['Cookie 60', 'Milk 240']],
    ['Kekse', ['Cookie 30']],
    ['madeleines', ['Madeleine, small sponge cake 50']],
    ['galletas', ['Cookie 32']],
    ['pastéis de nata', ['Custard tart 140']],
    ['boterhammen', ['White bread 70']],
    ['samosas', ['Samosa 150']],
    ['chicken nuggets', ['Chicken nuggets 96']],
    ['placki ziemniaczane', ['Potato pancakes 220']],
    ['sausages', ['Sausage 120']],
    ['tomatoes', ['Tomato 123']],
    ['apples', ['Apple 182']],
    ['taco', ['Taco 105']],
    ['1 taco', ['Taco 105']],
    ['Brötchen', ['Bread roll 50']],
  ])('%s', (text, items) => {
    expect(itemsIn(text)).toEqual(items);
  });

  test('in a long text too', () => {
    const text =
      'tacos, white rice, 1 cup black beans, a glass of milk, 200 g chicken breast, 1 banana, 2 eggs, cookies';
    expect(itemsIn(text)).toEqual(expect.arrayContaining(['Taco 210', 'Cookie 60']));
  });
});

test.each([
  ['B oatmeal L tuna sandwich D pizza', ['Oatmeal with water 240', 'Tuna sandwich 180', 'Cheese pizza 208']],
  ['B 2 eggs L salad D soup', ['Egg 100', 'Garden salad, without dressing 150', 'Soup 245']],
  ['F Haferflocken A Pizza', ['Rolled oats, dry 40', 'Cheese pizza 300']],
  ['A banana', ['Banana 118']],
])('letters of meals divide a text without colons: %s', (text, items) => {
  expect(itemsIn(text)).toEqual(items);
});

test.each([
  ['un tercio', ['Beer 333']],
  ['un tercio de mahou', ['Beer 333']],
  ['un tercio de pizza', ['Cheese pizza 117']],
  ['une demi-baguette', ['Baguette 125']],
  ['2 kitkat fingers', ['Kit Kat wafer bar 21']],
])('a fraction is a name where no food follows: %s', (text, items) => {
  expect(itemsIn(text)).toEqual(items);
});

test.each([
  ['en', 'paté'],
  ['de', 'Paté'],
  ['fr', 'patê'],
  ['es', 'paté'],
  ['it', 'paté'],
  ['nl', 'paté'],
  ['pt', 'patê'],
  [undefined, 'patê'],
])('accents tell pâté from pasta: %s %s', (tag, text) => {
  expect(itemsIn(text, tag).join()).toContain('pâté');
});
