import type { LanguageBits } from '@larder/core/name-languages.ts';
import type { Dictionary } from '@larder/search/index/dictionary.ts';
import type { NamedFood, NameMatch, QueryWord } from '../food-names.ts';
import { type ComparedName, NameComparison, type QueryTerm, type QueryTerms } from './name-match.ts';
import { LANGUAGE_COSTS } from './name-score.ts';
import { flagsOf, type NameSections, TERM_SHIFT } from './name-sections.ts';
import { wordsOfName } from './name-words.ts';
import type { NameWordsFinder } from './name-words-finder.ts';
import { readTraits, traitOfWord } from './traits.ts';

/** Weight of a word that no name has. */
export const UNKNOWN_WEIGHT = 3;

interface NameMatcherOptions {
  readonly sections: NameSections;
  readonly dictionary: Dictionary;
  /** Rarity of each term. */
  readonly weights: Float32Array;
  readonly words: NameWordsFinder;
}

/** Compares all names of one food with the words of a text. */
export class NameMatcher {
  readonly #sections: NameSections;
  readonly #dictionary: Dictionary;
  readonly #weights: Float32Array;
  readonly #words: NameWordsFinder;
  /** The first name of each food, and one end. */
  readonly #foodNames: Uint32Array;
  #last: { readonly words: readonly QueryWord[]; readonly asked: QueryTerms } | undefined;

  constructor({ sections, dictionary, weights, words }: NameMatcherOptions) {
    this.#sections = sections;
    this.#dictionary = dictionary;
    this.#weights = weights;
    this.#words = words;
    this.#foodNames = firstNames(sections.nameOwners, sections.foodDocuments.length);
  }

  factsOf(document: number): number {
    const food = this.#foodOf(document);
    return food === -1 ? 0 : this.#sections.foodFacts[food]!;
  }

  matchOf(
    words: readonly QueryWord[],
    food: number | NamedFood,
    languages: LanguageBits,
  ): NameMatch | undefined {
    const asked = this.#askedBy(words, languages);
    if (typeof food !== 'number')
      return this.#bestMatch(this.#termsOf(food), asked, readTraits(food.name).bits);
    const own = this.#foodOf(food);
    if (own === -1) return undefined;
    const { nameTerms, nameStarts, nameOwners, nameLanguages } = this.#sections;
    const facts = this.#sections.foodFacts[own]!;
    let best: NameMatch | undefined;
    for (let name = this.#foodNames[own]!; name < this.#foodNames[own + 1]!; name++) {
      const [from, to] = [nameStarts[name]!, nameStarts[name + 1]!];
      // A name without words of the query fits worse than any with one; the first one represents all of them.
      if (best !== undefined && !sharesWord(nameTerms, from, to, asked)) continue;
      const terms = nameTerms.subarray(from, to);
      const isAlias = (nameOwners[name]! & 1) === 1;
      const match = this.#match({ terms, isAlias, languages: nameLanguages[name] ?? 0 }, asked, facts);
      if (best === undefined || preferenceOf(match) > preferenceOf(best)) best = match;
    }
    return best;
  }

  /** The terms of a food outside of the index; unknown words get numbers beyond the dictionary. */
  #termsOf({ name, brand, aliases, nameLanguages = [] }: NamedFood): NameTerms[] {
    const unknown: string[] = [];
    return [brand === undefined ? name : `${name}, ${brand}`, ...aliases].map((text, at) => {
      const words = wordsOfName(text);
      const flags = flagsOf(words, readTraits(text).ranges);
      const terms = words.map(({ stem }, index) => {
        let term = this.#dictionary.find(stem);
        if (term === -1) {
          if (!unknown.includes(stem)) unknown.push(stem);
          term = this.#dictionary.size + unknown.indexOf(stem);
        }
        return (term << TERM_SHIFT) | flags[index]!;
      });
      return { terms, isAlias: at > 0, languages: nameLanguages[at] ?? 0, unknown };
    });
  }

  #bestMatch(names: readonly NameTerms[], asked: QueryTerms, facts: number): NameMatch | undefined {
    let best: NameMatch | undefined;
    for (const name of names) {
      const match = this.#match(name, asked, facts);
      if (best === undefined || preferenceOf(match) > preferenceOf(best)) best = match;
    }
    return best;
  }

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

  /** The words of the last query are cached, since one query is compared with many foods. */
  #askedBy(words: readonly QueryWord[], languages: LanguageBits): QueryTerms {
    if (this.#last?.words !== words || this.#last.asked.languages !== languages)
      this.#last = { words, asked: this.#toAsked(words, languages) };
    return this.#last.asked;
  }

  #toAsked(words: readonly QueryWord[], languages: LanguageBits): QueryTerms {
    const weights = new Map<number | string, QueryTerm>();
    let head: number | string | undefined;
    for (const word of words) {
      if (word.weight === 0) continue;
      const { term } = this.#words.find(word.stem);
      const key = term === -1 ? word.stem : term;
      if (word.isHead === true) head = key;
      const weight = word.weight * (term === -1 ? UNKNOWN_WEIGHT : this.#weights[term]!);
      if (!weights.has(key)) weights.set(key, { word, weight, trait: traitOfWord(word.stem) });
    }
    return { words: weights, head, languages };
  }

  #match(name: NameTerms, asked: QueryTerms, facts: number): NameMatch {
    const { terms, unknown } = name;
    const comparison = new NameComparison(asked);
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at]! >>> TERM_SHIFT;
      const weight = this.#weights[term];
      if (weight === undefined)
        comparison.add(unknown![term - this.#dictionary.size]!, terms[at]!, UNKNOWN_WEIGHT);
      else comparison.add(term, terms[at]!, weight);
    }
    return comparison.finish(name, facts);
  }
}

/** Among equally good names the one in the text's language is preferred. */
function preferenceOf({ fit, language }: NameMatch): number {
  return fit - LANGUAGE_COSTS[language];
}

function sharesWord(terms: Uint32Array, from: number, to: number, { words }: QueryTerms): boolean {
  for (let at = from; at < to; at++) if (words.has(terms[at]! >>> TERM_SHIFT)) return true;
  return false;
}

/** One name of a food: its terms with their flags. */
interface NameTerms extends ComparedName {
  readonly terms: ArrayLike<number>;
  /** Words that no name of the index has, by number. */
  readonly unknown?: readonly string[];
}

/** The first name of each food; names are in the order of their foods. */
function firstNames(owners: Uint32Array, foods: number): Uint32Array {
  const starts = new Uint32Array(foods + 1).fill(owners.length);
  for (let name = owners.length - 1; name >= 0; name--) starts[owners[name]! >>> 1] = name;
  for (let food = foods - 1; food >= 0; food--) starts[food] = Math.min(starts[food]!, starts[food + 1]!);
  return starts;
}
