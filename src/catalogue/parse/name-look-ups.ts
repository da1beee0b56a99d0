import type { FoodNames, NameHit } from '../food/food-names.ts';
import { kindsOf, sameFoods } from '../search/words/related-words.ts';
import { isEmptyWord, stemOf } from './names/name-words.ts';
import type { PhraseWord } from './phrase.ts';

/** What other words for a food and its kind take from the score. */
const SYNONYM_COST = 0.1;
const KIND_COST = 0.14;
const MAX_HITS = 8;
/** Above it, no other words are tried. */
const GOOD_SCORE = 0.95;
const MAX_PHRASE_WORDS = 3;
/** Look-ups of one line, and so without a pause. */
const MAX_LOOK_UPS = 300;

/** What a text, or several together, may ask of the catalogue. */
export interface ReadingBudget {
  /** Look-ups of names. After them, phrases are each read alone and in their own words. */
  lookUps: number;
  /** Searches among all foods, each of up to a few milliseconds. After them, the names of generic foods count alone. */
  searches: number;
}

/** Finds the foods of one line by their names, with bounded work. */
export class NameLookUps {
  readonly #names: FoodNames;
  readonly #budget: ReadingBudget;
  #count = 0;

  constructor(names: FoodNames, budget: ReadingBudget) {
    this.#names = names;
    this.#budget = budget;
  }

  get isUsedUp(): boolean {
    return this.#count > MAX_LOOK_UPS || this.#budget.lookUps <= 0;
  }

  /** With other names of the food, or its kind, where the words themselves find no good name. */
  find(words: readonly PhraseWord[]): readonly NameHit[] {
    let best = this.#lookUp(words);
    if (this.isUsedUp) return best;
    for (let length = Math.min(MAX_PHRASE_WORDS, words.length); length > 0; length--) {
      for (let at = 0; at + length <= words.length && (best[0]?.score ?? 0) < GOOD_SCORE; at++) {
        const phrase = words
          .slice(at, at + length)
          .map(({ stem }) => stem)
          .join(' ');
        for (const [others, cost] of [
          [sameFoods(phrase), SYNONYM_COST],
          [kindsOf(phrase), KIND_COST],
        ] as const) {
          for (const other of others) {
            const hits = this.#lookUp(replaced(words, at, length, other));
            if ((hits[0]?.score ?? 0) - cost <= (best[0]?.score ?? 0)) continue;
            best = hits.map((hit) => ({ ...hit, score: hit.score - cost }));
          }
        }
      }
    }
    return best;
  }

  #lookUp(words: readonly PhraseWord[]): readonly NameHit[] {
    this.#count++;
    this.#budget.lookUps--;
    return this.#names.find(words, MAX_HITS);
  }
}

function replaced(words: readonly PhraseWord[], at: number, length: number, other: string): PhraseWord[] {
  const stems = other
    .split(' ')
    .filter((word) => !isEmptyWord(word))
    .map(stemOf);
  const isHead = words.slice(at, at + length).some((word) => word.isHead);
  return [
    ...words.slice(0, at),
    ...stems.map((stem, index) => ({
      stem,
      weight: 1,
      token: words[at]!.token,
      isHead: isHead && index === stems.length - 1,
    })),
    ...words.slice(at + length),
  ];
}
