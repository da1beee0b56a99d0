import type { Food } from '@larder/core/food.ts';
import type { LanguageBits } from '@larder/core/name-languages.ts';
import { Dictionary } from '@larder/search/index/dictionary.ts';
import type { SearchHit } from '@larder/search/match/top-hits.ts';
import type { FoodNames, NamedFood, NameMatch, QueryWord } from '../food-names.ts';
import { keyOf, NameLookUp } from './name-look-up.ts';
import { NameMatcher, UNKNOWN_WEIGHT } from './name-matcher.ts';
import { HEAD, type NameSections, SECOND_HEAD, TERM_SHIFT } from './name-sections.ts';
import { NameWordsFinder } from './name-words-finder.ts';
import { NamesInLanguages } from './names-in-languages.ts';

/** Maximum cached look-ups, about one megabyte in total, and maximum length of a look-up's words. */
const MAX_FOUND = 2_000;
const MAX_KEY_LENGTH = 200;

const MIN_WEIGHT = 1;
const MAX_WEIGHT = 7;

/** Minimum share of a word's names with the word as head, for it to count as a food word. */
const FOOD_WORD_SHARE = 0.08;

interface NameIndexPorts {
  readonly sections: NameSections;
  /** The food of a document of the catalogue. */
  readonly foodAt: (document: number) => Food;
}

/**
 * Finds generic foods by the words of their names. Unlike search it compares both sides: a name with additional words
 * matches worse. One look-up reads the posting lists of its words and takes about 20 microseconds.
 */
export class NameIndex implements FoodNames {
  readonly languages: LanguageBits = 0;
  readonly #sections: NameSections;
  readonly foodAt: (document: number) => Food;
  readonly #dictionary: Dictionary;
  readonly #weights: Float32Array;
  readonly #words: NameWordsFinder;
  /** For each term, the names that have it as head. */
  readonly #headCounts: Uint32Array;
  readonly #matcher: NameMatcher;
  readonly #lookUp: NameLookUp;
  /** The latest look-ups, since texts repeatedly name the same foods. */
  readonly #found = new Map<string, readonly SearchHit[]>();

  constructor({ sections, foodAt }: NameIndexPorts) {
    this.#sections = sections;
    this.foodAt = foodAt;
    this.#dictionary = new Dictionary(sections);
    const { postingStarts, foodDocuments } = sections;
    const namesWith = (term: number) => postingStarts[term + 1]! - postingStarts[term]!;
    this.#weights = Float32Array.from({ length: this.#dictionary.size }, (_, term) =>
      Math.min(MAX_WEIGHT, Math.max(MIN_WEIGHT, Math.log(foodDocuments.length / namesWith(term)))),
    );
    this.#words = new NameWordsFinder(this.#dictionary, namesWith);
    this.#headCounts = new Uint32Array(this.#dictionary.size);
    const parts = { sections, weights: this.#weights, words: this.#words };
    this.#matcher = new NameMatcher({ ...parts, dictionary: this.#dictionary });
    this.#lookUp = new NameLookUp({ ...parts, sandwich: this.#dictionary.find('sandwich') });
    this.#countHeads();
  }

  inLanguages(languages: LanguageBits): FoodNames {
    return languages === 0 ? this : new NamesInLanguages(this, languages);
  }

  likenessOf(stem: string): number {
    return this.#words.find(stem).likeness;
  }

  weightOf(stem: string): number {
    const term = this.#words.find(stem).term;
    return term === -1 ? UNKNOWN_WEIGHT : this.#weights[term]!;
  }

  namesWith(stem: string): number {
    const { term } = this.#words.find(stem);
    return term === -1 ? 0 : this.#sections.postingStarts[term + 1]! - this.#sections.postingStarts[term]!;
  }

  begins(stem: string, next: string): boolean {
    const { nameTerms, nameStarts, postings, postingStarts } = this.#sections;
    const [first, second] = [this.#dictionary.find(stem), this.#dictionary.find(next)];
    if (first === -1 || second === -1) return false;
    return postings.subarray(postingStarts[second]!, postingStarts[second + 1]!).some((name) => {
      const at = nameStarts[name]!;
      return (
        nameTerms[at]! >>> TERM_SHIFT === first &&
        at + 1 < nameStarts[name + 1]! &&
        nameTerms[at + 1]! >>> TERM_SHIFT === second
      );
    });
  }

  beginsWithAll(stems: readonly string[]): boolean {
    const { nameTerms, nameStarts, postings, postingStarts } = this.#sections;
    const terms = stems.map((stem) => this.#dictionary.find(stem));
    if (terms.length === 0 || terms.includes(-1)) return false;
    const names = (term: number) => postings.subarray(postingStarts[term]!, postingStarts[term + 1]!);
    const fewest = terms.map(names).reduce((one, other) => (other.length < one.length ? other : one));
    return fewest.some((name) => {
      const [from, to] = [nameStarts[name]!, nameStarts[name + 1]!];
      if (to - from < terms.length) return false;
      for (let at = from; at < from + terms.length; at++)
        if (!terms.includes(nameTerms[at]! >>> TERM_SHIFT)) return false;
      return true;
    });
  }

  /** The foods with the best names, best first; equal ones in static order. */
  find(words: readonly QueryWord[], limit: number, languages: LanguageBits = 0): readonly SearchHit[] {
    const key = `${languages} ${keyOf(words, limit)}`;
    let hits = this.#found.get(key);
    if (hits === undefined) {
      hits = this.#lookUp.find(words, limit, languages);
      if (key.length > MAX_KEY_LENGTH) return hits;
      if (this.#found.size >= MAX_FOUND) this.#found.clear();
      this.#found.set(key, hits);
    }
    return hits;
  }

  factsOf(document: number): number {
    return this.#matcher.factsOf(document);
  }

  isFoodWord(stem: string): boolean {
    const { term, likeness } = this.#words.find(stem);
    if (term === -1 || likeness < 1) return false;
    return this.#headCounts[term]! >= FOOD_WORD_SHARE * this.namesWith(stem);
  }

  matchOf(
    words: readonly QueryWord[],
    food: number | NamedFood,
    languages: LanguageBits = 0,
  ): NameMatch | undefined {
    return this.#matcher.matchOf(words, food, languages);
  }

  #countHeads(): void {
    for (const flags of this.#sections.nameTerms)
      if ((flags & (HEAD | SECOND_HEAD)) !== 0) this.#headCounts[flags >>> TERM_SHIFT]!++;
  }
}
