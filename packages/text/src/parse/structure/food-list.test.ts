import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Catalogue } from '../../../../../src/foods/catalogue/catalogue.ts';
import { readStarterFoods } from '../../../../../src/foods/starter/starter-foods.ts';
import { compileFoods } from '../../../../../test/support/compiled-foods.ts';
import { parseFoods } from '../parse-foods.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

/** Returns the words of each food with its amount; a question mark if no food is found. */
function read(text: string): string[] {
  return parseFoods(text, { finder: catalogue }).map(({ text: words, amount, food }) =>
    [amount?.quantity, amount?.unit, food === undefined ? `${words}?` : words]
      .filter((part) => part !== undefined)
      .join(' '),
  );
}

describe('each food of a list keeps its amount', () => {
  test.each([
    ['salmon 100g, rice 200g', ['100 g salmon', '200 g rice']],
    ['200g rice, chicken 150g', ['200 g rice', '150 g chicken']],
    ['yogurt with 30 g granola', ['yogurt', '30 g granola']],
    ['toast and 2 eggs', ['toast', '2 eggs']],
    ['soup and 2 rolls', ['soup', '2 rolls']],
    ['coffee, 2 eggs, 30 g cheese', ['coffee', '2 eggs', '30 g cheese']],
    ['egg x2, toast x2', ['2 egg', '2 toast']],
    ['eggs 2, bacon 3 slices', ['2 eggs', '3 slice bacon']],
    ['chicken 150g rice 200g', ['150 g chicken', '200 g rice']],
    ['150g chicken 200g rice', ['150 g chicken', '200 g rice']],
    ['coffee 2 sugars', ['coffee', '2 sugars']],
    ['rice (200 g), chicken (150 g)', ['200 g rice', '150 g chicken']],
    ['rice 200 g + 100 g chicken', ['200 g rice', '100 g chicken']],
    ['rice 200 g / 100 g chicken / honey', ['200 g rice', '100 g chicken', 'honey']],
    ['50 g of milk, coffee', ['50 g milk', 'coffee']],
    ['bowl of cereal with milk', ['1 bowl cereal', 'milk']],
    ['mcdonalds big mac and large fries', ['mcdonalds big mac', 'large fries']],
    ['2 eggs, 200 g xqzvw', ['2 eggs', '200 g xqzvw?']],
    ['Salad: 100 g tomatoes, 50 g feta', ['100 g tomatoes', '50 g feta']],
    ['Haferflocken mit 200 ml Milch', ['Haferflocken', '200 ml Milch']],
    ['Reis 200 g, Lachs 100 g', ['200 g Reis', '100 g Lachs']],
    ['café con 2 cucharaditas de azúcar', ['café', '2 tsp azúcar']],
    ['I had yogurt with 30 g granola', ['yogurt', '30 g granola']],
    ['for lunch salmon 100g, rice 200g', ['100 g salmon', '200 g rice']],
    ['ich hatte Haferflocken mit 200 ml Milch', ['Haferflocken', '200 ml Milch']],
    ['du riz 200 g, 2 œufs', ['200 g riz', '2 œufs']],
    ['200 g salmon with potatoes and spinach', ['200 g salmon', 'potatoes', 'spinach']],
    ['200 g Lachs mit Kartoffeln', ['200 g Lachs', 'Kartoffeln']],
    ['For lunch I had 200 g salmon with potatoes', ['200 g salmon', 'potatoes']],
    ['20 g butter on 2 slices of bread', ['20 g butter', '2 slice bread']],
    ['curry over 100 g rice', ['curry', '100 g rice']],
    ['30 g de beurre sur 2 tranches de pain', ['30 g beurre', '2 slice pain']],
    ['oatmeal (50g oats, 200ml milk)', ['50 g oats', '200 ml milk']],
    ['Müsli (50 g Haferflocken, 150 g Joghurt), Kaffee', ['50 g Haferflocken', '150 g Joghurt', 'Kaffee']],
    ['2 eggs (100 g), toast', ['100 g eggs', 'toast']],
    ['cheese and crackers', ['cheese', 'crackers']],
    ['milk and cookies', ['milk', 'cookies']],
    ['chicken rice broccoli', ['chicken', 'rice', 'broccoli']],
    ['Reis Huhn Brokkoli', ['Reis', 'Huhn', 'Brokkoli']],
    ['bowl of soup 300g', ['300 g soup']],
    ['2 Scheiben Brot 80 g, 1 Ei', ['80 g Brot', '1 Ei']],
    ['lasagne 350g & side of coleslaw 80g', ['350 g lasagne', '80 g coleslaw']],
  ])('%s', (text, items) => {
    expect(read(text)).toEqual(items);
  });
});

describe('the rest of a recipe line is not another food', () => {
  test.each([
    ['Egg wash: 1 egg yolk mixed with 1 tablespoon water', ['1 egg yolk']],
    ['2 cups milk or 1 cup cream', ['2 cup milk']],
    ['50 g butter, plus 1 tbsp for the pan', ['50 g butter']],
    ['1 tomato, wiped with a damp towel, soaked for 30 minutes in hot water', ['1 tomato']],
    ['250 g salmon fillet (haddock), skinned', ['250 g salmon fillet']],
    ['1 apple, seeds removed', ['1 apple']],
    ['2 tbsp olive, canola, or grapeseed oil', ['2 tbsp olive canola or grapeseed oil']],
    ['strawberries, raspberries, and/or blueberries', ['strawberries']],
    ['1 cup cheese, such as cheddar, brie and feta', ['1 cup cheese']],
    ['100 g Gemüse, z. B. Karotten, Brokkoli', ['100 g Gemüse']],
    ['100 g almonds, toasted and ground', ['100 g almonds']],
    [
      '4 chicken breasts (about 1½ pounds each), skin removed, cut in half (see Notes)',
      ['4 chicken breasts'],
    ],
    ['1 (15-ounce) can tomatoes in juice', ['1 can tomatoes in juice']],
    ['Leaves from 2 sprigs thyme', ['2 sprig thyme']],
    ['2 onions (about 200 g), finely chopped', ['2 onions']],
    ['ham and cheese sandwich', ['ham and cheese sandwich']],
    ['mac and cheese', ['mac and cheese']],
    ['chicken noodle soup', ['chicken noodle soup']],
    ['5 tbsp mango lime salsa', ['5 tbsp mango lime salsa?']],
    ['6 quails’ eggs', ['6 quails’ eggs']],
    ['2 large, boneless, skinless chicken breasts', ['2 boneless skinless chicken breasts']],
    ['8 ounces red and yellow tomatoes, finely chopped', ['8 oz red and yellow tomatoes']],
    ['1 tsp kosher (coarse) salt', ['1 tsp kosher salt']],
    ['150 ml almond liqueur, such as amaretto', ['150 ml almond liqueur']],
    ['12 raw king prawns, shells and heads removed', ['12 raw king prawns']],
    ['1 egg, beaten with a little water', ['1 egg']],
    ['1 tbsp fresh, chopped basil or 1 tsp dried basil', ['1 tbsp fresh basil']],
    ['2 hamburger buns, split in half', ['2 hamburger buns']],
    ['1 bunch parsley, chopped to give ½ cup', ['1 bunch parsley']],
    ['400 g tin tomatoes with garlic', ['400 g tomatoes with garlic']],
    ['1 onion, 2 cups chopped', ['1 onion']],
    ['1 egg, beaten with 1 tbsp water', ['1 egg']],
  ])('%s', (text, items) => {
    expect(read(text)).toEqual(items);
  });
});

test.each([
  ['burger no bun', 'Hamburger'],
  ['coffee no sugar', 'Coffee, black'],
  ['Kaffee ohne Zucker', 'Coffee, black'],
  ['2 eggs no salt', 'Egg'],
])('an exclusion does not prevent a food from being found: %s', (text, name) => {
  expect(parseFoods(text, { finder: catalogue }).map(({ food }) => food?.name)).toEqual([name]);
});

test.each([
  '2 tomatoes, each cut into 8 slices',
  '2 Tomaten, in Scheiben geschnitten',
  '2 tomates, coupées en tranches',
])('the pieces that a food is cut into weigh nothing: %s', (text) => {
  const [item] = parseFoods(text, { finder: catalogue });
  expect([item?.food?.name, item?.basisAmount]).toEqual(['Tomato', 246]);
});

interface Speech {
  /** Words that describe a food, before or after its name. */
  readonly kinds: readonly string[];
  readonly kindsFollow: boolean;
  readonly foods: readonly string[];
  readonly and: readonly string[];
  readonly units: Readonly<Record<string, string>>;
  readonly of: string;
}

const SPEECHES: Readonly<Record<string, Speech>> = {
  en: {
    kinds: ['grated', 'leftover', 'homemade', 'hot', 'fresh', 'boiled', 'small'],
    kindsFollow: false,
    foods: [
      'rice',
      'chicken',
      'banana',
      'toast',
      'yogurt',
      'granola',
      'milk',
      'ham',
      'peanut butter',
      'olive oil',
    ],
    and: ['and', 'with', 'plus'],
    units: { cup: 'cups', slice: 'slices', tbsp: 'tbsp' },
    of: 'of ',
  },
  de: {
    kinds: ['geriebene', 'frische', 'kleine', 'kalte', 'gekochte'],
    kindsFollow: false,
    foods: [
      'Reis',
      'Lachs',
      'Haferflocken',
      'Milch',
      'Brot',
      'Butter',
      'Käse',
      'Banane',
      'Kartoffeln',
      'Olivenöl',
    ],
    and: ['und', 'mit'],
    units: { cup: 'Tassen', slice: 'Scheiben', tbsp: 'EL' },
    of: '',
  },
  fr: {
    kinds: ['râpé', 'maison', 'cuit', 'bio', 'froid'],
    kindsFollow: true,
    foods: [
      'riz',
      'saumon',
      'lait',
      'pain',
      'beurre',
      'fromage',
      'banane',
      'poulet',
      'pommes de terre',
      'miel',
    ],
    and: ['et', 'avec'],
    units: { cup: 'tasses', slice: 'tranches', tbsp: 'cuillères à soupe' },
    of: 'de ',
  },
  es: {
    kinds: ['rallado', 'casero', 'cocido', 'frío'],
    kindsFollow: true,
    foods: ['arroz', 'salmón', 'leche', 'pan', 'mantequilla', 'queso', 'plátano', 'pollo', 'manzana', 'miel'],
    and: ['y', 'con'],
    units: { cup: 'tazas', slice: 'rebanadas', tbsp: 'cucharadas' },
    of: 'de ',
  },
  it: {
    kinds: ['grattugiato', 'fatto in casa', 'cotto', 'freddo'],
    kindsFollow: true,
    foods: ['riso', 'salmone', 'latte', 'pane', 'burro', 'formaggio', 'banana', 'pollo', 'patate', 'miele'],
    and: ['e', 'con'],
    units: { cup: 'tazze', slice: 'fette', tbsp: 'cucchiai' },
    of: 'di ',
  },
  pt: {
    kinds: ['ralado', 'caseiro', 'cozido', 'frio'],
    kindsFollow: true,
    foods: ['arroz', 'salmão', 'leite', 'pão', 'manteiga', 'queijo', 'banana', 'frango', 'batatas', 'mel'],
    and: ['e', 'com'],
    units: { cup: 'xícaras', slice: 'fatias', tbsp: 'colheres de sopa' },
    of: 'de ',
  },
};

interface Entry {
  readonly text: string;
  readonly expected: string;
}

/** A food with its amount as people write it; at least one food of a list has an amount. */
function entryOf({ units, of }: Speech, food: string, order: 'before' | 'after'): fc.Arbitrary<Entry> {
  const weight = fc.constantFrom(30, 100, 150);
  const entry = (text: string, quantity: number, unit = '') => ({
    text,
    expected: `${quantity} ${unit}${unit === '' ? '' : ' '}${food}`,
  });
  const inUnits = Object.entries(units).map(([unit, word]) =>
    fc
      .constantFrom(2, 3)
      .map((count) =>
        entry(order === 'before' ? `${count} ${word} ${of}${food}` : `${food} ${count} ${word}`, count, unit),
      ),
  );
  return order === 'before'
    ? fc.oneof(
        weight.map((grams) => entry(`${grams} g ${of}${food}`, grams, 'g')),
        weight.map((grams) => entry(`${grams}g ${food}`, grams, 'g')),
        weight.map((ml) => entry(`${ml}ml ${food}`, ml, 'ml')),
        fc.constantFrom(2, 3).map((count) => entry(`${count} ${food}`, count)),
        fc.constantFrom(2, 3).map((count) => entry(`${count}x ${food}`, count)),
        ...inUnits,
      )
    : fc.oneof(
        weight.map((grams) => entry(`${food} ${grams} g`, grams, 'g')),
        weight.map((grams) => entry(`${food} ${grams}g`, grams, 'g')),
        weight.map((grams) => entry(`${food}: ${grams}g`, grams, 'g')),
        weight.map((ml) => entry(`${food} ${ml} ml`, ml, 'ml')),
        fc.constantFrom(2, 3).map((count) => entry(`${food} x${count}`, count)),
        ...inUnits,
      );
}

const SEPARATORS = [', ', '; ', ' + ', ' & ', ' / ', ' - ', ' • ', ' '];

/** Lists of two or three foods, with their amounts before or after all of them. */
function listIn(speech: Speech) {
  const separators = [...SEPARATORS, ...speech.and.map((word) => ` ${word} `)];
  const foods = fc.uniqueArray(fc.constantFrom(...speech.foods), { minLength: 2, maxLength: 3 });
  return fc
    .tuple(foods, fc.constantFrom('before' as const, 'after' as const), fc.constantFrom(...separators))
    .chain(([names, order, separator]) =>
      fc.tuple(...names.map((name) => entryOf(speech, name, order))).map((entries) => ({
        text: entries.map(({ text }) => text).join(separator),
        expected: entries.map(({ expected }) => expected),
      })),
    );
}

test.each(Object.entries(SPEECHES))('a list of n foods has n items with their amounts: %s', (_, speech) => {
  fc.assert(
    fc.property(listIn(speech), ({ text, expected }) => {
      expect(read(text), text).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});

test.each(Object.entries(SPEECHES))('a food before a counted one is kept: %s', (_, speech) => {
  const [bare, ...others] = speech.foods;
  const separators = [', ', '; ', ' + ', ' & ', ...speech.and.map((word) => ` ${word} `)];
  fc.assert(
    fc.property(
      fc.constantFrom(...others).chain((food) => entryOf(speech, food, 'before')),
      fc.constantFrom(...separators),
      ({ text, expected }, separator) => {
        expect(read(`${bare}${separator}${text}`)).toEqual([bare, expected]);
        if (separator.length === 2) expect(read(`${text}${separator}${bare}`)).toEqual([expected, bare]);
      },
    ),
    { numRuns: 60 },
  );
});

test.each(Object.entries(SPEECHES))('foods with descriptions in a list are kept: %s', (_, speech) => {
  const { foods, kinds, kindsFollow, and, of } = speech;
  const described = fc
    .tuple(fc.constantFrom(...foods), fc.constantFrom(...kinds), fc.constantFrom(30, 100))
    .map(([food, kind, grams]) => ({
      text: `${grams} g ${of}${kindsFollow ? `${food} ${kind}` : `${kind} ${food}`}`,
      grams,
    }));
  const separators = [', ', '; ', ' + ', ...and.map((word) => ` ${word} `)];
  fc.assert(
    fc.property(described, described, fc.constantFrom(...separators), (first, second, separator) => {
      const text = `${first.text}${separator}${second.text}`;
      const amounts = parseFoods(text, { finder: catalogue }).map(({ amount }) => amount?.quantity);
      expect(amounts, text).toEqual([first.grams, second.grams]);
    }),
    { numRuns: 150 },
  );
});
