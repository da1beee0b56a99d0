import type { Food } from '@larder/core/food.ts';
import { Dictionary } from '@larder/search/index/dictionary.ts';
import type { SearchHit } from '@larder/search/match/top-hits.ts';
import type { FoodNames, NamedFood, NameMatch, QueryWord } from '../food-names.ts';
import { BestFoods } from './best-foods.ts';
import { type AskedWord, type AskedWords, NameComparison } from './name-match.ts';
import {
  ADJACENT_BONUS,
  factorOf,
  fitOf,
  MISSING_HEAD_FACTOR,
  OTHER_HEAD_COST,
  SAME_HEAD,
  SANDWICH_COST,
  scoreOf,
  tellsOfSandwich,
} from './name-score.ts';
import {
  ALTERNATIVE,
  FIRST,
  flagsOf,
  HEAD,
  LATER,
  type NameSections,
  SECOND_HEAD,
  TERM_SHIFT,
} from './name-sections.ts';
import { type NameWord, nameWords } from './name-words.ts';
import { NameWordsFinder } from './name-words-finder.ts';
import { readTraits, TRAITS, traitOfWord } from './traits.ts';

// Bonuses and penalties in the unit of weights, the logarithm of a word's rarity.
const UNSPECIFIED = 0.02;
const ALIAS_COST = 0.05;
/** More than the rounding errors of sums in 32-bit numbers. */
const ROUNDING = 1e-4;

const NO_TERM = -1;

const MIN_WEIGHT = 1;
const MAX_WEIGHT = 7;
/** Weight of a word that no name has. */
const UNKNOWN_WEIGHT = 3;

/** Least share of a word's names in which it is the head, from which on it is the word of a food. */
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
  readonly #sections: NameSections;
  readonly foodAt: (document: number) => Food;
  readonly #dictionary: Dictionary;
  readonly #weights: Float32Array;
  readonly #words: NameWordsFinder;
  readonly #sandwich: number;
  /** The cost of each name's words for a query that has none of them; a repeated word counts once. */
  readonly #costs: Float32Array;
  /** For each posting, the cost of this word. */
  readonly #costParts: Float32Array;
  /** The first word of each name, the head word, and the kind: the head unless it is an alternative. */
  readonly #firsts: Int32Array;
  readonly #heads: Int32Array;
  readonly #kinds: Int32Array;
  /** For each term, the names that have it as head. */
  readonly #headCounts: Uint32Array;
  /** The first name of each food, and one end. */
  readonly #foodNames: Uint32Array;
  // Scratch memory of one look-up.
  readonly #shared: Float32Array;
  readonly #missing: Float32Array;
  readonly #sharedWords: Uint8Array;
  readonly #touched: Uint32Array;
  readonly #isAsked: Uint8Array;
  #hasCarrier = false;

  constructor({ sections, foodAt }: NameIndexPorts) {
    this.#sections = sections;
    this.foodAt = foodAt;
    this.#dictionary = new Dictionary(sections);
    const { postingStarts, nameOwners, foodDocuments } = sections;
    const namesWith = (term: number) => postingStarts[term + 1]! - postingStarts[term]!;
    this.#weights = Float32Array.from({ length: this.#dictionary.size }, (_, term) =>
      Math.min(MAX_WEIGHT, Math.max(MIN_WEIGHT, Math.log(foodDocuments.length / namesWith(term)))),
    );
    this.#sandwich = this.#dictionary.find('sandwich');
    this.#words = new NameWordsFinder(this.#dictionary, namesWith);
    this.#costs = new Float32Array(nameOwners.length);
    this.#costParts = new Float32Array(sections.postings.length);
    this.#firsts = new Int32Array(nameOwners.length).fill(NO_TERM);
    this.#heads = new Int32Array(nameOwners.length).fill(NO_TERM);
    this.#kinds = new Int32Array(nameOwners.length).fill(NO_TERM);
    this.#headCounts = new Uint32Array(this.#dictionary.size);
    this.#foodNames = firstNames(nameOwners, foodDocuments.length);
    this.#addCosts();
    this.#shared = new Float32Array(nameOwners.length);
    this.#missing = new Float32Array(nameOwners.length);
    this.#sharedWords = new Uint8Array(nameOwners.length);
    this.#touched = new Uint32Array(nameOwners.length);
    this.#isAsked = new Uint8Array(this.#dictionary.size);
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

  /** The foods with the best names, best first; equal ones in static order. */
  find(words: readonly QueryWord[], limit: number): SearchHit[] {
    const { postings, postingStarts, nameOwners } = this.#sections;
    const costs = this.#costs;
    const costParts = this.#costParts;
    const shared = this.#shared;
    const missing = this.#missing;
    const sharedWords = this.#sharedWords;
    const touched = this.#touched;
    const asked: number[] = [];
    const unknown = new Set<string>();
    let count = 0;
    let total = 0;
    let head = -1;
    for (const { stem, weight, isHead } of words) {
      const term = this.#words.find(stem).term;
      if (isHead === true) head = term;
      if (term === -1 ? unknown.has(stem) : this.#isAsked[term] === 1) continue;
      if (term === -1) unknown.add(stem);
      const own = weight * (term === -1 ? UNKNOWN_WEIGHT : this.#weights[term]!);
      total += own;
      if (term === -1 || weight === 0) continue;
      this.#isAsked[term] = 1;
      asked.push(term);
      const end = postingStarts[term + 1]!;
      for (let at = postingStarts[term]!; at < end; at++) {
        const name = postings[at]!;
        if (sharedWords[name]!++ === 0) {
          touched[count++] = name;
          missing[name] = costs[name]!;
        }
        shared[name]! += own;
        missing[name]! -= costParts[at]!;
      }
    }
    const best = new BestFoods(limit);
    this.#hasCarrier = tellsOfSandwich(words);
    for (let at = 0; at < count; at++) {
      const name = touched[at]!;
      const weight = shared[name]!;
      // Repeated words of a name may be adjacent once more.
      const most =
        fitOf(weight, Math.max(0, missing[name]!), total) +
        ROUNDING +
        SAME_HEAD +
        UNSPECIFIED +
        sharedWords[name]! * ADJACENT_BONUS;
      if (most > best.worst && most - this.#excess(name, head) > best.worst)
        best.offer(nameOwners[name]! >>> 1, this.#score(name, weight, total, head));
      shared[name] = 0;
      sharedWords[name] = 0;
    }
    for (const term of asked) this.#isAsked[term] = 0;
    return best.list((food) => this.#sections.foodDocuments[food]!);
  }

  scoreOf(words: readonly QueryWord[], { name, brand, aliases }: NamedFood): number {
    const asked = new Map(words.filter(({ weight }) => weight > 0).map((word) => [word.stem, word]));
    const weigh = ({ stem, weight }: QueryWord) => weight * this.weightOf(stem);
    const total = [...asked.values()].reduce((sum, word) => sum + weigh(word), 0);
    const scores = [brand === undefined ? name : `${name}, ${brand}`, ...aliases].map((text, at) => {
      const parts = nameWords(text);
      const flags = flagsOf(parts);
      const seen = new Set<string>();
      const fit = { shared: 0, missing: 0, adjacent: 0, hasHead: false, lacksHead: false, isOther: false };
      let previous = -2;
      for (const [index, { stem }] of parts.entries()) {
        const word = asked.get(stem);
        if (word === undefined) {
          fit.missing += this.weightOf(stem) * factorOf(flags[index]!);
          if ((flags[index]! & (HEAD | ALTERNATIVE)) === HEAD) {
            fit.lacksHead = true;
            fit.isOther = stem === 'sandwich' && !tellsOfSandwich(words);
          }
          continue;
        }
        if (!seen.has(stem)) fit.shared += weigh(word);
        seen.add(stem);
        if (previous === index - 1) fit.adjacent++;
        previous = index;
        if (word.isHead === true && (flags[index]! & (HEAD | FIRST)) !== 0) fit.hasHead = true;
      }
      const heads = parts.filter((_, index) => isHeadAlternative(flags[index]!));
      fit.missing += this.#costOfHeads(heads, asked);
      return fit.shared === 0 ? 0 : scoreOf(fit, total) - (at > 0 ? ALIAS_COST : 0);
    });
    return Math.max(0, ...scores);
  }

  factsOf(document: number): number {
    const food = this.#foodOf(document);
    return food === -1 ? 0 : this.#sections.foodFacts[food]!;
  }

  isFoodWord(stem: string): boolean {
    const { term, likeness } = this.#words.find(stem);
    if (term === -1 || likeness < 1) return false;
    return this.#headCounts[term]! >= FOOD_WORD_SHARE * this.namesWith(stem);
  }

  matchOf(words: readonly QueryWord[], food: number | NamedFood): NameMatch | undefined {
    const asked = this.#toAsked(words);
    if (typeof food !== 'number')
      return this.#bestMatch(this.#termsOf(food), asked, readTraits(food.name).bits);
    const own = this.#foodOf(food);
    if (own === -1) return undefined;
    const { nameTerms, nameStarts, nameOwners } = this.#sections;
    const names: NameTerms[] = [];
    for (let name = this.#foodNames[own]!; name < this.#foodNames[own + 1]!; name++) {
      names.push({
        terms: nameTerms.subarray(nameStarts[name]!, nameStarts[name + 1]!),
        isAlias: (nameOwners[name]! & 1) === 1,
      });
    }
    return this.#bestMatch(names, asked, this.#sections.foodFacts[own]!);
  }

  /** The terms of a food outside of the index; unknown words have numbers beyond the dictionary. */
  #termsOf({ name, brand, aliases }: NamedFood): NameTerms[] {
    const unknown: string[] = [];
    return [brand === undefined ? name : `${name}, ${brand}`, ...aliases].map((text, at) => {
      const words = nameWords(text);
      const flags = flagsOf(words, readTraits(text).ranges);
      const terms = words.map(({ stem }, index) => {
        let term = this.#dictionary.find(stem);
        if (term === -1) {
          if (!unknown.includes(stem)) unknown.push(stem);
          term = this.#dictionary.size + unknown.indexOf(stem);
        }
        return (term << TERM_SHIFT) | flags[index]!;
      });
      return { terms, isAlias: at > 0, unknown };
    });
  }

  #bestMatch(names: readonly NameTerms[], asked: AskedWords, facts: number): NameMatch | undefined {
    let best: NameMatch | undefined;
    for (const name of names) {
      const match = this.#match(name, asked, facts);
      if (best === undefined || match.fit > best.fit) best = match;
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

  #toAsked(words: readonly QueryWord[]): AskedWords {
    const weights = new Map<number | string, AskedWord>();
    let head: number | string | undefined;
    for (const word of words) {
      if (word.weight === 0) continue;
      const { term } = this.#words.find(word.stem);
      const key = term === -1 ? word.stem : term;
      if (word.isHead === true) head = key;
      const weight = word.weight * (term === -1 ? UNKNOWN_WEIGHT : this.#weights[term]!);
      if (!weights.has(key)) weights.set(key, { word, weight, trait: traitOfWord(word.stem) });
    }
    return { words: weights, head };
  }

  #match({ terms, isAlias, unknown }: NameTerms, asked: AskedWords, facts: number): NameMatch {
    const comparison = new NameComparison(asked);
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at]! >>> TERM_SHIFT;
      const weight = this.#weights[term];
      if (weight === undefined)
        comparison.add(unknown![term - this.#dictionary.size]!, terms[at]!, UNKNOWN_WEIGHT);
      else comparison.add(term, terms[at]!, weight);
    }
    return comparison.finish(isAlias, facts);
  }

  #costOfHeads(heads: readonly NameWord[], asked: ReadonlyMap<string, QueryWord>): number {
    if (heads.some(({ stem }) => asked.has(stem))) return 0;
    return MISSING_HEAD_FACTOR * Math.max(0, ...heads.map(({ stem }) => this.weightOf(stem)));
  }

  #addCosts(): void {
    const { nameTerms, nameStarts, postings, postingStarts } = this.#sections;
    const next = postingStarts.slice();
    for (let name = 0; name < this.#costs.length; name++) {
      for (let at = nameStarts[name]!; at < nameStarts[name + 1]!; at++) {
        const flags = nameTerms[at]!;
        const term = flags >>> TERM_SHIFT;
        if ((flags & FIRST) !== 0) this.#firsts[name] = term;
        if ((flags & HEAD) !== 0) this.#heads[name] = term;
        if ((flags & (HEAD | SECOND_HEAD)) !== 0) this.#headCounts[term]!++;
        if ((flags & (HEAD | ALTERNATIVE)) === HEAD) this.#kinds[name] = term;
        // Names ascend in the list of a term; a name that repeats the word has been passed already.
        if (next[term]! === postingStarts[term + 1]! || postings[next[term]!] !== name) continue;
        const cost = this.#weights[term]! * factorOf(nameTerms[at]!);
        this.#costParts[next[term]!++] = cost;
        this.#costs[name]! += cost;
      }
    }
  }

  /** The difference to the highest possible bonus beside the fit. */
  #excess(name: number, head: number): number {
    const { nameOwners, foodFacts } = this.#sections;
    const owner = nameOwners[name]!;
    const kind = this.#kinds[name]!;
    return (
      (this.#firsts[name] === head || this.#heads[name] === head ? 0 : SAME_HEAD) +
      (kind !== NO_TERM && this.#isAsked[kind] === 0 ? OTHER_HEAD_COST : 0) +
      ((foodFacts[owner >>> 1]! & TRAITS.unspecified) === 0 ? UNSPECIFIED : 0) +
      (owner & 1) * ALIAS_COST
    );
  }

  #score(name: number, shared: number, total: number, head: number): number {
    const { nameTerms, nameStarts, nameOwners, foodFacts } = this.#sections;
    let missing = 0;
    let adjacent = 0;
    let hasHead = false;
    let lacksHead = false;
    let isOther = false;
    let previous = -2;
    let lost = 0;
    for (let at = nameStarts[name]!; at < nameStarts[name + 1]!; at++) {
      const term = nameTerms[at]! >>> TERM_SHIFT;
      const flags = nameTerms[at]!;
      if (isHeadAlternative(flags))
        lost = this.#isAsked[term] === 1 ? Number.NEGATIVE_INFINITY : Math.max(lost, this.#weights[term]!);
      if (this.#isAsked[term] === 1) {
        if (previous === at - 1) adjacent++;
        previous = at;
        if (term === head && (flags & (HEAD | FIRST)) !== 0) hasHead = true;
      } else {
        missing += this.#weights[term]! * factorOf(flags);
        if ((flags & (HEAD | ALTERNATIVE)) === HEAD) {
          lacksHead = true;
          isOther = term === this.#sandwich && !this.#hasCarrier;
        }
      }
    }
    if (lost > 0) missing += lost * MISSING_HEAD_FACTOR;
    const owner = nameOwners[name]!;
    return (
      fitOf(shared, missing, total) +
      adjacent * ADJACENT_BONUS +
      (hasHead ? SAME_HEAD : 0) -
      (lacksHead ? OTHER_HEAD_COST : 0) -
      (isOther ? SANDWICH_COST : 0) +
      ((foodFacts[owner >>> 1]! & TRAITS.unspecified) === 0 ? 0 : UNSPECIFIED) -
      (owner & 1) * ALIAS_COST
    );
  }
}

/** One name of a food: its terms with their flags. */
interface NameTerms {
  readonly terms: ArrayLike<number>;
  readonly isAlias: boolean;
  /** The words that no name of the index has, by number. */
  readonly unknown?: readonly string[];
}

/** The first name of each food; names stand in the order of their foods. */
function firstNames(owners: Uint32Array, foods: number): Uint32Array {
  const starts = new Uint32Array(foods + 1).fill(owners.length);
  for (let name = owners.length - 1; name >= 0; name--) starts[owners[name]! >>> 1] = name;
  for (let food = foods - 1; food >= 0; food--) starts[food] = Math.min(starts[food]!, starts[food + 1]!);
  return starts;
}

/**
 * Whether the head is one of several alternatives, as in "Macaroni or noodles with egg", of which the query needs one.
 */
function isHeadAlternative(flags: number): boolean {
  return (flags & ALTERNATIVE) !== 0 && (flags & LATER) === 0;
}
