import { parseFoods } from '@larder/text/parse/parse-foods.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { compileFoods } from '../../../test/support/compiled-foods.ts';
import { sampleFood } from '../../../test/support/sample-foods.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { readStarterFoods } from './starter-foods.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

/** Names of the chosen foods; the words of the text with a question mark if no food is chosen. */
function read(text: string): string[] {
  return parseFoods(text, { finder: catalogue }).map(({ food, text: words }) => food?.name ?? `${words}?`);
}

test.each([
  ['Reis mit Huhn', ['White rice', 'Chicken']],
  ['Schwein mit Reis', ['Pork', 'White rice']],
])('meat is found by the name of its animal: %s', (text, names) => {
  expect(read(text)).toEqual(names);
});

describe('an unknown food of a list is an item without a food', () => {
  test.each([
    ['eggs and xqzvw', ['Egg', 'xqzvw?']],
    ['xqzvw and eggs', ['xqzvw?', 'Egg']],
    ['I had xqzvw and eggs', ['xqzvw?', 'Egg']],
    ['2 eggs and xqzvw', ['Egg', 'xqzvw?']],
    ['3 eggs and some delicious xqzvw', ['Egg', 'xqzvw?']],
    ['eggs, xqzvw, toast', ['Egg', 'xqzvw?', 'Toast, white']],
    ['for lunch I ate rice with blorpa', ['Rice', 'blorpa?']],
    ['rice, blorpa and a banana', ['Rice', 'blorpa?', 'Banana']],
    ['a banana, an apple and a zunkel', ['Banana', 'Apple', 'zunkel?']],
    ['2 eggs n xqzvw', ['Egg', 'xqzvw?']],
    ['2 Eier und xqzvw', ['Egg', 'xqzvw?']],
    ['ich hatte Eier und xqzvw', ['Egg', 'xqzvw?']],
    ['Brot mit Käse und gribbel', ['White bread', 'Cheese', 'gribbel?']],
    ['une pomme et xqzvw', ['Apple', 'xqzvw?']],
    ["j'ai mangé du riz avec du zunkel", ['Rice', 'zunkel?']],
    ['una manzana y xqzvw', ['Apple', 'xqzvw?']],
    ['comí arroz con zunkel', ['Rice', 'zunkel?']],
    ['una mela e xqzvw', ['Apple', 'xqzvw?']],
    ['ho mangiato riso con zunkel', ['White rice', 'zunkel?']],
    ['uma banana e xqzvw', ['Banana', 'xqzvw?']],
    ['comi arroz com zunkel', ['Rice', 'zunkel?']],
  ])('%s', (text, items) => {
    expect(read(text)).toEqual(items);
  });
});

describe('short and sloppy texts', () => {
  test.each([
    ['2 eggs n toast', ['Egg', 'Toast, white']],
    ['steak 8oz with mashed potatoes', ['Beef steak', 'Mashed potatoes']],
    ['1 can tuna', ['Tuna in water']],
    ['pb&j', ['Peanut butter and jelly sandwich']],
    ['a bar', ['Chocolate bar, milk']],
    ['2 Eier', ['Egg']],
    ['Äpfel', ['Apple']],
    ['un bicchiere di vino', ['Red wine']],
    ['latte e cereali', ['Milk', 'Breakfast cereal']],
    ['pane e prosciutto', ['Italian bread', 'Prosciutto']],
    ['pão com manteiga', ['White bread', 'Butter']],
    ['café com leite', ['Café con leche']],
    ['2 ovos', ['Egg']],
    ['arroz e feijão', ['Rice', 'Beans']],
    ['um copo de leite', ['Milk']],
    ['maçã', ['Apple']],
    ['100 g de queijo', ['Cheese']],
    ['sumo de laranja', ['Orange juice']],
  ])('%s', (text, items) => {
    expect(read(text)).toEqual(items);
  });
});

test.each(['2 eggs', '2 Eier', '2 œufs', '2 huevos', '2 uova', '2 ovos'])(
  'eggs weigh the same in every language: %s',
  (text) => {
    expect(parseFoods(text, { finder: catalogue })).toMatchObject([
      { food: { name: 'Egg' }, basisAmount: 100 },
    ]);
  },
);

describe('a size changes the grams, in every language and beside every vessel', () => {
  const gramsOf = (text: string) => parseFoods(text, { finder: catalogue }).at(-1)?.basisAmount ?? 0;
  test.each([
    ['small coffee', 'medium coffee', 'large coffee'],
    ['kebab, small salad', 'kebab, salad', 'kebab, large salad'],
    ['a small bowl of chili', 'a bowl of chili', 'a big bowl of chili'],
    ['small glass of milk', 'glass of milk', 'large glass of milk'],
    ['thin slice of bread', 'slice of bread', 'thick slice of bread'],
    ['ein kleiner Teller Nudeln', 'ein Teller Nudeln', 'ein großer Teller Nudeln'],
    ['kleiner Salat', 'gemischter Salat', 'großer Salat'],
    ['small pizza', 'pizza', 'large pizza'],
    ['un petit bol de soupe', 'un bol de soupe', 'un grand bol de soupe'],
    ['porción pequeña de arroz', 'porción de arroz', 'porción grande de arroz'],
    ['un piccolo piatto di pasta', 'un piatto di pasta', 'un grande piatto di pasta'],
    ['um copo pequeno de leite', 'um copo de leite', 'um copo grande de leite'],
    ['een klein bord pasta', 'een bord pasta', 'een groot bord pasta'],
    ['mała miska zupy', 'miska zupy', 'duża miska zupy'],
  ])('%s < %s < %s', (small, usual, large) => {
    expect(gramsOf(small)).toBeLessThan(gramsOf(usual));
    expect(gramsOf(large)).toBeGreaterThan(gramsOf(usual));
  });

  test('a size that is part of a name changes nothing', () => {
    expect(gramsOf('3 petits beurres')).toBe(24);
    expect(gramsOf('two big macs')).toBe(438);
  });
});

test('a sign counts the food before it: tea x4 milk', () => {
  const items = parseFoods('cup of tea x4 milk no sugar', { finder: catalogue });
  expect(items.map(({ basisAmount }) => basisAmount)).toEqual([960, 240]);
});

test.each([
  ['3 Bier 0,5', 1_500],
  ['2 piwa 0,5', 1_000],
  ['2 bières 33cl', 660],
  ['2 Cola 0,3 l', 600],
  ['2 cans of coke 330 ml', 660],
  ['2 eggs (120 g)', 120],
])('a volume after a count is that of each: %s', (text, amount) => {
  expect(parseFoods(text, { finder: catalogue })).toMatchObject([{ basisAmount: amount }]);
});

test.each([
  ['Weißwurst 2 Stück', 150],
  ['Frikadelle 3 Stk', 240],
  ['2 stuks frikandel', 170],
  ['bitterballen 6 stuks', 150],
  ['4 salmon nigiri', 140],
])('pieces of what has none count it: %s', (text, grams) => {
  expect(parseFoods(text, { finder: catalogue })).toMatchObject([{ basisAmount: grams }]);
});

describe('no food of a short list is lost', () => {
  test.each([
    ['burger, small fries', ['Hamburger', 'French fries']],
    ['double cheeseburger + small fries', ['Double cheeseburger', 'French fries']],
    ['bowl of cheerios with whole milk', ['Oat rings cereal', 'Whole milk']],
    ['halve avocado op volkorenbrood', ['Avocado', 'Whole wheat bread']],
    ['3 pancakes maple syrup bacon', ['Pancakes', 'Maple syrup', 'Bacon']],
    ['2 eggs bacon toast', ['Egg', 'Bacon', 'Toast, white']],
    ['B: oatmeal L: tuna sandwich D: salmon', ['Oatmeal with water', 'Tuna sandwich', 'Salmon']],
    ['F: Müsli, M: Suppe, A: Brot', ['Muesli', 'Soup', 'White bread']],
    ['grabbed a venti iced caramel macchiato + a cake pop', ['Flavored iced latte', 'Cake pop']],
    ['small pot of hummus w/ carrots', ['Hummus', 'Carrot']],
    ['salad - 2 eggs - toast', ['Garden salad, without dressing', 'Egg', 'Toast, white']],
    ['1 apple, seeds removed', ['Apple']],
  ])('%s', (text, items) => {
    expect(read(text)).toEqual(items);
  });
});

describe('words that tell of a snack, or how a food is eaten, are no food', () => {
  test.each([
    ['For a little pick-me-up during my snack, I enjoyed a shot of rum.', ['Rum']],
    ['a bagel spread with butter', ['Bagel', 'Butter']],
    ['a drink of vodka mixed with lemonade', ['Vodka tonic']],
    ['1 scoop protein in water', ['Whey protein powder']],
    ['seppie in umido', ['Cuttlefish, raw']],
    ['dorada a la sal', ['Sea bream, cooked']],
  ])('%s', (text, items) => {
    expect(read(text)).toEqual(items);
  });
});

test.each([
  ['steak', 'Beef steak'],
  ['big steak', 'Beef steak'],
  ['kibbeling', 'Cod, battered and fried'],
  ['1 steak, trimmed', 'Beef steak, raw'],
])('a name alone is what someone ate: %s', (text, name) => {
  expect(read(text)).toEqual([name]);
});

test.each(['banana x2', 'banana x 2', 'banana ×2', 'banana (x2)', 'banana x2 and toast'])(
  'a sign before a count is not part of the name: %s',
  (text) => {
    expect(parseFoods(text, { finder: catalogue })[0]).toMatchObject({
      text: 'banana',
      basisAmount: 236,
    });
  },
);

test.each([
  'un thé',
  'Thé',
  '2 thés',
  'une tasse de the\u0301',
  'un tè',
  'una taza de té',
  'um chá',
  'ein Tee',
  'a tea',
])('tea is tea in every language: %s', (text) => {
  expect(read(text)).toEqual(['Black tea']);
});

test('a French teaspoon is not tea', () => {
  expect(parseFoods('1 cuillère à thé de sel', { finder: catalogue })).toMatchObject([
    { food: { name: 'Salt' }, basisAmount: 6 },
  ]);
});

test.each([
  ['spaghetti alla carbonara', 'Spaghetti carbonara'],
  ['200 g di spaghetti alla carbonara', 'Spaghetti carbonara'],
  ['un plato de pollo al curry', 'Chicken curry'],
])('the preparation of a dish is not another food: %s', (text, name) => {
  expect(read(text)).toEqual([name]);
});

test.each([
  ["un verre de jus d'orange", 'Orange juice'],
  ['1 c. à s. d’huile d’olive', 'Olive oil'],
  ["olio d'oliva", 'Olive oil'],
  ["succo d'arancia", 'Orange juice'],
  ["50 g de flocons d'avoine", 'Rolled oats, dry'],
  ["lait d'amande", 'Unsweetened almond milk'],
  ["soupe à l'oignon", 'French onion soup'],
])('a name with an article that is joined to its word: %s', (text, name) => {
  expect(read(text)).toEqual([name]);
});

test.each([
  ['3 Tomaten', 'Tomato'],
  ['2 Aprikosen', 'Apricot'],
  ['2 Feigen', 'Fig'],
  ['3 Kekse', 'Cookie'],
  ['2 Waffeln', 'Waffle'],
  ['2 Kürbisse', 'Pumpkin'],
  ['2 mele', 'Apple'],
  ['3 carote', 'Carrot'],
  ['2 melanzane', 'Eggplant'],
  ['2 prugne', 'Plum'],
])('a plural that occurs in another food’s name is the plain food: %s', (text, name) => {
  expect(read(text)).toEqual([name]);
});

describe('words about other subjects are not items', () => {
  test.each([
    ['I had eggs for lunch with my friends', ['Fried egg']],
    ['eggs with bacon at home', ['Egg', 'Bacon']],
    ['I ate eggs and it was great', ['Egg']],
    ['we had pizza and watched a movie', ['Cheese pizza']],
    ['had a banana and went to the gym', ['Banana']],
    ['I had a coffee, then a meeting', ['Coffee, black']],
    ['rice, it was incredibly good', ['Rice']],
    ['heute Mittag Reis mit meinen Freunden', ['White rice']],
    ['Brot und es war sehr lecker', ['White bread']],
    ['Banane und dann Sport', ['Banana']],
    ['zum Frühstück Müsli, danach Büro', ['Muesli']],
    ['une banane avec mes amis', ['Banana']],
    ["du riz et c'était très bon", ['Rice']],
    ['un plátano con mis amigos', ['Banana']],
    ['comí arroz y estaba muy rico', ['Rice']],
    ['una banana con i miei amici', ['Banana']],
    ['ho mangiato riso ed era molto buono', ['White rice']],
    ['uma banana com os meus amigos', ['Banana']],
    ['comi arroz e estava muito bom', ['Rice']],
    ['garlic, crushed in a pestle and mortar', ['Garlic']],
  ])('%s', (text, items) => {
    expect(read(text)).toEqual(items);
  });
});

describe('no food is chosen for a text without foods', () => {
  test.each(
    `hello there · good morning · thank you so much · meeting with the boss at ten · need to buy new shoes · yoga class for 45 minutes
    the quick brown fox jumps over the lazy dog · remember to charge the phone · happy birthday to you · at work all day · nothing today
    hallo zusammen · guten morgen · danke schön · spaziergang im park · ich habe keinen hunger · bitte morgen anrufen · schlecht geschlafen
    bonjour à tous · merci beaucoup · rendez-vous chez le médecin · réunion avec le chef · mal dormi cette nuit · pas faim ce soir
    buenos días · muchas gracias · hasta mañana · tengo una reunión a las diez · dormí mal anoche · hace buen tiempo
    ciao a tutti · come stai · sono molto stanco · fa bel tempo oggi · riunione con il capo · ho dormito male
    bom dia · muito obrigado · não tenho fome · reunião com o chefe · dormi mal esta noite · estou cansado`
      .split(/[·\n]/)
      .map((text) => text.trim()),
  )('%s', (text) => {
    expect(parseFoods(text, { finder: catalogue }).filter(({ food }) => food !== undefined)).toEqual([]);
  });
});

test('a product whose composition differs from the foods of its name is not chosen without its brand', async () => {
  const product = sampleFood('off', '4000000000013', {
    name: 'Hash Brown Patties',
    brand: 'Zunkel',
    barcode: '4000000000013',
    per100: { energy: 330, protein: 8, fat: 7, carbohydrates: 59 },
  });
  const { catalogue: among } = await compileFoods([[...readStarterFoods()], [product]]);
  const chosen = (text: string) => parseFoods(text, { finder: among })[0]?.food?.name;
  expect(chosen('2 hash brown patties')).toBe('Hash browns');
  expect(chosen('2 zunkel hash brown patties')).toBe('Hash Brown Patties');
});

test('a guess is an alternative, and not chosen', () => {
  const [item] = parseFoods('yoga class', { finder: catalogue });
  expect(item).toMatchObject({ text: 'class', confidence: 0 });
  expect(item).not.toHaveProperty('food');
});

describe('a text with a brand finds the product, without one the generic food', () => {
  let among: Catalogue;
  beforeAll(async () => {
    const product = (key: string, name: string, brand?: string) =>
      sampleFood('off', key, {
        name,
        barcode: key,
        per100: { energy: 240, protein: 3, fat: 13, carbohydrates: 27 },
        servings: [{ value: 100, unit: 'g', basisAmount: 100 }],
        ...(brand !== undefined && { brand }),
      });
    const products = [
      product('4000000000013', 'Hash Brown Patties'),
      product('4000000000037', 'Zunkel Crispy Hash Browns', 'Zunkel'),
      product('4000000000044', 'Guten Morgen'),
    ];
    ({ catalogue: among } = await compileFoods([[...readStarterFoods()], products]));
  });

  test.each([
    ['zunkel crispy hash browns', 'Zunkel Crispy Hash Browns', 80],
    ['2 zunkel hash browns', 'Zunkel Crispy Hash Browns', 160],
    ['crispy hash browns', 'Hash browns', 80],
    // The product only states 100 g: a patty weighs as much as one of the generic food.
    ['2 hash brown patties', 'Hash Brown Patties', 110],
    ['guten morgen', undefined, undefined],
  ])('%s', (text, name, grams) => {
    const [item] = parseFoods(text, { finder: among });
    expect([item?.food?.name, item?.basisAmount]).toEqual([name, grams]);
  });
});

test.each([
  ['burger large fries medium sprite', ['Hamburger 145', 'French fries 180', 'Lemon-lime soda 500']],
  ['grosser kaffee kleines brötchen', ['Coffee, black 250', 'Bread roll 30']],
  ['croissant large cappuccino', ['Croissant 57', 'Cappuccino 590']],
  ['porridge 40g oats 200ml milk', ['Rolled oats, dry 40', 'Milk 200']],
  ['smoothie 1 banana 200ml milk 30g oats', ['Banana 118', 'Milk 200', 'Rolled oats, dry 30']],
  ['porridge 200 ml milk', ['Oatmeal with water 240', 'Milk 200']],
  ['gnocchi al pesto (180 g)', ['Gnocchi 180', 'Pesto 32']],
  ['toast with butter (10 g)', ['Toast, white 25', 'Butter 10']],
  ['feijoada (prato), farofa, laranja', ['Feijoada 350', 'Farofa 40', 'Orange 154']],
  ['raclette : 5 tranches de fromage, 4 petites patates', ['Cheese 105', 'Potato 280']],
  ['suco de abacaxi c hortelã', ['Pineapple juice 240', 'Mint, fresh 3']],
  ['tosti, ice tea blikje', ['Toasted ham and cheese sandwich 110', 'Bottled iced tea 330']],
  ['2 ladles of soup', ['Soup 311']],
  ['2 louches de soupe de légumes', ['Vegetable soup 311']],
  ['2 petits suisses, kiwi', ['Petit-suisse, fresh cream cheese 120', 'Kiwi 75']],
  ['2 crab rangoons', ['Crab rangoon 46']],
  ['I had pizza and a beer', ['Cheese pizza 208', 'Beer 355']],
  ['wagamama chicken katsu', ['Breaded chicken 140']],
])('foods and grams of a list without signs, parts, asides and pieces: %s', (text, items) => {
  const found = parseFoods(text, { finder: catalogue });
  expect(found.map(({ food, basisAmount }) => `${food?.name} ${Math.round(basisAmount!)}`)).toEqual(items);
});

test('a word of time is no inflected food: gisteren', () => {
  expect(read('macaroni (gisteren over), geraspte kaas')).not.toContain('Fresh yeast');
});
