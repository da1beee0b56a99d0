import { beforeAll, describe, expect, test } from 'vitest';
import type { Catalogue } from '../../../../src/foods/catalogue/catalogue.ts';
import { readStarterFoods } from '../../../../src/foods/starter/starter-foods.ts';
import { compileFoods } from '../../../../test/support/compiled-foods.ts';
import { parseFoods } from './parse-foods.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

/** Returns names of foods, or the words of the text with a question mark if no food was chosen. */
function read(text: string): string[] {
  return parseFoods(text, { finder: catalogue }).map(({ food, text: words }) => food?.name ?? `${words}?`);
}

describe('words about a taste, a feeling or a choice are not foods', () => {
  test.each([
    ['a mango with a sweet and sour taste', ['Mango']],
    ['an apple, a nutty choice', ['Apple']],
    ['a lager for a burst of energy', ['Beer']],
    ['I ate a carrot, boiled and lightly salted', ['Carrots, cooked']],
  ])('%s', (text, names) => {
    expect(read(text)).toEqual(names);
  });
});

describe('a list with one amount that ends with a dish is that dish', () => {
  test.each([
    ['a steak and cheese sub', ['Philly cheesesteak']],
    ['a turkey, ham and cheddar sandwich', ['Turkey and cheese sandwich']],
    ['300 g of a mild, beef and barley soup', ['Beef soup']],
    ['a steak and a cheese sandwich', ['Beef steak', 'Cheese sandwich']],
    ['two eggs and a cheese sandwich', ['Egg', 'Cheese sandwich']],
  ])('%s', (text, names) => {
    expect(read(text)).toEqual(names);
  });
});

describe('a dish and what is in it are one food', () => {
  test.each([
    ['turkey and swiss sandwich, an apple', ['Turkey sandwich', 'Apple']],
    ['egg and cress sandwich', ['Egg sandwich']],
    ['soup and sandwich', ['Soup', 'Sandwich']],
  ])('%s', (text, names) => {
    expect(read(text)).toEqual(names);
  });
});

describe('foods without separators', () => {
  test.each([
    ['2x weetabix semi skimmed milk tbsp sugar', ['Wheat biscuit cereal', 'Reduced-fat milk (2%)', 'Sugar']],
    ['1 slice cheddar on rye', ['Cheddar cheese', 'Rye bread']],
    ['dal makhani 1 bowl 2 tandoori roti', ['Dal makhani, lentils with butter', 'Chapati']],
  ])('%s', (text, names) => {
    expect(read(text)).toEqual(names);
  });
});

describe('slices of a bird are cold cuts, unless another word tells its cut', () => {
  test.each([
    ['2 Scheiben Pute, 1 Scheibe Gouda', ['Turkey slices, deli', 'Gouda']],
    ['3 lonchas de pavo, pan', ['Turkey slices, deli', 'White bread']],
    ['2 plakjes kalkoen', ['Turkey slices, deli']],
    ['2 slices roast turkey, peas', ['Roast turkey', 'Peas, canned']],
  ])('%s', (text, names) => {
    expect(read(text)).toEqual(names);
  });
});

describe('the fillings, toppings and carriers of a dish are part of it', () => {
  test.each([
    ['a tuna sandwich topped with onions, pickles and lettuce', ['Tuna sandwich']],
    ['a pizza with cheese and a thin crust', ['Thin crust cheese pizza']],
    ['a sandwich with ham and cheese on a bagel', ['Ham and cheese sandwich']],
    ['a taco with a tasty combination of chicken and beans', ['Chicken taco']],
    [
      'a piece of pepperoni pizza and a piece of thin crust cheese pizza',
      ['Pepperoni pizza', 'Thin crust cheese pizza'],
    ],
    ['a burger paired with a bread roll', ['Hamburger', 'Bread roll']],
    ['a sandwich with crisps', ['Sandwich', 'Potato chips']],
  ])('%s', (text, names) => {
    expect(read(text)).toEqual(names);
  });
});

describe('names of several words', () => {
  test.each([
    ['a size that begins the name', 'a large cola and a big mac', ['Cola', 'Big Mac']],
    ['the same alone', 'two big macs', ['Big Mac']],
    ['what the food is for is no part of it', 'a glass of milk for added nutrition', ['Milk']],
    ['a sandwich is named as one', 'I had sardines', ['Sardines in oil']],
    ['parts that nobody eats tell little', 'I had 90 g of boneless sardines', ['Sardines in oil']],
    ['a candy bar is chocolate', 'a candy bar', ['Chocolate bar, milk']],
    ['gelatin is a dessert', 'a cup of gelatin', ['Gelatin dessert']],
  ])('%s', (_, text, names) => {
    expect(read(text)).toEqual(names);
  });
});
