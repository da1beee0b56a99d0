/**
 * Measures whether everyday names in many languages find the food that is meant.
 *
 *     npm run bench -- names [FILE] [--misses 20] [--without-lang]
 *
 * FILE has the columns language, query, any, none, kcal100_low, kcal100_high, shown; without one it is
 * ../shared/data/names/everyday.tsv. `any` and `none` are words of the food's English name ("bread+whole" stands for
 * both words), the next two its energy per 100 g or ml, `shown` the names that may be displayed. The queries are
 * split by a hash: misses of one half only are printed, so that nobody tunes for the other.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Food } from '@larder/core/food.ts';
import { foodLanguagesOf } from '@larder/core/food-languages.ts';
import { singularOf } from '@larder/core/words/singular.ts';
import { fold, tokenise } from '@larder/core/words/tokenise.ts';
import { readWordVectors } from '../src/foods/compile/read-word-vectors.ts';
import { readStarterFoods } from '../src/foods/starter/starter-foods.ts';
import { compileFoods } from '../test/support/compiled-foods.ts';

const EVERYDAY_NAMES = fileURLToPath(new URL('../../shared/data/names/everyday.tsv', import.meta.url));
const WORD_VECTORS = fileURLToPath(new URL('../models/food-words', import.meta.url));
const MAX_WORDS = 48;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { misses: { type: 'string', default: '0' }, 'without-lang': { type: 'boolean', default: false } },
});
const [file = EVERYDAY_NAMES] = positionals;
if (!existsSync(file)) {
  console.log(`names: skipped, since ${file} is not there`);
  process.exit(0);
}

const { catalogue } = await compileFoods([[...readStarterFoods()]], [], readWordVectors(WORD_VECTORS));
const [, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
const rows = lines.map((line) => {
  const [lang = '', query = '', any = '', none = '', low, high, shown = ''] = line.split('\t');
  const languages = options['without-lang'] ? [] : foodLanguagesOf([lang]);
  const [first] = catalogue.search(query, 10, { languages });
  const name = first && catalogue.inLanguages(first, foodLanguagesOf([lang]).slice(0, 1)).name;
  const isRight =
    first !== undefined &&
    any.split('|').some((words) => hasWords(first, words)) &&
    !none.split('|').some((words) => hasWords(first, words)) &&
    first.per100.energy >= Number(low) &&
    first.per100.energy <= Number(high);
  const isShown = name !== undefined && shown.split('|').some((text) => fold(name).includes(fold(text)));
  const isHeldOut = (createHash('sha256').update(query).digest()[0]! & 1) === 1;
  return { lang, query, first, name, isRight, isShown, isHeldOut };
});

const groups = [
  ...Map.groupBy(rows, ({ lang }) => lang),
  ['dev', rows.filter(({ isHeldOut }) => !isHeldOut)],
  ['held out', rows.filter(({ isHeldOut }) => isHeldOut)],
  ['all', rows],
] as const;
for (const [name, some] of groups) {
  const share = (has: (row: (typeof rows)[number]) => boolean) =>
    (some.filter(has).length / some.length).toFixed(3);
  console.log(
    `${name.padEnd(9)}${String(some.length).padStart(4)} names  first right ${share(({ isRight }) => isRight)}  ` +
      `wrong first ${share(({ first, isRight }) => first !== undefined && !isRight)}  ` +
      `shown in the language ${share(({ isRight, isShown }) => isRight && isShown)}  ` +
      `of those right ${(some.filter((row) => row.isRight && row.isShown).length / Math.max(1, some.filter((row) => row.isRight).length)).toFixed(3)}`,
  );
}
const misses = rows.filter(({ isRight, isShown, isHeldOut }) => !(isRight && isShown) && !isHeldOut);
for (const { lang, query, first, name, isRight } of misses.slice(0, Number(options.misses)))
  console.log(
    `   ${lang} "${query}" → ${first === undefined ? 'nothing' : `${isRight ? '' : '*'}${first.name} (${first.id}), shown as "${name}"`}`,
  );

function hasWords({ name, brand = '' }: Food, wanted: string): boolean {
  const words = new Set(tokenise(`${name} ${brand}`, MAX_WORDS).flatMap((word) => [word, singularOf(word)]));
  return wanted
    .split('+')
    .every((part) =>
      tokenise(part, MAX_WORDS).every((word) => words.has(word) || words.has(singularOf(word))),
    );
}
