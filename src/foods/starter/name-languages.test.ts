import { languageBit, NAME_LANGUAGES, type NameLanguage } from '@larder/core/name-languages.ts';
import { languageOf } from '@larder/text/language.ts';
import { parseText } from '@larder/text/parse/parse-foods.ts';
import { beforeAll, expect, test } from 'vitest';
import { compileFoods } from '../../../test/support/compiled-foods.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { readStarterFoods } from './starter-foods.ts';

const FOODS = [...readStarterFoods()].filter(
  ({ barcode, brand }) => barcode === undefined && brand === undefined,
);
/** Maximum share of names that also belong to another food, or to none on their own: "curd", "savory". */
const MAX_OTHER_SHARE = 0.02;

/** Maximum share of words whose meaning depends on the language, which a search does not know: "batata". */
const MAX_UNLIKE_SHARE = 0.025;

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

function foodsIn(text: string, code?: NameLanguage): (string | undefined)[] {
  const language = code && languageOf(code);
  return parseText(text, { finder: catalogue, language, context: 'meal' }).items.map(
    ({ food }) => food?.name,
  );
}

/** Singular and plural count as one name, and so do words with and without accents. */
function simple(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/s$/, '');
}

type Words = ReadonlyMap<string, { readonly word: string; readonly foods: ReadonlySet<string> }>;

const WORD = /^[\p{L}\p{M}'’-]+$/u;

/** The names of the table that match, each with the foods that have it in this language. */
function namesOf(code: NameLanguage, pattern: RegExp): Words {
  const words = new Map<string, { word: string; foods: Set<string> }>();
  for (const { name, aliases, nameLanguages = [] } of FOODS) {
    for (const [at, text] of [name, ...aliases].entries()) {
      if ((nameLanguages[at]! & languageBit(code)) === 0 || !pattern.test(text)) continue;
      const known = words.get(simple(text)) ?? { word: text, foods: new Set() };
      known.foods.add(name);
      words.set(simple(text), known);
    }
  }
  return words;
}

/** Names that do not find the foods that have them, or find more than one food. */
function wrongOf(words: Words, code: NameLanguage): string[] {
  const wrong = [...words.values()].filter(({ word, foods }) => {
    const [found, ...others] = foodsIn(word, code);
    return others.length > 0 || found === undefined || !foods.has(found);
  });
  return wrong.map(({ word }) => word);
}

test.each(NAME_LANGUAGES)('a single word in %s is a food with this name in the language', (code) => {
  const words = namesOf(code, WORD);
  expect(words.size).toBeGreaterThan(500);
  expect(wrongOf(words, code).slice(Math.floor(MAX_OTHER_SHARE * words.size))).toEqual([]);
});

test.each(NAME_LANGUAGES)('a name of several words in %s is a food with this name', (code) => {
  const names = namesOf(code, /\s/);
  expect(names.size).toBeGreaterThan(500);
  expect(wrongOf(names, code).slice(Math.floor(MAX_OTHER_SHARE * names.size))).toEqual([]);
});

test.each(NAME_LANGUAGES)(
  'a search for a single word in %s finds the same first food as text reading',
  (code) => {
    const words = [...namesOf(code, WORD).values()];
    const others = words.filter(({ word }) => {
      const [meant] = foodsIn(word, code);
      return meant !== undefined && catalogue.search(word, 1)[0]?.name !== meant;
    });
    expect(others.map(({ word }) => word).slice(Math.floor(MAX_UNLIKE_SHARE * words.length))).toEqual([]);
  },
);

test('a word that two languages use for different foods has the meaning of the text’s language', () => {
  const meanings = NAME_LANGUAGES.map((code) => ({ code, words: namesOf(code, WORD) }));
  const all = new Set(meanings.flatMap(({ words }) => [...words.keys()]));
  const wrong: string[] = [];
  let count = 0;
  for (const key of all) {
    const known = meanings.flatMap(({ code, words }) => {
      const meant = words.get(key);
      return meant === undefined ? [] : [{ code, ...meant }];
    });
    if (known.every(({ foods }) => [...foods].some((food) => known.every((other) => other.foods.has(food)))))
      continue;
    count++;
    for (const { code, word, foods } of known) {
      const [found] = foodsIn(`100 g ${word}`, code);
      if (found === undefined || !foods.has(found)) wrong.push(`${code}: ${word}`);
    }
  }
  expect(count).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
});

test.each([
  ['Schnitzel mit Pommes', ['Wiener schnitzel', 'French fries']],
  ['200 ml di latte', ['Milk']],
  ['due fette di pane e burro', ['Italian bread', 'Butter']],
  ['une pomme et du lait', ['Apple', 'Milk']],
  ['200 ml de leite e uma maçã', ['Milk', 'Apple']],
  ['3 folhas de gelatina', ['Gelatin sheets']],
  ['Saft einer Zitrone', ['Lemon']],
  ['zumo de un limón', ['Lemon juice']],
  ['succo di un limone', ['Lemon juice']],
  ['1 Glas Saft und ein Apfel', ['Mixed fruit juice', 'Apple']],
] as const)('the words of a sentence determine its language: %s', (text, names) => {
  expect(foodsIn(text)).toEqual(names);
});
