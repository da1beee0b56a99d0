import type { Serving } from '@larder/core/food.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Catalogue } from '../../../../../src/foods/catalogue/catalogue.ts';
import { compileFoods } from '../../../../../test/support/compiled-foods.ts';
import { sampleFood } from '../../../../../test/support/sample-foods.ts';
import { parseFoods } from '../parse-foods.ts';

function servings(labels: Readonly<Record<string, number>>): [Serving, ...Serving[]] {
  const [first, ...others] = Object.entries(labels).map(([label, grams]) => ({
    value: 1,
    unit: 'serving',
    label,
    basisAmount: grams,
  }));
  return [first!, ...others];
}

/** Servings as survey tables state them. */
const FOODS = {
  Cola: { '1 can (12 fl oz)': 372, '1 bottle (16.9 fl oz or 500 ml)': 524, '1 bottle (20 fl oz)': 620 },
  Beer: { '1 can or bottle (12 fl oz)': 360, '1 bottle (40 fl oz)': 1200 },
  'Graham crackers': { '1 small or medium single serving bag': 45, '1 large single serving bag': 85 },
  'Gummy candy': {
    '1 snack size/pouch/regular size': 60,
    '1 bag': 90,
    '1 piece': 2,
    '1 miniature/fun size': 15,
  },
  'Vegetable chips': { '1 chip': 2, '1 small bag': 28, '1 100 calorie package': 20 },
  'Pepperoni pizza': {
    '1 slice': 88,
    '1 surface inch': 6,
    '1 small pizza (8-10" diameter)': 460,
    '1 medium pizza (11-12" diameter)': 690,
  },
  Pancake: { '1 medium': 40, '1 surface inch': 2 },
  'Turkey sandwich': { '1 regular': 130, '1 regular or 6" submarine': 195 },
  Coffee: { '1 small': 360, '1 medium': 480, '1 large': 600 },
  'Chocolate candy': { '1 pouch/regular size': 45, '1 piece': 8, '1 fun/snack size': 15 },
  Sausage: { '4 slices': 60, '1 patty': 35, '1 slice': 15 },
  'Oatmeal, cooked': { '1 cup': 240, '1 oz, dry, yields': 170 },
  'Corn flakes': { '1 cup': 28 },
  'Noodle soup': { '1 cup': 245 },
  Pears: { '1 cup': 240 },
  'Hot dog': { '1 regular': 100 },
};

const PER_100 = { energy: 100, protein: 4, fat: 3, carbohydrates: 17 };

let catalogue: Catalogue;
beforeAll(async () => {
  const foods = Object.entries(FOODS).map(([name, labels], at) =>
    sampleFood('fdc', String(at + 1), {
      name,
      per100: { ...PER_100, energy: name === 'Corn flakes' ? 380 : 100 },
      servings: servings(labels),
    }),
  );
  ({ catalogue } = await compileFoods([foods]));
});

describe('the serving that matches a text', () => {
  test.each([
    ['a bottle of cola', 524],
    ['a bottle of beer', 360],
    ['a single serving bag of graham crackers', 45],
    ['a large single serving bag of graham crackers', 85],
    ['a gummy candy', 2],
    ['10 pieces of vegetable chips', 20],
    ['a piece of turkey sandwich', 30],
    ['a pouch of gummy candy', 60],
    ['a 100-calorie pack of vegetable chips', 20],
    ['a small bag of vegetable chips', 28],
    ['a 12 inch pepperoni pizza', 690],
    ['two 9-inch pepperoni pizzas', 920],
    ['a 23 cm pepperoni pizza', 460],
    ['a 4 inch pancake', 25],
    ['a 2 inch by 3 inch pancake', 12],
    ['a fun-size package of gummy candy', 15],
    ['2 oz dry oatmeal', 340],
    ['2 oz oatmeal', 57],
    ['a coffee', 240],
    ['a medium coffee', 480],
    ['a chocolate candy', 45],
    ['a small chocolate candy', 15],
    ['a sausage', 75],
    ['a bowl of corn flakes', 27],
    ['a bowl of noodle soup', 362],
    ['a package of noodle soup', 492],
    ['a jar of pears', 243],
    ['a jar of strained pears', 110],
    ['a jar of junior pears', 140],
    ['a footlong turkey sandwich', 390],
    ['a foot-long hot dog', 160],
  ])('%s', (text, grams) => {
    expect(
      parseFoods(text, { finder: catalogue }).map(({ basisAmount }) => Math.round(basisAmount!)),
    ).toEqual([grams]);
  });
});
