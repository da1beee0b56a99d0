import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Catalogue } from '../../../../../src/foods/catalogue/catalogue.ts';
import { readStarterFoods } from '../../../../../src/foods/starter/starter-foods.ts';
import { compileFoods } from '../../../../../test/support/compiled-foods.ts';
import { LANGUAGE_CODES, type LanguageCode, languageOf } from '../../language.ts';
import { parseText } from '../parse-foods.ts';
import type { ParsedItem } from '../parsed-item.ts';

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
/** Words that describe foods, and where they stand; foods with a part of their English names. */
const DESCRIBED: Readonly<
  Record<
    LanguageCode,
    {
      readonly firsts: readonly string[];
      readonly links: readonly string[];
      readonly words: string;
      readonly foods: Readonly<Record<string, RegExp>>;
      readonly follow?: true;
    }
  >
> = {
  en: {
    firsts: ['2 eggs', '1 apple', '200 g rice'],
    links: [', ', ' and ', ' with '],
    words:
      'green white mashed iced steamed small sliced cooked large grilled fried roasted baked boiled raw fresh ripe chopped diced grated melted smoked hot cold warm spicy plain homemade organic frozen',
    foods: { potatoes: /potato/i, carrots: /carrot/i, chicken: /chicken/i, tofu: /tofu/i, salmon: /salmon/i },
  },
  de: {
    firsts: ['2 Eier', '200 g Reis'],
    links: [', ', ' und ', ' mit '],
    words:
      'gekochte gebratene gegrillte gebackene gedünstete rohe frische geräucherte geriebene gehackte warme kalte heiße scharfe kleine große geschnittene tiefgekühlte hausgemachte grüne weiße',
    foods: {
      Kartoffeln: /potato/i,
      Karotten: /carrot/i,
      Hähnchen: /chicken/i,
      Tofu: /tofu/i,
      Lachs: /salmon/i,
    },
  },
  fr: {
    firsts: ['2 œufs', '200 g de riz'],
    links: [', ', ' et ', ' avec '],
    words:
      'cuites grillées rôties crues fraîches fumées râpées hachées chaudes froides épicées bouillies surgelées tranchées maison vapeur',
    foods: { 'pommes de terre': /potato/i, carottes: /carrot/i, poulet: /chicken/i, tofu: /tofu/i },
    follow: true,
  },
  es: {
    firsts: ['2 huevos', '200 g de lentejas'],
    links: [', ', ' y ', ' con '],
    words:
      'cocidas asadas crudas frescas ahumadas ralladas picadas calientes frías picantes hervidas congeladas caseras pequeñas grandes',
    foods: { patatas: /potato/i, zanahorias: /carrot/i, pollo: /chicken/i, tofu: /tofu/i, salmón: /salmon/i },
    follow: true,
  },
  it: {
    firsts: ['2 uova', '200 g di riso'],
    links: [', ', ' e ', ' con '],
    words:
      'cotte arrosto crude fresche affumicate grattugiate tritate calde fredde piccanti bollite surgelate piccole grandi lesse',
    foods: { patate: /potato/i, carote: /carrot/i, pollo: /chicken/i, tofu: /tofu/i, salmone: /salmon/i },
    follow: true,
  },
  pt: {
    firsts: ['2 ovos', '200 g de arroz'],
    links: [', ', ' e ', ' com '],
    words:
      'cozidas assadas cruas frescas defumadas fumadas raladas picadas quentes frias picantes congeladas caseiras pequenas grandes grelhadas',
    foods: { cenouras: /carrot/i, frango: /chicken/i, tofu: /tofu/i, salmão: /salmon/i },
    follow: true,
  },
  nl: {
    firsts: ['2 eieren', '200 g rijst'],
    links: [', ', ' en ', ' met '],
    words:
      'gekookte gebakken gegrilde rauwe verse gerookte geraspte gehakte warme koude pittige kleine grote gesneden ingevroren zelfgemaakte',
    foods: { aardappelen: /potato/i, wortels: /carrot/i, kip: /chicken/i, tofu: /tofu/i, zalm: /salmon/i },
  },
  pl: {
    firsts: ['2 jajka', '200 g ryżu'],
    links: [', ', ' i ', ' z '],
    words:
      'gotowane pieczone smażone grillowane surowe świeże wędzone starte posiekane ciepłe zimne ostre małe duże mrożone',
    foods: {
      ziemniaki: /potato/i,
      marchewki: /carrot/i,
      kurczak: /chicken/i,
      tofu: /tofu/i,
      łosoś: /salmon/i,
    },
  },
};
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

test.each(LANGUAGE_CODES)('%s: a described food after another one is kept', (code) => {
  const lost: string[] = [];
  const { firsts, links, words, foods, follow } = DESCRIBED[code];
  for (const first of firsts) {
    for (const link of links) {
      for (const [food, name] of Object.entries(foods)) {
        for (const word of words.split(' ')) {
          const text = `${first}${link}${follow === true ? `${food} ${word}` : `${word} ${food}`}`;
          const items = read(text, code);
          if (items.length !== 2 || !name.test(items[1]!.food?.name ?? '')) lost.push(text);
        }
      }
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
