import { beginsKnownPhrase, kindsOf, sameFoods } from '@larder/core/words/related-words.ts';
import type { SearchHit } from '@larder/search/match/top-hits.ts';
import type { FoodNames, QueryWord } from './food-names.ts';
import { isEmptyWord, isNegated, nameWords, stemOf } from './names/name-words.ts';
import type { PhraseWord } from './phrases/phrase.ts';
import type { ReadingBudget } from './reading-budget.ts';

/** Penalties of a synonym and of the name of a food's kind. */
const SYNONYM_COST = 0.1;
const KIND_COST = 0.14;
/** Penalty if no name states that an excluded ingredient is missing. */
const NEGATED_COST = 0.05;
const MAX_HITS = 8;
/** Score above which synonyms are not tried. */
const GOOD_SCORE = 0.95;
const MAX_PHRASE_WORDS = 3;
/** Maximum look-ups of one line; 13,000 meals and recipe lines need at most 185. */
const MAX_LOOK_UPS = 300;
/** Maximum names read by these look-ups; the same texts need at most 260,000. */
const MAX_NAMES = 400_000;

/** A food found by name; `words` are synonyms of the text's words that found it, if any. */
export interface NameHit extends SearchHit {
  readonly words?: readonly QueryWord[];
  /** The text is the name of this food. */
  readonly isExact?: true;
}

/** Finds the foods of one line by their names, with bounded work. */
export class NameLookUps {
  readonly #names: FoodNames;
  readonly #budget: ReadingBudget;
  #made = 0;
  #namesRead = 0;

  constructor(names: FoodNames, budget: ReadingBudget) {
    this.#names = names;
    this.#budget = budget;
  }

  /** Number of look-ups made. */
  get made(): number {
    return this.#made;
  }

  get isUsedUp(): boolean {
    return (
      this.#made > MAX_LOOK_UPS ||
      this.#namesRead > MAX_NAMES ||
      this.#budget.lookUps <= 0 ||
      this.#budget.names <= 0
    );
  }

  /** Finds the foods with these words, or with synonyms and kinds if the words themselves find no good name. */
  find(words: readonly PhraseWord[]): readonly NameHit[] {
    let best: readonly NameHit[] = this.#lookUp(words);
    if (this.isUsedUp) return best;
    if ((best[0]?.score ?? 0) < GOOD_SCORE) best = this.#withoutNegated(words, best);
    for (let length = Math.min(MAX_PHRASE_WORDS, words.length); length > 0; length--) {
      for (let at = 0; at + length <= words.length && (best[0]?.score ?? 0) < GOOD_SCORE; at++) {
        if (!beginsKnownPhrase(words[at]!.stem)) continue;
        const phrase = words
          .slice(at, at + length)
          .map(({ stem }) => stem)
          .join(' ');
        for (const [others, cost] of [
          [sameFoods(phrase), SYNONYM_COST],
          [kindsOf(phrase), KIND_COST],
        ] as const) {
          for (const other of others) {
            const said = replaced(words, at, length, other);
            const hits = this.#lookUp(said);
            if ((hits[0]?.score ?? 0) - cost <= (best[0]?.score ?? 0)) continue;
            best = hits.map((hit) => ({ ...hit, score: hit.score - cost, words: said }));
          }
        }
      }
    }
    return best;
  }

  /** Foods without the excluded ingredient if no name states it: a hamburger for "burger without bun". */
  #withoutNegated(words: readonly PhraseWord[], best: readonly NameHit[]): readonly NameHit[] {
    const said = words.filter(({ stem }) => !isNegated(stem));
    if (said.length === 0 || said.length === words.length) return best;
    const excluded = new Set(words.filter(({ stem }) => isNegated(stem)).map(({ stem }) => stem.slice(1)));
    const hits = this.#lookUp(said)
      .filter(
        ({ document }) =>
          !nameWords(this.#names.foodAt(document).name).some(({ stem }) => excluded.has(stem)),
      )
      .map((hit) => ({ ...hit, score: hit.score - NEGATED_COST, words: said }));
    return (hits[0]?.score ?? 0) > (best[0]?.score ?? 0) ? hits : best;
  }

  #lookUp(words: readonly PhraseWord[]): readonly SearchHit[] {
    let names = 0;
    for (const { stem } of words) names += this.#names.namesWith(stem);
    this.#made++;
    this.#namesRead += names;
    this.#budget.lookUps--;
    this.#budget.names -= names;
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
