import { existsSync, readFileSync } from 'node:fs';
import type { Food } from '@larder/core/food.ts';
import { FOOD_LANGUAGES } from '@larder/core/food-languages.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { compileFoods } from '../../../test/support/compiled-foods.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { NAME_COLUMNS, NAME_SOURCES, namesTable, readStarterFoods } from './starter-foods.ts';
import { ALIAS_LANGUAGES, LIST_SEPARATOR, readTable } from './starter-table.ts';

const FOODS = new Map([...readStarterFoods()].map((food) => [food.id as string, food]));
const TABLES = FOOD_LANGUAGES.filter((code) => existsSync(namesTable(code)));

describe.each(TABLES)('the table of names in %s', (code) => {
  const rows = readTable(namesTable(code), NAME_COLUMNS);

  test('is sorted by food and source, and names known foods and sources', () => {
    const keys = rows.map(({ values }) => `${values.key}\t${values.source}`);
    expect(keys).toEqual([...new Set(keys)].toSorted());
    expect(rows.filter(({ values }) => !FOODS.has(`starter:${values.key}`))).toEqual([]);
    expect(rows.filter(({ values }) => !NAME_SOURCES.some((known) => known === values.source))).toEqual([]);
  });

  test('has clean names, each once for a food', () => {
    const ofFood = Map.groupBy(rows, ({ values }) => values.key);
    for (const [key, some] of ofFood) {
      const names = some.flatMap(({ values }) => values.names.split(LIST_SEPARATOR));
      const folded = names.map((name) => name.toLowerCase());
      expect(folded, key).toEqual([...new Set(folded)]);
      expect(
        names.filter((name) => name !== name.trim() || !/[\p{L}\p{N}]/u.test(name)),
        key,
      ).toEqual([]);
    }
  });

  test('begins the name that is shown with a capital', () => {
    const shown = [...Map.groupBy(rows, ({ values }) => values.key).values()].map(([first]) => first!);
    expect(shown.filter(({ values }) => /^\p{Ll}/u.test(values.names))).toEqual([]);
  });

  test('tells its licence', () => {
    expect(readFileSync(namesTable(code), 'utf8')).toContain('Open Database License');
  });
});

const GENERIC = [...FOODS.values()].filter(({ gtin }) => gtin === undefined);

test.each(ALIAS_LANGUAGES)('every food has a name in %s', (code) => {
  expect(GENERIC.filter(({ localNames }) => localNames?.[code] === undefined)).toEqual([]);
});

test.each(TABLES)('no two foods of a brand show the same name in %s', (code) => {
  const named = GENERIC.filter(({ localNames }) => localNames?.[code] !== undefined);
  const shown = ({ localNames, brand }: Food) => `${localNames![code]![0]!.toLowerCase()} ${brand}`;
  const doubled = [...Map.groupBy(named, shown).values()].filter(({ length }) => length > 1);
  expect(doubled.map((foods) => foods.map(({ id }) => id))).toEqual([]);
});

describe('a search for shipped foods', () => {
  let catalogue: Catalogue;
  beforeAll(async () => {
    ({ catalogue } = await compileFoods([[...FOODS.values()]]));
  });

  test.each([
    ['pl', 'masło', 'Butter'],
    ['sv', 'sill', 'Herring'],
    ['cs', 'pivo', 'Beer'],
    ['ar', 'خُبْز عَرَبي', 'Pita bread'],
    ['he', 'בָּצָל', 'Onion'],
    ['ja', 'タマゴ', 'Egg'],
    ['zh', '西红柿', 'Tomato'],
    ['ko', '김치', 'Kimchi'],
    ['tr', 'ekmek', 'White bread'],
    ['hi', 'चावल', 'Rice'],
    ['hi-Latn', 'doodh', 'Milk'],
  ] as const)('in %s for "%s" finds %s, with the language named and without', (code, query, name) => {
    expect(catalogue.search(query, 5, { languages: [code] })[0]?.name).toBe(name);
    expect(catalogue.search(query, 5)[0]?.name).toBe(name);
  });

  test.each([
    ['zh', '羊肉饺子', 'Dumplings with meat, boiled'],
    ['ja', 'カレー味の焼きそば', 'Yakisoba'],
  ] as const)('in %s for "%s" finds the kind of food that its last word names: %s', (code, query, name) => {
    expect(catalogue.search(query, 5, { languages: [code] })[0]?.name).toBe(name);
  });

  test.each([
    ['hu', 'langost', 'a Spanish name of lobster'],
    ['ja', '耳肉水', 'letters that no name has together'],
  ] as const)('in %s does not take "%s" for %s', (code, query, _what) => {
    const found = catalogue.search(query, 5, { languages: [code] });
    expect(found.map(({ name }) => name)).not.toContain('Lobster');
    if (code === 'ja') expect(found).toEqual([]);
  });

  test('shows the first name of the first language that has one', () => {
    const [butter] = catalogue.search('butter', 1);
    expect(catalogue.inLanguages(butter!, ['pl', 'de'])).toMatchObject({ name: 'Masło', language: 'pl' });
    expect(catalogue.inLanguages(butter!, ['en', 'pl'])).toMatchObject({ name: 'Butter', language: 'en' });
    expect(catalogue.inLanguages(butter!, [])).toBe(butter);
  });

  test('gives the beginning of a longer list as a shorter one', () => {
    for (const [code, query] of [
      ['sv', 'kaka'],
      ['zh', '鸡'],
      ['de', 'brot'],
      ['tr', 'peynir'],
    ] as const) {
      const all = catalogue.search(query, 20, { languages: [code] });
      expect(catalogue.search(query, 5, { languages: [code] })).toEqual(all.slice(0, 5));
    }
  });
});
