import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Food } from '@larder/core/food.ts';
import { FOOD_LANGUAGES, type FoodLanguage, foodLanguageOf } from '@larder/core/food-languages.ts';
import { languageBit } from '@larder/core/name-languages.ts';
import { singularOf } from '@larder/core/words/singular.ts';
import { tokenise } from '@larder/core/words/tokenise.ts';
import { NAME_COLUMNS, namesTable, readStarterFoods } from '../../src/foods/starter/starter-foods.ts';
import { LIST_SEPARATOR, readTable } from '../../src/foods/starter/starter-table.ts';

/** The taxonomies of Open Food Facts that name foods, as tables of id, parents, properties, language and names. */
const TAXONOMIES = ['categories', 'ingredients'];
/** Languages in which a second name proves that an entry and a food are the same. */
const WITNESSES = ['de', 'fr', 'es', 'it', 'pt', 'nl', 'pl'] as const;
/** Most names taken from one entry in one language: the first are the usual ones. */
const MAX_NAMES = 2;
const MAX_WORDS = 8;
/** Names that state how a food is sold or made differ from those that people say. */
const NO_NAME = /[()[\]/;:%*+]|\d|,/;

type Entry = ReadonlyMap<FoodLanguage, readonly string[]>;

/**
 * Adds names of the taxonomies of Open Food Facts to the tables of names, as rows of source `off`. An entry is a food's
 * if one of its English names is the food's and a name in another language is, too. Returns the number of names.
 */
export function fillTaxonomyNames(folder: string): number {
  const generic = [...readStarterFoods()].filter(({ barcode }) => barcode === undefined);
  const names = new Map(generic.map((food) => [food, namesOf(food)]));
  const byEnglish = new Map<string, Food[]>();
  for (const food of generic.toSorted((a, b) => b.popularity - a.popularity)) {
    for (const name of names.get(food)!.en ?? []) byEnglish.set(name, [...(byEnglish.get(name) ?? []), food]);
  }
  const found = new Map<Food, Map<FoodLanguage, Set<string>>>();
  for (const entry of TAXONOMIES.flatMap((name) => readEntries(join(folder, `${name}.tsv.gz`)))) {
    const food = foodOf(entry, byEnglish, names);
    if (food === undefined) continue;
    const ofFood = found.get(food) ?? new Map<FoodLanguage, Set<string>>();
    found.set(food, ofFood);
    for (const [code, texts] of entry) {
      if (code === 'en') continue;
      const some = ofFood.get(code) ?? new Set<string>();
      ofFood.set(code, some);
      const usable = texts.filter(
        (text) => !NO_NAME.test(text) && wordCount(text) > 0 && wordCount(text) <= MAX_WORDS,
      );
      for (const text of usable.slice(0, MAX_NAMES)) some.add(text.trim());
    }
  }
  return FOOD_LANGUAGES.reduce((sum, code) => sum + (code === 'en' ? 0 : writeTable(code, found)), 0);
}

/** The most popular food that the entry names in English and in another language. */
function foodOf(
  entry: Entry,
  byEnglish: ReadonlyMap<string, readonly Food[]>,
  names: ReadonlyMap<Food, ReturnType<typeof namesOf>>,
): Food | undefined {
  const foods = (entry.get('en') ?? []).flatMap((name) => byEnglish.get(formOf(name)) ?? []);
  return foods.find((food) =>
    WITNESSES.some((code) => {
      const own = names.get(food)![code];
      return (entry.get(code) ?? []).some((name) => own?.has(formOf(name)));
    }),
  );
}

function namesOf(food: Food): Readonly<Partial<Record<FoodLanguage, ReadonlySet<string>>>> {
  const { name, aliases, nameLanguages = [], localNames = {} } = food;
  return Object.fromEntries(
    (['en', ...WITNESSES] as const).map((code) => {
      const stated = [name, ...aliases].filter((_, at) => (nameLanguages[at]! & languageBit(code)) !== 0);
      return [code, new Set([...stated, ...(localNames[code] ?? [])].map(formOf))];
    }),
  );
}

/** Words without accents, each without an s at its end: "Bananas" and "banana" are one name. */
function formOf(name: string): string {
  return tokenise(name, MAX_WORDS + 1)
    .map(singularOf)
    .join(' ');
}

function wordCount(name: string): number {
  return tokenise(name, MAX_WORDS + 1).length;
}

function readEntries(file: string): Entry[] {
  const entries = new Map<string, Map<FoodLanguage, string[]>>();
  const [, ...lines] = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n');
  for (const line of lines) {
    const [id = '', , , tag = '', texts = ''] = line.split('\t');
    const code = foodLanguageOf(tag);
    if (code === undefined) continue;
    const entry = entries.get(id) ?? new Map<FoodLanguage, string[]>();
    entries.set(id, entry);
    entry.set(code, [...(entry.get(code) ?? []), ...texts.split('|')]);
  }
  return [...entries.values()];
}

function capitalised(text: string, code: FoodLanguage): string {
  const [initial = '', ...rest] = text;
  return initial.toLocaleUpperCase(code) + rest.join('');
}

/** Replaces the rows of source `off`; names that a food has by other rows are left out, also those of another food. */
function writeTable(
  code: FoodLanguage,
  found: ReadonlyMap<Food, ReadonlyMap<FoodLanguage, ReadonlySet<string>>>,
): number {
  const table = namesTable(code);
  if (!existsSync(table)) return 0;
  const own = readTable(table, NAME_COLUMNS).filter(({ values }) => values.source !== 'off');
  const taken = new Set(own.flatMap(({ values }) => values.names.split(LIST_SEPARATOR).map(formOf)));
  const rows = own.map(({ values }) => [values.key, values.source, values.names]);
  let count = 0;
  for (const [food, languages] of found) {
    const key = food.id.slice(food.id.indexOf(':') + 1);
    const seen = new Set(taken);
    const texts = [...(languages.get(code) ?? [])].filter(
      (text) => !seen.has(formOf(text)) && seen.add(formOf(text)),
    );
    const [first, ...others] = texts;
    if (first !== undefined)
      rows.push([key, 'off', [capitalised(first, code), ...others].join(LIST_SEPARATOR)]);
    count += texts.length;
  }
  const comments = readFileSync(table, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('#'));
  const body = rows.map((row) => row.join('\t')).toSorted();
  writeFileSync(table, `${[...comments, NAME_COLUMNS.join('\t'), ...body].join('\n')}\n`);
  return count;
}
