import { fold } from '@larder/core/words/tokenise.ts';
import GROUPS from './groups.json' with { type: 'json' };
import { flagsOf, HEAD, SECOND_HEAD } from './name-sections.ts';
import { nameWords, stemOf } from './name-words.ts';
import STATES from './states.json' with { type: 'json' };

/** States of a food that its name states, as bits. */
export const TRAITS = {
  raw: 1,
  dry: 1 << 1,
  cooked: 1 << 2,
  fried: 1 << 3,
  canned: 1 << 4,
  dried: 1 << 5,
  preserved: 1 << 6,
  frozen: 1 << 7,
  added: 1 << 8,
  reduced: 1 << 9,
  special: 1 << 10,
  powder: 1 << 11,
  unspecified: 1 << 12,
} as const;
export type Trait = keyof typeof TRAITS;

/** Groups of foods that recipes and meals state in different states. */
export const GROUP_NAMES = ['grain', 'pulse', 'vegetable', 'fruit', 'meat', 'fish', 'herb'] as const;
export type FoodGroup = (typeof GROUP_NAMES)[number];
// The facts of a food in one number: its traits, the number of its group from 1 (0 is none), whether it ships, its popularity.
const GROUP_SHIFT = 16;
const GROUP_MASK = 15;
const SHIPPED = 1 << 20;
const POPULARITY_SHIFT = 24;

/** The number of a food's group in its facts, from 1; 0 is none. */
export function groupIn(facts: number): number {
  return (facts >>> GROUP_SHIFT) & GROUP_MASK;
}

/** From 0 to 255. */
export function popularityIn(facts: number): number {
  return facts >>> POPULARITY_SHIFT;
}

export function isShippedIn(facts: number): boolean {
  return (facts & SHIPPED) !== 0;
}

const MAX_PHRASE_WORDS = 6;
/** Maximum letters of a word's ending, written `*` in the table. */
const MAX_ENDING = 3;
const WORD = /[\p{L}\p{M}]+/gu;

const PHRASES = new Map<string, number>();
const STEMS = new Map<string, number>();
/** The first words of phrases of several words. */
const BEGINNINGS = new Set<string>();
for (const [trait, phrases] of Object.entries(STATES)) {
  for (const phrase of phrases) {
    const folded = fold(phrase);
    const table = folded.endsWith('*') ? STEMS : PHRASES;
    const key = folded.replace('*', '');
    table.set(key, (table.get(key) ?? 0) | TRAITS[trait as Trait]);
    const [first, ...others] = folded.split(' ');
    if (others.length > 0) BEGINNINGS.add(first!.replace('*', ''));
  }
}
const GROUP_OF: ReadonlyMap<string, number> = new Map(
  GROUP_NAMES.flatMap((name, at) => GROUPS[name].split(' ').map((word) => [word, at + 1] as const)),
);

/** Traits that words of a text state, with their positions. */
export interface StatedTraits {
  readonly bits: number;
  /** UTF-16 offsets of the words that state them. */
  readonly ranges: readonly (readonly [start: number, end: number])[];
}

/** Reads states in a name or text of any of the eight languages: "raw", "fat added", "aus der Dose". */
export function readTraits(text: string): StatedTraits {
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    word: fold(word),
    start: index,
    end: index + word.length,
  }));
  const ranges: [number, number][] = [];
  let bits = 0;
  for (let at = 0; at < words.length; ) {
    const found = traitAt(words, at);
    if (found === undefined) at++;
    else {
      bits |= found.bits;
      ranges.push([words[at]!.start, words[at + found.length - 1]!.end]);
      at += found.length;
    }
  }
  return { bits, ranges };
}

function traitAt(
  words: readonly { readonly word: string }[],
  at: number,
): { bits: number; length: number } | undefined {
  const { word } = words[at]!;
  if (BEGINNINGS.has(word)) {
    const most = Math.min(MAX_PHRASE_WORDS, words.length - at);
    for (let length = most; length > 1; length--) {
      const phrase = words
        .slice(at, at + length)
        .map((each) => each.word)
        .join(' ');
      const bits = PHRASES.get(phrase);
      if (bits !== undefined) return { bits, length };
    }
  }
  const bits = traitOfWord(word);
  return bits === 0 ? undefined : { bits, length: 1 };
}

/** The traits of one folded word; 0 if it states none. */
export function traitOfWord(word: string): number {
  const bits = PHRASES.get(word) ?? 0;
  if (bits !== 0) return bits;
  for (let ending = 0; ending <= MAX_ENDING && ending < word.length; ending++) {
    const stem = STEMS.get(word.slice(0, word.length - ending));
    if (stem !== undefined) return stem;
  }
  return 0;
}

/** The group of a food by a head word of its English name, from 1; 0 for none. */
export function groupOfHead(stem: string): number {
  return GROUP_OF.get(stem) ?? GROUP_OF.get(stemOf(stem)) ?? 0;
}

/** Energy, in kcal per 100 g, from which on grains and pulses are dry, and up to which they are cooked. */
const DRY_FROM = 260;
const COOKED_TO = 200;
const STARCHY = new Set([GROUP_NAMES.indexOf('grain') + 1, GROUP_NAMES.indexOf('pulse') + 1]);

/** The group by the head of the name, or by the second part if the first is a category. */
function groupOf(name: string, states: StatedTraits['ranges']): number {
  const words = nameWords(name);
  const flags = flagsOf(words, states);
  let group = 0;
  for (const [at, { stem }] of words.entries()) {
    if ((flags[at]! & (HEAD | SECOND_HEAD)) !== 0) group = groupOfHead(stem) || group;
  }
  return group;
}

interface DescribedFood {
  readonly id: string;
  readonly name: string;
  /** In kcal per 100 g or ml. */
  readonly energy: number;
  readonly popularity: number;
}

/** The facts of a food: the traits of its name, and for grains and pulses also the state that its energy shows. */
export function factsOf({ id, name, energy, popularity }: DescribedFood): number {
  const said = readTraits(name);
  let { bits } = said;
  const group = groupOf(name, said.ranges);
  if (STARCHY.has(group)) {
    const isPlain = (bits & (TRAITS.fried | TRAITS.special | TRAITS.powder)) === 0;
    if (energy >= DRY_FROM && isPlain) bits = (bits | TRAITS.dry) & ~(TRAITS.raw | TRAITS.dried);
    else if (energy <= COOKED_TO && (bits & (TRAITS.raw | TRAITS.dry | TRAITS.canned)) === 0)
      bits |= TRAITS.cooked;
  }
  const shipped = id.startsWith('starter:') ? SHIPPED : 0;
  return (bits | (group << GROUP_SHIFT) | shipped | (popularity << POPULARITY_SHIFT)) >>> 0;
}
