import { beforeAll, describe, expect, test } from 'vitest';
import type { Catalogue } from '../../../../src/foods/catalogue/catalogue.ts';
import { readStarterFoods } from '../../../../src/foods/starter/starter-foods.ts';
import { compileFoods } from '../../../../test/support/compiled-foods.ts';
import { sampleFood } from '../../../../test/support/sample-foods.ts';
import { parseFoods } from './parse-foods.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

/** Returns each food with its grams or millilitres. */
function read(text: string): [string | undefined, number | undefined][] {
  return parseFoods(text, { finder: catalogue }).map(({ food, basisAmount }) => [
    food?.name,
    basisAmount === undefined ? undefined : Math.round(basisAmount),
  ]);
}

function namesIn(text: string) {
  return read(text).map(([name]) => name);
}

describe('one food or two', () => {
  test.each([
    ['mac and cheese', ['Macaroni and cheese']],
    ['gin and tonic', ['Gin and tonic']],
    ['fish and chips', ['Fish and chips']],
    ['eggs and bacon', ['Egg', 'Bacon']],
    ['rice, tofu and a beer', ['Rice', 'Tofu, firm', 'Beer']],
    ['a handful of grapes and some cheddar', ['Grapes', 'Cheddar cheese']],
    ['spaghetti bolognese with parmesan', ['Spaghetti bolognese', 'Parmesan']],
    ['coffee with milk and 2 sugars', ['Coffee with milk', 'Sugar']],
    ['orange juice or apple juice', ['Orange juice']],
    ['2 eggs and bacon', ['Egg', 'Bacon']],
    ['2 fried eggs, toast, half an avocado', ['Fried egg', 'Toast, white', 'Avocado']],
    ['a slice of toast with butter', ['Toast, white', 'Butter']],
    ['a bottle of water while eating a banana', ['Water, bottled', 'Banana']],
    ['a banana, enjoying one banana', ['Banana']],
    ['a banana and another banana', ['Banana', 'Banana']],
    ['a cheeseburger with one patty on a white bun and a cola', ['Cheeseburger', 'Cola']],
    ['a tuna sandwich served on a soft bun', ['Tuna sandwich']],
    ['a bun and a tuna sandwich', ['Bread roll', 'Tuna sandwich']],
    ['I ate a banana during a light afternoon', ['Banana']],
    ['a muffin with frosting and a coffee', ['Muffin', 'Coffee, black']],
    ['vanilla ice cream in a cone', ['Vanilla ice cream']],
    ['a burger made with lettuce, tomato and onion', ['Hamburger']],
    ['a hamburger from Zorba and a banana', ['Hamburger', 'Banana']],
    ['a pear, enjoying this delicious fruit', ['Pear']],
    ['a pouch filled with apple juice', ['Apple juice']],
    ['I had toast with ripe, mashed avocado', ['Avocado toast']],
    ['a small hamburger on a white bun', ['Hamburger']],
    ['a can of sardines, which held four sardines', ['Sardines in oil']],
    ['two Chips Ahoy! cookies', ['Chips Ahoy original chocolate chip cookies']],
    ['I had a cup of milk and rounded it off with a cookie', ['Milk', 'Cookie']],
    ["j'ai mangé 200 g de poulet et du riz", ['Chicken breast', 'Rice']],
    ['100 g spinach, tomatoes and 2 eggs', ['Spinach', 'Tomato', 'Egg']],
    ['a bread roll with butter', ['Bread roll', 'Butter']],
    ['I had 200 g ham slathered in barbecue sauce', ['Ham']],
    ['a burrito filled with chicken, beans and sour cream', ['Chicken burrito']],
    ['a double cheeseburger, which had two patties, and a cola', ['Double cheeseburger', 'Cola']],
    ['a hot dog on a slice of white bread', ['Hot dog']],
    ['120 g sausage served on a biscuit', ['Sausage biscuit']],
    ['two tacos: a chicken taco and a beef taco', ['Chicken taco', 'Taco']],
    ['300 g of a fruity, sweet smoothie', ['Fruit smoothie with yogurt']],
    ['250 g chili con carne with beans', ['Chili with beans']],
    ['250 g chili con carne', ['Chili con carne']],
    ['a breakfast that featured a medium apple and a boiled egg', ['Apple', 'Boiled egg']],
    ['a snack which included a banana and a cup of milk', ['Banana', 'Milk']],
    ['142 g of a turnover packed with meat and cheese', ['Ham and cheese pocket']],
    ['I ate 50 g of raw white rice', ['White rice, dry']],
  ])('%s', (text, names) => {
    expect(namesIn(text)).toEqual(names);
  });
});

describe('grams', () => {
  test.each([
    ['200g chicken breast', [['Chicken breast', 200]]],
    ['a banana', [['Banana', 118]]],
    ['half an avocado', [['Avocado', 75]]],
    ['2 slices of pepperoni pizza', [['Pepperoni pizza', 176]]],
    ['1 cup cooked quinoa', [['Quinoa', 185]]],
    ['2 x 330 ml coke', [['Cola', 660]]],
    ['4 oz cheddar', [['Cheddar cheese', 113]]],
    ['handful of almonds', [['Almonds', 30]]],
    ['a large latte', [['Latte', 590]]],
    [
      '20 g each of almonds, raisins and cashews',
      [
        ['Almonds', 20],
        ['Raisins', 20],
        ['Cashews', 20],
      ],
    ],
    ['a chicken burrito with sour cream weighing 272 g', [['Chicken burrito', 272]]],
    ['a fun-size Snickers bar', [['Snickers chocolate bar with peanuts, caramel and nougat', 17]]],
    ['a fun-size Twix caramel cookie bar', [['Twix caramel cookie bars', 15]]],
    ['I had a snack of 31 g of a chocolate bar', [['Chocolate bar, milk', 31]]],
    ['a large ginger ale', [['Ginger ale', 720]]],
    ['2 eggs', [['Egg', 100]]],
    ['a tube of fruit yogurt', [['Fruit yogurt, whole milk', 62]]],
    ['a hot dog on a slice of white bread', [['Hot dog', 102]]],
  ])('%s', (text, foods) => {
    expect(read(text)).toEqual(foods);
  });
});

test('among foods with equally good names, the popular one is chosen', async () => {
  const foods = [
    sampleFood('fdc', '1', { name: 'Rice, sticky', popularity: 145 }),
    sampleFood('fdc', '2', { name: 'Rice, brown', popularity: 200 }),
  ];
  const { catalogue: two } = await compileFoods([foods]);
  expect(parseFoods('100 g rice', { finder: two })[0]?.food?.name).toBe('Rice, brown');
});

test('a restaurant in the text means fast food', async () => {
  const foods = [
    sampleFood('fdc', '1', { name: 'French fries, with cheese, fast food / restaurant' }),
    sampleFood('fdc', '2', { name: 'French fries, fast food' }),
  ];
  const { catalogue: two } = await compileFoods([foods]);
  const [fries] = parseFoods('100 g french fries from a fast food restaurant', { finder: two });
  expect(fries?.food?.name).toBe('French fries, fast food');
});

test('an amount states the source of its grams and its assumptions', () => {
  const [banana, nuts] = parseFoods('a banana and a handful of almonds', { finder: catalogue });
  expect(banana).toMatchObject({ source: 'serving "1 medium (118 g)"', assumed: [] });
  expect(nuts).toMatchObject({ assumed: ['typical handful of 30 g (USDA SR Legacy)'] });
});

test('foods that count as part of another are listed', () => {
  const items = parseFoods('I had 200 g stew with rice and a coffee', { finder: catalogue });
  expect(items.map(({ food, assumed }) => [food?.name, assumed.filter((each) => /part/.test(each))])).toEqual(
    [
      ['Beef stew', ['"rice" is part of it']],
      ['Coffee, black', []],
    ],
  );
});

test('words around the foods name no foods', () => {
  const text = 'For lunch I had two scrambled eggs, and washed them down with a large latte.';
  expect(namesIn(text)).toEqual(['Scrambled eggs', 'Latte']);
});

test('ingredients of a weighed food are not counted again', () => {
  expect(namesIn('250 g lasagna with meat and cheese')).toHaveLength(1);
});

test('a line of a recipe is one food without its preparation', () => {
  const [item, ...others] = parseFoods('150g/5¼oz canned chickpeas, drained and rinsed', {
    finder: catalogue,
  });
  expect(others).toEqual([]);
  expect(item).toMatchObject({
    text: 'canned chickpeas',
    basisAmount: 150,
    food: { name: 'Chickpeas, canned' },
  });
  expect(item!.amount).toMatchObject({ quantity: 150, unit: 'g' });
});

test('an unknown food with an amount is an item without a food', () => {
  const [unknown, banana] = parseFoods('200 g xqzvw and a banana', { finder: catalogue });
  expect(unknown).toMatchObject({ text: 'xqzvw', amount: { quantity: 200 }, confidence: 0 });
  expect(unknown).not.toHaveProperty('food');
  expect(banana).toMatchObject({ food: { name: 'Banana' } });
});

test('a clause states the amount of the preceding food', () => {
  expect(read('I had a bottle of cola, which was 20 fl oz')).toEqual([['Cola', 591]]);
});

test.each([
  ['100 g xqzvw, 50 g cheddar', [undefined, 'Cheddar cheese']],
  ['200 g rice and 100 g xqzvw', ['Rice', undefined]],
  ['2 eggs and 3 xqzvws', ['Egg', undefined]],
  ['200 g rice, 2 cm cubes', ['Rice']],
])('an amount with an unknown name is kept: %s', (text, names) => {
  expect(namesIn(text)).toEqual(names);
});

test('a serving of another table, and a density of another food, say which food they are from', async () => {
  const per100 = { energy: 312, protein: 3.4, fat: 15, carbohydrates: 41 };
  const serving = (label: string, basisAmount: number) => ({ value: 1, unit: 'serving', label, basisAmount });
  const foods = [
    sampleFood('fdc', '1', {
      name: 'Ice cream, vanilla',
      servings: [serving('1 cup', 135), serving('1 scoop', 120)],
    }),
    sampleFood('fdc', '2', { name: 'Vanilla ice cream', servings: [serving('1 tub', 400)] }),
    sampleFood('fdc', '3', { name: 'Potato fries', per100, servings: [serving('1 portion', 110)] }),
    sampleFood('fdc', '4', { name: 'Fries, potato', servings: [serving('1 cup', 57)] }),
  ];
  const { catalogue: finder } = await compileFoods([foods]);
  const [iceCream] = parseFoods('a scoop of vanilla ice cream', { finder });
  expect(iceCream).toMatchObject({ basisAmount: 120, assumed: [] });
  expect(iceCream!.food!.name === 'Ice cream, vanilla' || iceCream!.source).not.toBe('serving "1 scoop"');
  const [fries] = parseFoods('a cup of potato fries', { finder });
  const source = 'serving "1 cup" of Fries, potato';
  expect(fries).toMatchObject({ food: { name: 'Potato fries' }, source, assumed: [source] });
  expect(fries!.basisAmount).toBeCloseTo(57, 3);
});

test('misspelt words are read', () => {
  expect(namesIn('a bananna')).toEqual(['Banana']);
});

test('an excluded ingredient is not searched for', () => {
  expect(namesIn('coffee without sugar')).toEqual(['Coffee, black']);
});

test('a text without foods has no items', () => {
  expect(parseFoods('', { finder: catalogue })).toEqual([]);
  expect(parseFoods('!!! ... ,,, 12', { finder: catalogue })).toEqual([]);
});

test('a food named twice is placed at its best-matching name', () => {
  expect(read('I had 2 eggs, a delicious banana, 2 scrambled eggs')).toEqual([
    ['Banana', 118],
    ['Scrambled eggs', 100],
  ]);
});
