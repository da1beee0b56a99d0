import type { LanguageBits } from '@larder/core/name-languages.ts';
import type { SearchHit } from '@larder/search/match/top-hits.ts';
import type { QueryWord } from '../food-names.ts';
import { BestFoods } from './best-foods.ts';
import {
  ADJACENT_BONUS,
  type AskedWord,
  factorOf,
  fitOf,
  leastShared,
  type NameComparison,
  OTHER_HEAD_COST,
  SAME_HEAD,
  UNSPECIFIED,
} from './name-comparison.ts';
import { ALTERNATIVE, FIRST, HEAD, type NameSections, TERM_SHIFT } from './name-sections.ts';
import { TRAITS } from './traits.ts';

/** A margin above the rounding errors of sums in 32-bit numbers. */
const ROUNDING = 1e-4;
/** Maximum score of a name beside its fit and its adjacent words. */
const MAX_BONUS = SAME_HEAD + UNSPECIFIED + ROUNDING;
/** A query's lightest words, up to this share of its weight, find no names of their own unless too few are found. */
const LIGHT_SHARE = 0.3;

const NO_TERM = -1;

// Fields of a name during a look-up, stored together so that they take one memory access. The first is the
// shared weight.
const MISSING = 1;
/** Number of words that query and name share, or `KNOWN` for a name that was already compared. */
const WORDS = 2;
const KNOWN = -1;
/** The cost of the name's words for a query that has none of them; a repeated word counts once. */
const COST = 3;
const STRIDE_BITS = 2;

interface NameLookUpOptions {
  readonly sections: NameSections;
  /** Rarity of each term. */
  readonly weights: Float32Array;
  readonly comparison: NameComparison;
}

/** Returns the cache key of a look-up. */
export function keyOf(words: readonly QueryWord[], limit: number): string {
  let key = `${limit}`;
  for (const { stem, weight, isHead } of words) key += ` ${stem} ${isHead === true ? -weight : weight}`;
  return key;
}

/**
 * Finds the foods with the best names for some words. Adds up the weight that each name shares with them from
 * the posting lists, heaviest words first, and completely scores only names that may still be among the best.
 */
export class NameLookUp {
  readonly #sections: NameSections;
  readonly #weights: Float32Array;
  readonly #comparison: NameComparison;
  /** For each posting, the cost of this word. */
  readonly #costParts: Float32Array;
  /** The first word of each name, the head word, and the kind: the head unless it is an alternative. */
  readonly #firsts: Int32Array;
  readonly #heads: Int32Array;
  readonly #kinds: Int32Array;
  // Scratch memory of one look-up.
  readonly #tallies: Float32Array;
  readonly #touched: Uint32Array;
  #count = 0;
  /** The names with several of the words, which are scored first. */
  readonly #touchedTwice: Uint32Array;
  #countTwice = 0;

  constructor({ sections, weights, comparison }: NameLookUpOptions) {
    this.#sections = sections;
    this.#weights = weights;
    this.#comparison = comparison;
    const names = sections.nameOwners.length;
    this.#costParts = new Float32Array(sections.postings.length);
    this.#tallies = new Float32Array(names << STRIDE_BITS);
    this.#touched = new Uint32Array(names);
    this.#touchedTwice = new Uint32Array(names);
    this.#firsts = new Int32Array(names).fill(NO_TERM);
    this.#heads = new Int32Array(names).fill(NO_TERM);
    this.#kinds = new Int32Array(names).fill(NO_TERM);
    this.#addCosts();
  }

  find(words: readonly QueryWord[], limit: number, languages: LanguageBits): SearchHit[] {
    const { foodDocuments } = this.#sections;
    const terms = this.#comparison
      .ask(words, languages)
      .filter(({ term }) => term !== NO_TERM)
      .sort((a, b) => b.weight - a.weight);
    const { total } = this.#comparison;
    let light = 0;
    let from = terms.length;
    while (from > 1 && light + terms[from - 1]!.weight <= LIGHT_SHARE * total) light += terms[--from]!.weight;
    this.#count = 0;
    this.#countTwice = 0;
    for (let at = 0; at < from; at++) this.#add(terms[at]!);
    for (let at = from; at < terms.length; at++) this.#addToFound(terms[at]!);
    const best = new BestFoods(limit);
    this.#scoreFound(0, terms[0]?.weight ?? 0, best, total);
    const most = fitOf(light, 0, total) + MAX_BONUS;
    if (light > 0 && most + (terms.length - from) * ADJACENT_BONUS >= best.worst) {
      const known = this.#count;
      for (let at = 0; at < known; at++) this.#tallies[(this.#touched[at]! << STRIDE_BITS) + WORDS] = KNOWN;
      this.#countTwice = 0;
      for (let at = from; at < terms.length; at++) this.#add(terms[at]!);
      this.#scoreFound(known, light, best, total);
    }
    for (let at = 0; at < this.#count; at++) this.#tallies[(this.#touched[at]! << STRIDE_BITS) + WORDS] = 0;
    return best.list((food) => foodDocuments[food]!);
  }

  /** Adds a word to all names that have it, except those already compared. */
  #add({ term, weight }: AskedWord): void {
    const { postings, postingStarts } = this.#sections;
    const tallies = this.#tallies;
    const costParts = this.#costParts;
    const end = postingStarts[term + 1]!;
    for (let at = postingStarts[term]!; at < end; at++) {
      const name = postings[at]!;
      const tally = name << STRIDE_BITS;
      const words = tallies[tally + WORDS]!;
      if (words > 0) {
        tallies[tally]! += weight;
        tallies[tally + MISSING]! -= costParts[at]!;
        if (words === 1) this.#touchedTwice[this.#countTwice++] = name;
        tallies[tally + WORDS] = words + 1;
      } else if (words === 0) {
        this.#touched[this.#count++] = name;
        tallies[tally] = weight;
        tallies[tally + MISSING] = tallies[tally + COST]! - costParts[at]!;
        tallies[tally + WORDS] = 1;
      }
    }
  }

  #addToFound({ term, weight }: AskedWord): void {
    const { postings, postingStarts } = this.#sections;
    const tallies = this.#tallies;
    const end = postingStarts[term + 1]!;
    for (let at = postingStarts[term]!; at < end; at++) {
      const name = postings[at]!;
      const tally = name << STRIDE_BITS;
      const words = tallies[tally + WORDS]!;
      if (words === 0) continue;
      if (words === 1) this.#touchedTwice[this.#countTwice++] = name;
      tallies[tally]! += weight;
      tallies[tally + MISSING]! -= this.#costParts[at]!;
      tallies[tally + WORDS] = words + 1;
    }
  }

  /**
   * Scores the names with several words, then those with a single word whose weight is at most `most`, since
   * few of these are better.
   */
  #scoreFound(from: number, most: number, best: BestFoods, total: number): void {
    for (let at = 0; at < this.#countTwice; at++) this.#scoreIfGood(this.#touchedTwice[at]!, best, total);
    const least = leastShared(best.worst - MAX_BONUS - ADJACENT_BONUS, total);
    if (most < least) return;
    const tallies = this.#tallies;
    for (let at = from; at < this.#count; at++) {
      const name = this.#touched[at]!;
      const tally = name << STRIDE_BITS;
      if (tallies[tally + WORDS] === 1 && tallies[tally]! >= least) this.#scoreIfGood(name, best, total);
    }
  }

  #scoreIfGood(name: number, best: BestFoods, total: number): void {
    const tally = name << STRIDE_BITS;
    const shared = this.#tallies[tally]!;
    // Repeated words of a name may form one more adjacent pair.
    const most =
      fitOf(shared, Math.max(0, this.#tallies[tally + MISSING]!), total) +
      MAX_BONUS +
      this.#tallies[tally + WORDS]! * ADJACENT_BONUS;
    if (most > best.worst && most - this.#excess(name) > best.worst)
      best.offer(this.#sections.nameOwners[name]! >>> 1, this.#comparison.score(name));
  }

  /** The difference to the maximum bonus beside the fit. */
  #excess(name: number): number {
    const { nameOwners, foodFacts } = this.#sections;
    const comparison = this.#comparison;
    const kind = this.#kinds[name]!;
    const hasHead = comparison.isHead(this.#firsts[name]!) || comparison.isHead(this.#heads[name]!);
    return (
      (hasHead ? 0 : SAME_HEAD) +
      (kind !== NO_TERM && !comparison.isAsked(kind) ? OTHER_HEAD_COST : 0) +
      ((foodFacts[nameOwners[name]! >>> 1]! & TRAITS.unspecified) === 0 ? UNSPECIFIED : 0) +
      comparison.costOf(name)
    );
  }

  /** Computes what each name costs, and its first word and its head. */
  #addCosts(): void {
    const { nameTerms, nameStarts, postings, postingStarts } = this.#sections;
    const next = postingStarts.slice();
    for (let name = 0; name < this.#sections.nameOwners.length; name++) {
      for (let at = nameStarts[name]!; at < nameStarts[name + 1]!; at++) {
        const flags = nameTerms[at]!;
        const term = flags >>> TERM_SHIFT;
        if ((flags & FIRST) !== 0) this.#firsts[name] = term;
        if ((flags & HEAD) !== 0) this.#heads[name] = term;
        if ((flags & (HEAD | ALTERNATIVE)) === HEAD) this.#kinds[name] = term;
        // A term's list of names ascends; a name that repeats the word was already visited.
        if (next[term]! === postingStarts[term + 1]! || postings[next[term]!] !== name) continue;
        const cost = this.#weights[term]! * factorOf(nameTerms[at]!);
        this.#costParts[next[term]!++] = cost;
        this.#tallies[(name << STRIDE_BITS) + COST]! += cost;
      }
    }
  }
}
