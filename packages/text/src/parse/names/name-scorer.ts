import type { LanguageBits } from '@larder/core/name-languages.ts';
import {
  ADJACENT_BONUS,
  costOfName,
  factorOf,
  fitOf,
  MISSING_HEAD_FACTOR,
  OTHER_HEAD_COST,
  SAME_HEAD,
  SANDWICH_COST,
} from './name-score.ts';
import {
  ALTERNATIVE,
  FIRST,
  HEAD,
  isHeadAlternative,
  type NameSections,
  TERM_SHIFT,
} from './name-sections.ts';
import { TRAITS } from './traits.ts';

const NO_TERM = -1;

/** Bonus of a name that calls the food unspecified. */
export const UNSPECIFIED = 0.02;

/** Options of a look-up, beside its terms. */
export interface NameQuery {
  /** The weight of all its words. */
  readonly total: number;
  /** The term of its head; -1 for none. */
  readonly head: number;
  /** The query names a sandwich. */
  readonly hasCarrier: boolean;
  readonly languages: LanguageBits;
}

interface NameScorerOptions {
  readonly sections: NameSections;
  /** Rarity of each term. */
  readonly weights: Float32Array;
  /** The term "sandwich", or -1. */
  readonly sandwich: number;
}

/** Scores names for the words of one look-up after another. */
export class NameScorer {
  readonly #sections: NameSections;
  readonly #weights: Float32Array;
  readonly #sandwich: number;
  /** The first word of each name, the head word, and the kind: the head unless it is an alternative. */
  readonly #firsts: Int32Array;
  readonly #heads: Int32Array;
  readonly #kinds: Int32Array;
  /** 1 for each term that the look-up asks for. */
  readonly isAsked: Uint8Array;
  #asked: NameQuery = { total: 0, head: NO_TERM, hasCarrier: false, languages: 0 };

  constructor({ sections, weights, sandwich }: NameScorerOptions) {
    this.#sections = sections;
    this.#weights = weights;
    this.#sandwich = sandwich;
    const { nameTerms, nameStarts, nameOwners } = sections;
    const names = nameOwners.length;
    this.#firsts = new Int32Array(names).fill(NO_TERM);
    this.#heads = new Int32Array(names).fill(NO_TERM);
    this.#kinds = new Int32Array(names).fill(NO_TERM);
    this.isAsked = new Uint8Array(weights.length);
    for (let name = 0; name < names; name++) {
      for (let at = nameStarts[name]!; at < nameStarts[name + 1]!; at++) {
        const flags = nameTerms[at]!;
        const term = flags >>> TERM_SHIFT;
        if ((flags & FIRST) !== 0) this.#firsts[name] = term;
        if ((flags & HEAD) !== 0) this.#heads[name] = term;
        if ((flags & (HEAD | ALTERNATIVE)) === HEAD) this.#kinds[name] = term;
      }
    }
  }

  ask(asked: NameQuery): void {
    this.#asked = asked;
  }

  /** The difference to the maximum bonus beside the fit. */
  excess(name: number): number {
    const { head } = this.#asked;
    const { nameOwners, foodFacts } = this.#sections;
    const owner = nameOwners[name]!;
    const kind = this.#kinds[name]!;
    return (
      (this.#firsts[name] === head || this.#heads[name] === head ? 0 : SAME_HEAD) +
      (kind !== NO_TERM && this.isAsked[kind] === 0 ? OTHER_HEAD_COST : 0) +
      ((foodFacts[owner >>> 1]! & TRAITS.unspecified) === 0 ? UNSPECIFIED : 0) +
      this.#costOf(name)
    );
  }

  /** `shared` is the weight of the words that the name has. */
  score(name: number, shared: number): number {
    const { head, total, hasCarrier } = this.#asked;
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
        lost = this.isAsked[term] === 1 ? Number.NEGATIVE_INFINITY : Math.max(lost, this.#weights[term]!);
      if (this.isAsked[term] === 1) {
        if (previous === at - 1) adjacent++;
        previous = at;
        if (term === head && (flags & (HEAD | FIRST)) !== 0) hasHead = true;
      } else {
        missing += this.#weights[term]! * factorOf(flags);
        if ((flags & (HEAD | ALTERNATIVE)) === HEAD) {
          lacksHead = true;
          isOther = term === this.#sandwich && !hasCarrier;
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
      this.#costOf(name)
    );
  }

  #costOf(name: number): number {
    const { nameOwners, nameLanguages } = this.#sections;
    return costOfName((nameOwners[name]! & 1) === 1, nameLanguages[name] ?? 0, this.#asked.languages);
  }
}
