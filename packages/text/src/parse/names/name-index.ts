import type { Food } from '@larder/core/food.ts';
import { type LanguageBits, NAME_LANGUAGES } from '@larder/core/name-languages.ts';
import { Dictionary } from '@larder/search/index/dictionary.ts';
import type { SearchHit } from '@larder/search/match/top-hits.ts';
import type { FoodNames, NamedFood, NameMatch, QueryWord } from '../food-names.ts';
import { NameComparison, UNKNOWN_WEIGHT } from './name-comparison.ts';
import { keyOf, NameLookUp } from './name-look-up.ts';
import { HEAD, type NameSections, SECOND_HEAD, TERM_SHIFT } from './name-sections.ts';
import { NameWordsFinder } from './name-words-finder.ts';

/** Maximum cached look-ups, about one megabyte in total, and maximum length of a look-up's words. */
const MAX_FOUND = 2_000;
const MAX_KEY_LENGTH = 200;
/** Maximum foods in memory, some kilobytes each. */
const MAX_FOODS = 500;

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
  readonly languages: LanguageBits;
  readonly #sections: NameSections;
  readonly #foodAt: (document: number) => Food;
  readonly #shared: Shared;

  /** `languages` are those of the texts that are read, whose names are preferred; 0 if unknown. */
  constructor(ports: NameIndexPorts, languages: LanguageBits = 0, shared: Shared = sharedOf(ports.sections)) {
    this.languages = languages;
    this.#sections = ports.sections;
    this.#foodAt = ports.foodAt;
    this.#shared = shared;
  }

  inLanguages(languages: LanguageBits): FoodNames {
    if (languages === this.languages) return this;
    return new NameIndex({ sections: this.#sections, foodAt: this.#foodAt }, languages, this.#shared);
  }

  foodAt(document: number): Food {
    const { foods } = this.#shared;
    let food = foods.get(document);
    if (food === undefined) {
      food = this.#foodAt(document);
      if (foods.size >= MAX_FOODS) foods.clear();
      foods.set(document, food);
    }
    return food;
  }

  likenessOf(stem: string): number {
    return this.#shared.words.find(stem).likeness;
  }

  weightOf(stem: string): number {
    const term = this.#shared.words.find(stem).term;
    return term === -1 ? UNKNOWN_WEIGHT : this.#shared.weights[term]!;
  }

  namesWith(stem: string): number {
    const { term } = this.#shared.words.find(stem);
    return term === -1 ? 0 : this.#sections.postingStarts[term + 1]! - this.#sections.postingStarts[term]!;
  }

  begins(stem: string, next: string): boolean {
    const { nameTerms, nameStarts, postings, postingStarts } = this.#sections;
    const [first, second] = [this.#shared.dictionary.find(stem), this.#shared.dictionary.find(next)];
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
    const terms = stems.map((stem) => this.#shared.dictionary.find(stem));
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
  find(words: readonly QueryWord[], limit: number): readonly SearchHit[] {
    const { found, lookUp } = this.#shared;
    const key = `${this.languages} ${keyOf(words, limit)}`;
    let hits = found.get(key);
    if (hits === undefined) {
      hits = lookUp.find(words, limit, this.languages);
      if (key.length > MAX_KEY_LENGTH) return hits;
      if (found.size >= MAX_FOUND) found.clear();
      found.set(key, hits);
    }
    return hits;
  }

  factsOf(document: number): number {
    const food = this.#foodOf(document);
    return food === -1 ? 0 : this.#sections.foodFacts[food]!;
  }

  isFoodWord(stem: string): boolean {
    const { term, likeness } = this.#shared.words.find(stem);
    if (term === -1 || likeness < 1) return false;
    return this.#shared.headCounts[term]! >= FOOD_WORD_SHARE * this.namesWith(stem);
  }

  languagesOf(stem: string): readonly number[] {
    const { term, likeness } = this.#shared.words.find(stem);
    if (term === -1 || likeness < 1) return [];
    const { termLanguages } = this.#shared;
    const known = termLanguages.get(term);
    if (known !== undefined) return known;
    const shares = this.#countLanguages(term);
    termLanguages.set(term, shares);
    return shares;
  }

  /** The share of each language; a name of several languages counts for each of them. */
  #countLanguages(term: number): readonly number[] {
    const { postings, postingStarts, nameLanguages } = this.#sections;
    const counts = NAME_LANGUAGES.map(() => 0);
    for (let at = postingStarts[term]!; at < postingStarts[term + 1]!; at++) {
      const bits = nameLanguages[postings[at]!] ?? 0;
      for (let code = 0; code < counts.length; code++) if ((bits & (1 << code)) !== 0) counts[code]!++;
    }
    const all = counts.reduce((sum, count) => sum + count, 0);
    return all === 0 ? [] : counts.map((count) => count / all);
  }

  matchOf(words: readonly QueryWord[], food: number | NamedFood): NameMatch | undefined {
    const { comparison, foodNames } = this.#shared;
    comparison.ask(words, this.languages);
    if (typeof food !== 'number') return comparison.bestNameOf(food);
    const own = this.#foodOf(food);
    if (own === -1) return undefined;
    return comparison.bestOf(
      { from: foodNames[own]!, to: foodNames[own + 1]! },
      this.#sections.foodFacts[own]!,
    );
  }

  /** The number of the food of a document; -1 if it has no name in this index. */
  #foodOf(document: number): number {
    const { foodDocuments } = this.#sections;
    let low = 0;
    let high = foodDocuments.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = foodDocuments[middle]!;
      if (found === document) return middle;
      if (found < document) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

/** Tables that the index computes from its sections once, for all languages. */
interface Shared {
  readonly dictionary: Dictionary;
  /** Rarity of each term. */
  readonly weights: Float32Array;
  readonly words: NameWordsFinder;
  /** For each term, the names that have it as head. */
  readonly headCounts: Uint32Array;
  readonly comparison: NameComparison;
  readonly lookUp: NameLookUp;
  /** The first name of each food, and one end. */
  readonly foodNames: Uint32Array;
  // The latest look-ups and foods, since texts repeatedly name the same ones.
  readonly found: Map<string, readonly SearchHit[]>;
  readonly foods: Map<number, Food>;
  readonly termLanguages: Map<number, readonly number[]>;
}

function sharedOf(sections: NameSections): Shared {
  const { postingStarts, foodDocuments, nameTerms, nameOwners } = sections;
  const dictionary = new Dictionary(sections);
  const namesWith = (term: number) => postingStarts[term + 1]! - postingStarts[term]!;
  const weights = Float32Array.from({ length: dictionary.size }, (_, term) =>
    Math.min(MAX_WEIGHT, Math.max(MIN_WEIGHT, Math.log(foodDocuments.length / namesWith(term)))),
  );
  const words = new NameWordsFinder(dictionary, namesWith);
  const comparison = new NameComparison({ sections, weights, words, dictionary });
  const headCounts = new Uint32Array(dictionary.size);
  for (const flags of nameTerms)
    if ((flags & (HEAD | SECOND_HEAD)) !== 0) headCounts[flags >>> TERM_SHIFT]!++;
  return {
    ...{ dictionary, weights, words, headCounts, comparison },
    lookUp: new NameLookUp({ sections, weights, comparison }),
    foodNames: firstNames(nameOwners, foodDocuments.length),
    found: new Map(),
    foods: new Map(),
    termLanguages: new Map(),
  };
}

/** The first name of each food; names are in the order of their foods. */
function firstNames(owners: Uint32Array, foods: number): Uint32Array {
  const starts = new Uint32Array(foods + 1).fill(owners.length);
  for (let name = owners.length - 1; name >= 0; name--) starts[owners[name]! >>> 1] = name;
  for (let food = foods - 1; food >= 0; food--) starts[food] = Math.min(starts[food]!, starts[food + 1]!);
  return starts;
}
