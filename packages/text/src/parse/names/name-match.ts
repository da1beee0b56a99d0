import type { LanguageBits } from '@larder/core/name-languages.ts';
import type { NameMatch, QueryWord } from '../food-names.ts';
import {
  ADJACENT_BONUS,
  ALIAS_COST,
  factorOf,
  fitOf,
  isSecondary,
  languageOfName,
  MISSING_HEAD_FACTOR,
  OTHER_HEAD_COST,
  SAME_HEAD,
} from './name-score.ts';
import { ALTERNATIVE, FIRST, HEAD, LATER, SECOND_HEAD, STATE } from './name-sections.ts';

/** A word of a query, with its weight beside its rarity. */
export interface QueryTerm {
  readonly word: QueryWord;
  readonly weight: number;
  /** State that the word names, such as "raw"; see `traits.ts`. 0 for other words. */
  readonly trait: number;
}

/** The words of a query by term, or by stem for words that no name has. */
export interface QueryTerms {
  readonly words: ReadonlyMap<number | string, QueryTerm>;
  readonly head: number | string | undefined;
  /** Languages of the text; 0 if unknown. */
  readonly languages: LanguageBits;
}

export interface ComparedName {
  readonly isAlias: boolean;
  readonly languages: LanguageBits;
}

/** Compares one name with the words of a query, word by word. */
export class NameComparison {
  readonly #asked: QueryTerms;
  readonly #seen = new Set<number | string>();
  #shared = 0;
  #missing = 0;
  #missingStates = 0;
  #foreign = 0;
  #later = 0;
  #adjacent = 0;
  #previous = -2;
  #at = 0;
  #kinds = 0;
  #hasKind = false;
  #head: NameMatch['head'] = 'absent';
  /** Weight of the heaviest head among alternatives, and whether the query has one of them. */
  #alternative = 0;
  #hasAlternative = false;

  constructor(asked: QueryTerms) {
    this.#asked = asked;
    if (asked.head === undefined) this.#head = 'head';
  }

  /** Adds the next word of the name; `weight` is its rarity. */
  add(term: number | string, flags: number, weight: number): void {
    const asked = this.#asked.words.get(term);
    const isAlternative = (flags & ALTERNATIVE) !== 0 && (flags & LATER) === 0;
    if ((flags & (HEAD | SECOND_HEAD)) !== 0) this.#kinds++;
    if (isAlternative && asked !== undefined) this.#hasAlternative = true;
    if (isAlternative) this.#alternative = Math.max(this.#alternative, weight);
    if (asked === undefined) this.#addForeign(flags, weight);
    else this.#addAsked(term, flags, asked.weight);
    this.#at++;
  }

  #addForeign(flags: number, weight: number): void {
    const cost = weight * factorOf(flags);
    if ((flags & STATE) !== 0) {
      this.#missingStates += cost;
      return;
    }
    this.#missing += cost;
    if ((flags & (LATER | SECOND_HEAD)) === LATER) this.#later++;
    else if ((flags & ALTERNATIVE) === 0) this.#foreign++;
  }

  #addAsked(term: number | string, flags: number, weight: number): void {
    if (!this.#seen.has(term)) this.#shared += weight;
    this.#seen.add(term);
    if (this.#previous === this.#at - 1) this.#adjacent++;
    this.#previous = this.#at;
    if ((flags & (HEAD | SECOND_HEAD)) !== 0) this.#hasKind = true;
    if (term !== this.#asked.head) return;
    if ((flags & (HEAD | SECOND_HEAD)) !== 0) this.#head = 'head';
    else if ((flags & FIRST) !== 0 && this.#head !== 'head') this.#head = 'first';
    else if (this.#head === 'absent') this.#head = 'elsewhere';
  }

  /** `facts` are those of the food, though another name may state its traits. */
  finish({ isAlias, languages }: ComparedName, facts: number): NameMatch {
    let total = this.#shared;
    let lostStates = 0;
    const lost: QueryWord[] = [];
    for (const [key, { word, weight, trait }] of this.#asked.words) {
      if (this.#seen.has(key)) continue;
      if ((trait & facts) !== 0) continue;
      if (trait !== 0) lostStates += weight;
      else {
        total += weight;
        lost.push(word);
      }
    }
    const hasKind = this.#hasKind || this.#kinds === 0;
    const isSecond = isSecondary(isAlias, languages, this.#asked.languages);
    const missing = this.#missing + (this.#hasAlternative ? 0 : MISSING_HEAD_FACTOR * this.#alternative);
    const bonus =
      this.#adjacent * ADJACENT_BONUS +
      (this.#head === 'head' || this.#head === 'first' ? SAME_HEAD : 0) -
      (hasKind ? 0 : OTHER_HEAD_COST) -
      (isSecond ? ALIAS_COST : 0);
    const fit = (more: number, states: number) =>
      this.#shared === 0 ? 0 : fitOf(this.#shared, missing + more, total + states) + bonus;
    return {
      fit: fit(0, 0),
      wholeFit: fit(this.#missingStates, lostStates),
      covered: total === 0 ? 0 : this.#shared / total,
      head: this.#head,
      hasKind,
      foreign: this.#foreign,
      later: this.#later,
      lost,
      adjacent: this.#adjacent,
      isAlias: isSecond,
      language: languageOfName(languages, this.#asked.languages),
    };
  }
}
