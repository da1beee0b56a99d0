import { fileURLToPath } from 'node:url';
import type { Food } from '@larder/core/food.ts';
import { singularOf } from '@larder/core/words/singular.ts';
import { tokenise } from '@larder/core/words/tokenise.ts';
import { readText } from '@larder/text/parse/read-text.ts';
import type { Catalogue } from '../../src/foods/catalogue/catalogue.ts';
import { readWordVectors } from '../../src/foods/compile/read-word-vectors.ts';
import { readStarterFoods } from '../../src/foods/starter/starter-foods.ts';
import {
  GENERIC_TABLE,
  LIST_SEPARATOR,
  numberIn,
  readTable,
  STARTER_COLUMNS,
} from '../../src/foods/starter/starter-table.ts';
import { compileFoods } from '../../test/support/compiled-foods.ts';

const WORD_VECTORS = fileURLToPath(new URL('../../models/food-words', import.meta.url));
const NOISE_QUERIES = new URL('noise-queries.tsv', import.meta.url);
const EXCLUSION_QUERIES = new URL('exclusion-queries.tsv', import.meta.url);
/** Number of first answers that are judged. */
const JUDGED = 5;
/** Minimum of the column `everyday` for names that must agree with text reading. */
const EVERYDAY = 4;
const MAX_WORDS = 48;

/** Searches the shipped foods as a new installation does, and prints unacceptable answers. */
export async function searchShippedFoods(misses: number): Promise<void> {
  const words = readWordVectors(WORD_VECTORS);
  const { catalogue } = await compileFoods([[...readStarterFoods()]], [], words);
  measureNoise(catalogue, misses);
  measureExclusions(catalogue, misses);
  await measureAgreement(catalogue, misses);
}

/** Every second query is held out: its misses are not printed, so that nobody tunes for them. */
function measureNoise(catalogue: Catalogue, misses: number): void {
  const rows = readTable(NOISE_QUERIES, ['language', 'query', 'any']).map(({ values, line }) => {
    const found = catalogue.search(values.query, JUDGED);
    const wrong = found.filter((food) => !hasOne(food, values.any));
    return { ...values, found, wrong, isHeldOut: line % 2 === 1 };
  });
  console.log('\nforeign foods among the first five, of the foods that ship');
  const groups = [
    ...Map.groupBy(rows, ({ language }) => language),
    ['shown', rows.filter(({ isHeldOut }) => !isHeldOut)],
    ['held out', rows.filter(({ isHeldOut }) => isHeldOut)],
    ['all', rows],
  ] as const;
  for (const [name, some] of groups) {
    const share = (has: (row: (typeof rows)[number]) => boolean) =>
      (some.filter(has).length / some.length).toFixed(3);
    console.log(
      `${name.padEnd(10)}${String(some.length).padStart(4)} queries  ` +
        `a wrong food in five ${share(({ wrong }) => wrong.length > 0)}  ` +
        `first wrong ${share(({ found, wrong }) => found.length > 0 && found[0] === wrong[0])}  ` +
        `first right ${share(({ found, wrong }) => found.length > 0 && found[0] !== wrong[0])}  ` +
        `nothing ${share(({ found }) => found.length === 0)}`,
    );
  }
  const shown = rows.filter(({ wrong, isHeldOut }) => wrong.length > 0 && !isHeldOut);
  for (const { language, query, found, wrong } of shown.slice(0, misses)) {
    const names = found.map((food) => (wrong.includes(food) ? `*${food.name}` : food.name));
    console.log(`   ${language} "${query}" → ${names.join(' | ')}`);
  }
}

function measureExclusions(catalogue: Catalogue, misses: number): void {
  const rows = readTable(EXCLUSION_QUERIES, ['language', 'query', 'any', 'none']).map(({ values }) => {
    const [first] = catalogue.search(values.query, JUDGED);
    const isRight =
      first !== undefined && hasOne(first, values.any) && (!hasName(first, values.none) || isWithout(first));
    return { ...values, first, isRight };
  });
  const right = rows.filter(({ isRight }) => isRight).length;
  console.log(`\nwithout something: first right ${(right / rows.length).toFixed(3)} of ${rows.length}`);
  for (const { query, first } of rows.filter(({ isRight }) => !isRight).slice(0, misses))
    console.log(`   "${query}" → ${first?.name ?? 'nothing'}`);
}

/** Whether the first search result for a bare name is the food that text reading chooses. */
async function measureAgreement(catalogue: Catalogue, misses: number): Promise<void> {
  const names = new Set<string>();
  for (const row of readTable(GENERIC_TABLE, STARTER_COLUMNS)) {
    if ((numberIn(row, 'everyday') ?? 0) < EVERYDAY) continue;
    for (const name of [row.values.name, ...row.values.aliases.split(LIST_SEPARATOR)])
      if (/^[\p{L} '’-]{2,}$/u.test(name)) names.add(name);
  }
  const differing: string[] = [];
  for (const name of names) {
    const { items } = await readText(name, { finder: catalogue, language: undefined });
    const [first] = catalogue.search(name, JUDGED);
    const chosen = items.length === 1 ? items[0]!.food : undefined;
    if (first === undefined || chosen?.id !== first.id)
      differing.push(
        `   "${name}" → ${first?.name ?? 'nothing'}, as a text ${items.map(({ food }) => food?.name ?? 'nothing').join(' + ')}`,
      );
  }
  const share = (1 - differing.length / names.size).toFixed(3);
  console.log(`\na bare name, searched and as a text: the same food ${share} of ${names.size}`);
  for (const line of differing.slice(0, misses)) console.log(line);
}

/** Whether the name or an alias has one of the words, in singular or plural. */
function hasOne({ name, brand = '', aliases }: Food, words: string): boolean {
  return hasWord([name, brand, ...aliases], words);
}

function hasName({ name }: Food, words: string): boolean {
  return hasWord([name], words);
}

function isWithout({ name }: Food): boolean {
  return /without|free|\bno\b|unsweetened|skinless/i.test(name);
}

function hasWord(texts: readonly string[], words: string): boolean {
  const wanted = new Set(words.split(' ').map(singularOf));
  return texts.some((text) =>
    tokenise(text, MAX_WORDS).some((word) => wanted.has(word) || wanted.has(singularOf(word))),
  );
}
