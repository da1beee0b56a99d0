import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Catalogue } from '../../../../../src/foods/catalogue/catalogue.ts';
import { readStarterFoods } from '../../../../../src/foods/starter/starter-foods.ts';
import { compileFoods } from '../../../../../test/support/compiled-foods.ts';
import { LANGUAGE_CODES, type LanguageCode, languageOf } from '../../language.ts';
import { type ParsedItem, parseText } from '../parse-foods.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

const RUNS = { numRuns: 60, seed: 45 };
const FOODS: Readonly<Record<LanguageCode, readonly string[]>> = {
  en: ['apple', 'rice', 'banana', 'cheese', 'salmon', 'broccoli'],
  de: ['Apfel', 'Reis', 'Banane', 'Käse', 'Lachs', 'Brokkoli'],
  fr: ['pomme', 'riz', 'banane', 'fromage', 'saumon', 'brocoli'],
  es: ['manzana', 'arroz', 'plátano', 'queso', 'salmón', 'brócoli'],
  it: ['mela', 'riso', 'banana', 'formaggio', 'salmone', 'broccoli'],
  pt: ['maçã', 'arroz', 'banana', 'queijo', 'salmão', 'brócolis'],
  nl: ['appel', 'rijst', 'banaan', 'kaas', 'zalm', 'broccoli'],
  pl: ['jabłko', 'ryż', 'banan', 'ser', 'łosoś', 'brokuły'],
};
const CONNECTORS: Readonly<Record<LanguageCode, readonly string[]>> = {
  en: [' and ', ' with ', ' & ', ', ', ' + ', '; ', ' w/ ', ' plus '],
  de: [' und ', ' mit ', ', ', ' + ', '; '],
  fr: [' et ', ' avec ', ', ', ' + ', '; '],
  es: [' y ', ' con ', ', ', ' + ', '; ', ' c/ '],
  it: [' e ', ' con ', ', ', ' + ', '; '],
  pt: [' e ', ' com ', ', ', ' + ', '; ', ' c/ '],
  nl: [' en ', ' met ', ', ', ' + ', '; '],
  pl: [' i ', ' z ', ', ', ' + ', '; '],
};
const ADJECTIVES =
  'green white mashed iced steamed small sliced cooked large grilled fried roasted baked boiled raw fresh ripe chopped diced grated melted smoked hot cold warm spicy plain homemade organic frozen'.split(
    ' ',
  );
const AMOUNTS = ['', '2 ', '200 g ', '1 '];

/** Ways to write a list. */
const SEPARATORS: readonly ((foods: readonly string[]) => string)[] = [
  (foods) => foods.join(', '),
  (foods) => foods.join('\n'),
  (foods) => foods.join('; '),
  (foods) => foods.join(' • '),
  (foods) => foods.map((food) => `• ${food}`).join('\n'),
  (foods) => foods.map((food) => `- ${food}`).join('\n'),
  (foods) => foods.map((food, at) => `${at + 1}. ${food}`).join('\n'),
  (foods) => foods.map((food, at) => `${at + 1}) ${food}`).join('\n'),
  (foods) => foods.map((food, at) => `${'abcdef'[at]}) ${food}`).join('\n'),
];

function withoutDiacritics(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replace(/ł/g, 'l').replace(/Ł/g, 'L');
}

function read(text: string, code: LanguageCode = 'en'): readonly ParsedItem[] {
  return parseText(text, { finder: catalogue, context: 'meal', language: languageOf(code) }).items;
}

function namesOf(items: readonly ParsedItem[]): string[] {
  return items.map(({ food }) => food?.name ?? '?').sort();
}

const two = (code: LanguageCode) => fc.shuffledSubarray([...FOODS[code]], { minLength: 2, maxLength: 2 });
const amount = fc.constantFrom(...AMOUNTS);

describe.each(LANGUAGE_CODES)('%s', (code) => {
  test('a connector keeps both foods and both amounts', () => {
    fc.assert(
      fc.property(
        two(code),
        fc.constantFrom(...CONNECTORS[code]),
        amount,
        amount,
        ([one, other], link, a, b) => {
          const items = read(`${a}${one}${link}${b}${other}`, code);
          expect(items.map(({ text }) => text)).toEqual([one, other]);
          expect(items.map((item) => item.amount?.quantity ?? '')).toEqual(
            [a, b].map((each) => (each === '' ? '' : Number.parseInt(each, 10))),
          );
        },
      ),
      RUNS,
    );
  });

  test('the order of foods, line breaks, bullets, numbers, capitals and diacritics change nothing', () => {
    const all = FOODS[code];
    const expected = namesOf(all.flatMap((food) => read(food, code)));
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...all], { minLength: all.length }),
        fc.constantFrom(...SEPARATORS),
        fc.constantFrom(
          (text: string) => text,
          (text: string) => text.toUpperCase(),
          (text: string) => text.toLowerCase(),
          withoutDiacritics,
        ),
        (foods, separate, write) => {
          expect(namesOf(read(write(separate(foods)), code))).toEqual(expected);
        },
      ),
      RUNS,
    );
  });

  test('each amount is that of an item', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...FOODS[code]], { minLength: 2 }),
        fc.constantFrom(...SEPARATORS),
        fc.boolean(),
        (foods, separate, isBefore) => {
          const said = foods.map((food, at) =>
            isBefore ? `${10 * at + 20} g ${food}` : `${food} ${10 * at + 20} g`,
          );
          const items = read(separate(said), code);
          expect(items.map((item) => item.amount?.quantity)).toEqual(foods.map((_, at) => 10 * at + 20));
          expect(items.map(({ basisAmount }) => basisAmount)).toEqual(foods.map((_, at) => 10 * at + 20));
        },
      ),
      RUNS,
    );
  });

  test('a text that is written twice has twice the items', () => {
    fc.assert(
      fc.property(two(code), amount, amount, ([one, other], a, b) => {
        const text = `${a}${one}, ${b}${other}`;
        const once = namesOf(read(text, code));
        expect(namesOf(read(`${text}, ${text}`, code))).toEqual([...once, ...once].sort());
      }),
      RUNS,
    );
  });

  test('an unknown word is no food, and takes none away', () => {
    fc.assert(
      fc.property(two(code), fc.constantFrom('xqzvw', 'brumfelk', 'zzyxt'), ([one, other], unknown) => {
        const items = read(`${one}, ${unknown}, ${other}`, code);
        expect(items.map(({ text, food }) => [text, food !== undefined])).toEqual([
          [one, true],
          [unknown, false],
          [other, true],
        ]);
      }),
      RUNS,
    );
  });
});

test.each(['2 eggs', '1 apple', '200 g rice'])('a described food after "%s" is kept', (first) => {
  const lost: string[] = [];
  for (const adjective of ADJECTIVES) {
    for (const link of [', ', ' and ', ' with ']) {
      const text = `${first}${link}${adjective} potatoes`;
      const items = read(text);
      if (items.length !== 2 || !/potato/i.test(items[1]!.food?.name ?? '')) lost.push(text);
    }
  }
  expect(lost).toEqual([]);
});

test.each([
  ['latte w oat milk', 'latte'],
  ['tea w/o sugar', 'tea'],
  ['coffee without sugar', 'coffee'],
  ['café s/ azúcar', 'café'],
])('%s', (text, food) => {
  const items = read(text);
  expect(items[0]?.text).toContain(food);
  expect(items.some(({ food: found }) => /^Sugar/.test(found?.name ?? ''))).toBe(false);
});
