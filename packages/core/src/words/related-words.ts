import KINDS_OF_FOOD from './kinds-of-food.json' with { type: 'json' };
import SAME_FOOD from './same-food.json' with { type: 'json' };
import { singularOf } from './singular.ts';

/**
 * Endings that turn one number, case or gender of a food word into another, in English, French, German, Spanish,
 * Italian, Portuguese and Dutch. Both directions are tried, and only forms in the dictionary count, so the rules may
 * be generous.
 */
const ENDINGS: readonly (readonly [from: string, to: string])[] = [
  ['', 's'],
  ['', 'es'],
  ['', 'e'],
  ['', 'x'],
  ['', 'n'],
  ['', 'en'],
  ['', 'er'],
  ['', 'ed'],
  ['y', 'ies'],
  ['f', 'ves'],
  ['fe', 'ves'],
  ['al', 'aux'],
  ['a', 'e'],
  ['o', 'i'],
  ['o', 'a'],
  ['os', 'as'],
  ['e', 'i'],
  ['ao', 'oes'],
  ['e', 'es'],
  ['z', 'ces'],
];
/** Each rule in both directions. */
const SWAPS = ENDINGS.flatMap(([from, to]) => [
  { from, to },
  { from: to, to: from },
]);
/** Shorter stems match too many unrelated words. */
const MIN_STEM = 3;

/** The longest ending that is removed. */
const LONGEST_ENDING = Math.max(...ENDINGS.flat().map((ending) => ending.length));

/** The common prefix of the word and all its forms. */
export function commonPrefix(word: string): string {
  return word.slice(0, Math.max(MIN_STEM, word.length - LONGEST_ENDING));
}

/** Other possible forms of the word; many do not exist. */
export function inflectionsOf(word: string): string[] {
  const forms = new Set<string>();
  for (const { from, to } of SWAPS) {
    const stem = word.length - from.length;
    if (stem >= MIN_STEM && word.endsWith(from)) forms.add(word.slice(0, stem) + to);
  }
  forms.delete(word);
  return [...forms];
}

/** Restores the plain letter in digraphs that keyboards without umlauts produce: "kaese" for "käse". */
export function withoutDigraphs(word: string): string[] {
  const plain = word.replace(/([aou])e/g, '$1');
  return plain === word || plain.length < MIN_STEM ? [] : [plain];
}

/**
 * Function words in the languages of packaged food, and abbreviations of food tables ("not further
 * specified"). A name without them still matches.
 */
export const SMALL_WORDS: ReadonlySet<string> = new Set(
  [
    'a an and or of in on with without the for from to as at by style',
    'nfs ns nsf',
    'de du des la le les un une et ou au aux a en avec sans pour sur',
    'der die das den dem und oder mit ohne von vom zu im in aus ein eine auf',
    'el los las y o con sin del al por para una uno',
    'il lo gli i di da e ed della dello dei delle degli alla al ai con',
    'do da dos das com sem em ao no na os as um uma',
    'het een en van met zonder',
    'z ze w i na do bez',
  ].flatMap((line) => line.split(' ')),
);

/** Maximum words of a phrase that is looked up. */
export const MAX_PHRASE_WORDS = 3;

type Phrases = ReadonlyMap<string, readonly string[]>;

/** Groups of names that people use for one another, folded as `tokenise` folds. */
const SAME: Phrases = collectSame();
/**
 * Kinds of varieties, dishes and brands. Used in this direction only, and only if the typed text finds too little: for
 * "baguette", bread is better than nothing.
 */
const KINDS: Phrases = collectKinds();

/** Other single words for a single word. */
export function synonymsOf(word: string): readonly string[] {
  return sameFoods(word).filter((phrase) => !phrase.includes(' '));
}

/** Other phrases for the same food, folded, with single spaces. */
export function sameFoods(phrase: string): readonly string[] {
  return SAME.get(singularOf(phrase)) ?? [];
}

/** Kinds of this food, tried only if the name finds too little. */
export function kindsOf(phrase: string): readonly string[] {
  return KINDS.get(singularOf(phrase)) ?? [];
}

/** First words of all phrases with other names or kinds. */
const FIRST_WORDS: ReadonlySet<string> = new Set(
  [...SAME.keys(), ...KINDS.keys()].map((phrase) => phrase.split(' ', 1)[0]!),
);

/** A fast check: false if no phrase that begins with the word has other names or kinds. */
export function beginsKnownPhrase(word: string): boolean {
  return FIRST_WORDS.has(word) || FIRST_WORDS.has(singularOf(word));
}

function collectSame(): Phrases {
  const others = new Map<string, string[]>();
  for (const group of SAME_FOOD) {
    for (const phrase of group) addTo(others, phrase, group);
  }
  return others;
}

function collectKinds(): Phrases {
  const kinds = new Map<string, string[]>();
  for (const { sorts, kind } of KINDS_OF_FOOD) {
    for (const phrase of sorts) addTo(kinds, phrase, [kind]);
  }
  return kinds;
}

function addTo(table: Map<string, string[]>, phrase: string, others: readonly string[]): void {
  const key = singularOf(phrase);
  const known = table.get(key) ?? [];
  table.set(key, [...known, ...others.filter((other) => other !== phrase && !known.includes(other))]);
}
