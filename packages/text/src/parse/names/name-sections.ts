import type { DictionarySections } from '@larder/search/index/dictionary.ts';
import type { SectionArray } from '@larder/search/index/sections.ts';
import type { NameWord } from './name-words.ts';

// Flags of a word in a name, in the bits below its term.
export const TERM_SHIFT = 6;
/** The last word before the first comma: "milk" in "Chocolate milk, ready to drink". */
export const HEAD = 1;
export const FIRST = 2;
/** The word follows the first comma. */
export const LATER = 4;
/** The word is one of several alternatives: "chicken or turkey". */
export const ALTERNATIVE = 8;
/** The head of a name whose first part is only a category: "tarragon" in "Spices, tarragon, dried". */
export const SECOND_HEAD = 16;
/** The word states a trait: "raw", "with salt"; see `traits.ts`. */
export const STATE = 32;

/** The names of generic foods as arrays, stored in a catalogue and read in place by `NameIndex`. */
export interface NameSections extends DictionarySections {
  /** The words of all names, as term and flags. */
  readonly nameTerms: Uint32Array;
  /** The start of each name in `nameTerms`, and one end. */
  readonly nameStarts: Uint32Array;
  /** The food of each name, shifted by one; bit 0 is set for an alias. */
  readonly nameOwners: Uint32Array;
  /** The languages of each name, as bits; empty in catalogues that do not state them. */
  readonly nameLanguages: Uint8Array;
  /** The document of each food. */
  readonly foodDocuments: Uint32Array;
  /** Facts that decide between foods beside their names; see `factsOf`. */
  readonly foodFacts: Uint32Array;
  readonly postings: Uint32Array;
  readonly postingStarts: Uint32Array;
}

const WIDTHS: Readonly<Record<Exclude<keyof NameSections, 'nameLanguages'>, 1 | 2 | 4>> = {
  termText: 2,
  termStarts: 4,
  termLetters: 4,
  nameTerms: 4,
  nameStarts: 4,
  nameOwners: 4,
  foodDocuments: 4,
  foodFacts: 4,
  postings: 4,
  postingStarts: 4,
};

/** Returns the sections, or undefined if one is missing or of another width. */
export function toNameSections(sections: Readonly<Record<string, SectionArray>>): NameSections | undefined {
  const isWhole = Object.entries(WIDTHS).every(
    ([name, bytes]) => sections[name]?.BYTES_PER_ELEMENT === bytes,
  );
  if (!isWhole) return undefined;
  const { nameLanguages = new Uint8Array(0), ...others } = sections;
  return { ...others, nameLanguages } as unknown as NameSections;
}

/** Heads that name a category of a food table; the next part names the food. */
const CATEGORIES: ReadonlySet<string> = new Set(
  'spice fish nut seed oil cheese crustacean mollusk beverage alcoholic cereal snack candy sauce soup bread leavening vegetable fruit seasoning game'.split(
    ' ',
  ),
);

/** The flags of each word of a name; `states` are the offsets of the words that state traits. */
export function flagsOf(
  words: readonly NameWord[],
  states: readonly (readonly [start: number, end: number])[] = [],
): number[] {
  const leading = words.findIndex(({ part, leads }) => part === 0 && leads === true);
  const head = leading === -1 ? words.findLastIndex(({ part }) => part === 0) : leading;
  const second =
    head !== -1 && CATEGORIES.has(words[head]!.stem) ? words.findLastIndex(({ part }) => part === 1) : -1;
  return words.map(
    ({ part, start, isAlternative }, at) =>
      (at === head ? HEAD : 0) |
      (at === 0 ? FIRST : 0) |
      (part > 0 ? LATER : 0) |
      (isAlternative === true ? ALTERNATIVE : 0) |
      (at === second ? SECOND_HEAD : 0) |
      (at !== head && states.some(([from, to]) => start >= from && start < to) ? STATE : 0),
  );
}
