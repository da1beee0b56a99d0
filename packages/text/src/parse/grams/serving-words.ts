import type { Serving } from '@larder/core/food.ts';
import { fold } from '@larder/core/words/tokenise.ts';
import { type UnitName, unitOfWord } from '../../units.ts';
import { stemOf } from '../names/name-words.ts';

/** The text of a serving as words, such as "1 piece, medium pizza". */
export interface ServingWords {
  readonly serving: Serving;
  /** Number of units in the serving: 2 in "2 slices". */
  readonly count: number;
  /** Stems without the number and empty words; no stems if the serving only states its grams. */
  readonly words: readonly string[];
  /** Words in groups, of which one is enough: "can" and "bottle" of "1 can or bottle". */
  readonly choices: readonly (readonly string[])[];
  /** Millilitres of one unit, if it is a volume. */
  readonly unitMl?: number;
}

const WORD = /\p{L}+|\d+(?:[.,/]\d+)?|\//gu;
/** Words between alternatives. */
const CHOICE: ReadonlySet<string> = new Set(['or', '/']);
const EMPTY: ReadonlySet<string> = new Set(
  'nfs ns as to of and the a size any with not made very'.split(' '),
);
/** Matches parentheses with a number, which repeat the amount in grams, inches or fluid ounces. */
const REPEATED = /\([^)]*\d[^)]*\)/g;
/** Matches the length in "1 6-inch sub", which is the usual one. */
const LENGTH = /(?<=\d )\d+[ -]inch /g;
const FOOTLONG = /foot[ -]long/g;
const UNIT_OF: ReadonlyMap<string, UnitName> = new Map([
  ['tablespoon', 'tbsp'],
  ['teaspoon', 'tsp'],
  ['fl', 'fl_oz'],
]);

/** Caches readings, since many foods share a few serving texts such as "1 cup". */
const READ = new Map<string, Omit<ServingWords, 'serving'>>();
/** Maximum cached texts. */
const MAX_READ = 2_000;

export function servingWords(serving: Serving): ServingWords {
  const text = serving.label ?? `${serving.value} ${serving.unit}`;
  let read = READ.get(text);
  if (read === undefined) {
    read = readServing(text);
    if (READ.size >= MAX_READ) READ.clear();
    READ.set(text, read);
  }
  const { count, words, choices, unitMl } = read;
  return unitMl === undefined
    ? { serving, count, words, choices }
    : { serving, count, words, choices, unitMl };
}

function readServing(text: string): Omit<ServingWords, 'serving'> {
  const choices: string[][] = [];
  let isChoice = false;
  let count: number | undefined;
  const said = fold(text).replace(REPEATED, ' ').replace(LENGTH, ' ').replace(FOOTLONG, 'footlong');
  for (const [word] of said.matchAll(WORD)) {
    if (CHOICE.has(word)) isChoice = choices.length > 0;
    else if (/^\d/.test(word) && count === undefined && choices.length === 0) count = numberOf(word);
    else if (!EMPTY.has(word)) {
      if (isChoice) choices.at(-1)!.push(stemOf(word));
      else choices.push([stemOf(word)]);
      isChoice = false;
    }
  }
  const words = choices.flat();
  // "1 half" is half of the unit that "half an avocado" counts.
  if (words[0] === 'half' && words.length === 1) count = 0.5 * (count ?? 1);
  const unit = UNIT_OF.get(words[0] ?? '') ?? words[0];
  // "40 g" and "3 oz" are one serving each.
  if (unit === 'g') return { count: 1, words: words.slice(1), choices: choices.slice(1) };
  if (unit === 'oz') count = 1;
  const unitMl = unit === undefined ? undefined : mlOf(unit);
  return {
    count: count !== undefined && count > 0 ? count : 1,
    words,
    choices,
    ...(unitMl !== undefined && { unitMl }),
  };
}

/** Millilitres of a unit of volume. */
export function mlOf(unit: string): number | undefined {
  return unitOfWord(unit)?.ml;
}

function numberOf(text: string): number {
  const [above, below] = text.replace(',', '.').split('/').map(Number);
  return below === undefined ? above! : above! / below;
}
