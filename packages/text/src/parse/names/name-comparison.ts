import { ENGLISH, type LanguageBits } from '@larder/core/name-languages.ts';
import type { Dictionary } from '@larder/search/index/dictionary.ts';
import type { NamedFood, NameMatch, QueryWord } from '../food-names.ts';
import {
  ALTERNATIVE,
  FIRST,
  flagsOf,
  HEAD,
  LATER,
  type NameSections,
  SECOND_HEAD,
  STATE,
  TERM_SHIFT,
} from './name-sections.ts';
import { wordsOfName } from './name-words.ts';
import type { NameWordsFinder } from './name-words-finder.ts';
import { readTraits, TRAITS, traitOfWord } from './traits.ts';

/** Weight of a word that no name has. */
export const UNKNOWN_WEIGHT = 3;

// The score of a name is the weight of shared words, divided by that weight and these shares of the missing ones
// (Tversky's index).
const MISSING_IN_NAME = 0.7;
const MISSING_IN_QUERY = 0.28;
// Factors for words of the name that the query lacks.
const MISSING_HEAD_FACTOR = 1;
const LATER_FACTOR = 0.55;
const FIRST_PART_FACTOR = 1.8;
const ALTERNATIVE_FACTOR = 0.2;
// Bonuses and penalties.
export const SAME_HEAD = 0.05;
export const ADJACENT_BONUS = 0.03;
export const OTHER_HEAD_COST = 0.1;
/** Bonus of a name that calls the food unspecified. */
export const UNSPECIFIED = 0.02;
/** Penalty of a name that is not the food's first one. */
const ALIAS_COST = 0.05;
/** Penalty of a sandwich for "sardines"; its word is too frequent to weigh enough. */
const SANDWICH_COST = 0.1;
const CARRIERS: ReadonlySet<string> = new Set(
  'bread toast bun roll biscuit muffin bagel croissant'.split(' '),
);
/** The penalties of an English name for a text in another language, and of a name in a third language, which is never sure. */
const LANGUAGE_COSTS: Readonly<Record<NameMatch['language'], number>> = {
  own: 0,
  second: 0.02,
  other: 0.051,
};
/** Maximum words of a query, which are bits of a number. */
const MAX_WORDS = 31;

export function fitOf(shared: number, missing: number, total: number): number {
  return shared / (shared + MISSING_IN_NAME * (total - shared) + MISSING_IN_QUERY * missing);
}

/** The minimum weight that a name with this fit shares. */
export function leastShared(fit: number, total: number): number {
  return fit <= 0 ? 0 : (fit * MISSING_IN_NAME * total) / (1 - fit * (1 - MISSING_IN_NAME));
}

/** The factor of a word of the name that the query lacks, by its flags. */
export function factorOf(flags: number): number {
  if ((flags & ALTERNATIVE) !== 0) return ALTERNATIVE_FACTOR;
  if ((flags & HEAD) !== 0) return MISSING_HEAD_FACTOR;
  return (flags & LATER) !== 0 ? LATER_FACTOR : FIRST_PART_FACTOR;
}

/** Compares the language of a name with those of the text; all are equal if either is unknown. */
function languageOfName(name: LanguageBits, text: LanguageBits): NameMatch['language'] {
  if (text === 0 || (name & text) !== 0) return 'own';
  if ((name & ENGLISH) !== 0 || name === 0) return (text & ENGLISH) !== 0 ? 'own' : 'second';
  return 'other';
}

/** Whether a name is an alias that does not translate the food's name into the text's language. */
function isSecondary(isAlias: boolean, name: LanguageBits, text: LanguageBits): boolean {
  return isAlias && ((text & ENGLISH) !== 0 || (name & text) === 0);
}

/** A word of a query, with its weight and its rarity together. */
export interface AskedWord {
  readonly word: QueryWord;
  /** -1 for a word that no name has. */
  readonly term: number;
  readonly weight: number;
  /** State that the word names, such as "raw"; see `traits.ts`. 0 for other words. */
  readonly trait: number;
}

/** A name: its terms with their flags. */
interface ComparedName {
  readonly terms: ArrayLike<number>;
  readonly from: number;
  readonly to: number;
  readonly isAlias: boolean;
  readonly languages: LanguageBits;
  /** Words that no name of the index has, by number beyond the dictionary. */
  readonly unknown?: readonly string[];
}

interface NameComparisonOptions {
  readonly sections: NameSections;
  readonly dictionary: Dictionary;
  /** Rarity of each term. */
  readonly weights: Float32Array;
  readonly words: NameWordsFinder;
}

/**
 * Compares a phrase with names, word by word: those of the index for a look-up, and all names of one food, in the index or
 * outside of it. The only place that knows how like a phrase and a name are.
 */
export class NameComparison {
  readonly #sections: NameSections;
  readonly #dictionary: Dictionary;
  readonly #weights: Float32Array;
  readonly #words: NameWordsFinder;
  readonly #sandwich: number;
  // The phrase, whose words are numbered from 1.
  #asked: readonly AskedWord[] = [];
  #last: readonly QueryWord[] | undefined;
  /** The number of each asked term, and of each asked word that no name has. */
  readonly #numbers: Uint8Array;
  readonly #unknown = new Map<string, number>();
  #total = 0;
  #head = 0;
  #hasCarrier = false;
  #languages: LanguageBits = 0;
  // The compared name.
  #seen = 0;
  #shared = 0;
  #missing = 0;
  #missingStates = 0;
  #foreign = 0;
  #later = 0;
  #adjacent = 0;
  #kinds = 0;
  #hasKind = false;
  #lacksHead = false;
  #isSandwich = false;
  #headIn: NameMatch['head'] = 'absent';
  #hasHead = false;

  constructor({ sections, dictionary, weights, words }: NameComparisonOptions) {
    this.#sections = sections;
    this.#dictionary = dictionary;
    this.#weights = weights;
    this.#words = words;
    this.#sandwich = dictionary.find('sandwich');
    this.#numbers = new Uint8Array(weights.length);
  }

  /** Sets the phrase that names are compared with, and returns its words without repetitions. */
  ask(words: readonly QueryWord[], languages: LanguageBits): readonly AskedWord[] {
    this.#languages = languages;
    if (this.#last === words) return this.#asked;
    for (const { term } of this.#asked) if (term !== -1) this.#numbers[term] = 0;
    this.#unknown.clear();
    const asked: AskedWord[] = [];
    this.#head = 0;
    for (const word of words) {
      if (word.weight === 0 || asked.length === MAX_WORDS) continue;
      const { term } = this.#words.find(word.stem);
      let number = term === -1 ? (this.#unknown.get(word.stem) ?? 0) : this.#numbers[term]!;
      if (number === 0) {
        const weight = word.weight * (term === -1 ? UNKNOWN_WEIGHT : this.#weights[term]!);
        number = asked.push({ word, term, weight, trait: traitOfWord(word.stem) });
        if (term === -1) this.#unknown.set(word.stem, number);
        else this.#numbers[term] = number;
      }
      if (word.isHead === true) this.#head = number;
    }
    this.#asked = asked;
    this.#last = words;
    this.#total = asked.reduce((sum, { weight }) => sum + weight, 0);
    this.#hasCarrier = words.some(({ stem }) => CARRIERS.has(stem));
    return asked;
  }

  /** The weight of the phrase. */
  get total(): number {
    return this.#total;
  }

  isAsked(term: number): boolean {
    return this.#numbers[term] !== 0;
  }

  isHead(term: number): boolean {
    return this.#head !== 0 && this.#numbers[term] === this.#head;
  }

  /** The score of a name of the index; about 1 for equal words. */
  score(name: number): number {
    const { nameTerms, nameStarts, nameOwners, foodFacts } = this.#sections;
    this.#compare(nameTerms, nameStarts[name]!, nameStarts[name + 1]!);
    return this.#score(this.costOf(name), foodFacts[nameOwners[name]! >>> 1]!);
  }

  /** The penalty of a name of the index for its language, and for not being the food's first one. */
  costOf(name: number): number {
    const { nameOwners, nameLanguages } = this.#sections;
    return this.#costOf((nameOwners[name]! & 1) === 1, nameLanguages[name] ?? 0);
  }

  #costOf(isAlias: boolean, languages: LanguageBits): number {
    const isSecond = isSecondary(isAlias, languages, this.#languages);
    return LANGUAGE_COSTS[languageOfName(languages, this.#languages)] + (isSecond ? ALIAS_COST : 0);
  }

  /** How the best of some names of the index compares with the phrase. */
  bestOf(names: { readonly from: number; readonly to: number }, facts: number): NameMatch | undefined {
    const { nameTerms, nameStarts, nameOwners, nameLanguages } = this.#sections;
    let best: NameMatch | undefined;
    for (let name = names.from; name < names.to; name++) {
      const [from, to] = [nameStarts[name]!, nameStarts[name + 1]!];
      // A name without words of the phrase fits worse than any with one; the first one represents all of them.
      if (best !== undefined && !this.#sharesWord(from, to)) continue;
      const isAlias = (nameOwners[name]! & 1) === 1;
      const languages = nameLanguages[name] ?? 0;
      best = better(best, this.#match({ terms: nameTerms, from, to, isAlias, languages }, facts));
    }
    return best;
  }

  /** How the best name of a food outside of the index compares with the phrase. */
  bestNameOf({ name, brand, aliases, nameLanguages = [] }: NamedFood): NameMatch | undefined {
    const facts = readTraits(name).bits;
    const unknown: string[] = [];
    let best: NameMatch | undefined;
    for (const [at, text] of [brand === undefined ? name : `${name}, ${brand}`, ...aliases].entries()) {
      const words = wordsOfName(text);
      const flags = flagsOf(words, readTraits(text).ranges);
      const terms = words.map(
        ({ stem }, index) => (this.#termOf(stem, unknown) << TERM_SHIFT) | flags[index]!,
      );
      const named = { terms, from: 0, to: terms.length, unknown };
      best = better(
        best,
        this.#match({ ...named, isAlias: at > 0, languages: nameLanguages[at] ?? 0 }, facts),
      );
    }
    return best;
  }

  /** Unknown words get numbers beyond the dictionary. */
  #termOf(stem: string, unknown: string[]): number {
    const term = this.#dictionary.find(stem);
    if (term !== -1) return term;
    if (!unknown.includes(stem)) unknown.push(stem);
    return this.#dictionary.size + unknown.indexOf(stem);
  }

  #sharesWord(from: number, to: number): boolean {
    const { nameTerms } = this.#sections;
    for (let at = from; at < to; at++) if (this.isAsked(nameTerms[at]! >>> TERM_SHIFT)) return true;
    return false;
  }

  #compare(terms: ArrayLike<number>, from: number, to: number, unknown?: readonly string[]): void {
    this.#seen = 0;
    this.#shared = 0;
    this.#missing = 0;
    this.#missingStates = 0;
    this.#foreign = 0;
    this.#later = 0;
    this.#adjacent = 0;
    this.#kinds = 0;
    this.#hasKind = false;
    this.#lacksHead = false;
    this.#isSandwich = false;
    this.#headIn = this.#head === 0 ? 'head' : 'absent';
    this.#hasHead = false;
    let previous = -2;
    /** Weight of the heaviest head among alternatives, none of which the phrase has: "macaroni or noodles". */
    let alternative = 0;
    let hasAlternative = false;
    for (let at = from; at < to; at++) {
      const flags = terms[at]!;
      const term = flags >>> TERM_SHIFT;
      const weight = this.#weights[term] ?? UNKNOWN_WEIGHT;
      const number = this.#numberOf(term, unknown);
      if ((flags & (HEAD | SECOND_HEAD)) !== 0) this.#kinds++;
      if ((flags & (ALTERNATIVE | LATER)) === ALTERNATIVE) {
        hasAlternative ||= number !== 0;
        alternative = Math.max(alternative, weight);
      }
      if (number === 0) this.#addForeign(term, flags, weight);
      else {
        this.#addAsked(number, flags, previous === at - 1);
        previous = at;
      }
    }
    if (!hasAlternative) this.#missing += MISSING_HEAD_FACTOR * alternative;
  }

  #numberOf(term: number, unknown: readonly string[] | undefined): number {
    if (term < this.#numbers.length) return this.#numbers[term]!;
    return this.#unknown.get(unknown![term - this.#numbers.length]!) ?? 0;
  }

  #addAsked(number: number, flags: number, isAdjacent: boolean): void {
    if ((this.#seen & (1 << number)) === 0) this.#shared += this.#asked[number - 1]!.weight;
    this.#seen |= 1 << number;
    if (isAdjacent) this.#adjacent++;
    const isKind = (flags & (HEAD | SECOND_HEAD)) !== 0;
    if (isKind) this.#hasKind = true;
    if (number !== this.#head) return;
    if ((flags & (HEAD | FIRST)) !== 0) this.#hasHead = true;
    if (isKind) this.#headIn = 'head';
    else if ((flags & FIRST) !== 0 && this.#headIn !== 'head') this.#headIn = 'first';
    else if (this.#headIn === 'absent') this.#headIn = 'elsewhere';
  }

  #addForeign(term: number, flags: number, weight: number): void {
    const cost = weight * factorOf(flags);
    if ((flags & (HEAD | ALTERNATIVE)) === HEAD) {
      this.#lacksHead = true;
      this.#isSandwich = term === this.#sandwich;
    }
    if ((flags & STATE) !== 0) {
      this.#missingStates += cost;
      return;
    }
    this.#missing += cost;
    if ((flags & (LATER | SECOND_HEAD)) === LATER) this.#later++;
    else if ((flags & ALTERNATIVE) === 0) this.#foreign++;
  }

  #score(cost: number, facts: number): number {
    return (
      fitOf(this.#shared, this.#missing + this.#missingStates, this.#total) +
      this.#adjacent * ADJACENT_BONUS +
      (this.#hasHead ? SAME_HEAD : 0) -
      (this.#lacksHead ? OTHER_HEAD_COST : 0) -
      (this.#isSandwich && !this.#hasCarrier ? SANDWICH_COST : 0) +
      ((facts & TRAITS.unspecified) === 0 ? 0 : UNSPECIFIED) -
      cost
    );
  }

  /** `facts` are those of the food, though another name may state its traits. */
  #match({ terms, from, to, unknown, isAlias, languages }: ComparedName, facts: number): NameMatch {
    this.#compare(terms, from, to, unknown);
    let total = this.#shared;
    let lostStates = 0;
    const lost: QueryWord[] = [];
    for (const [at, { word, weight, trait }] of this.#asked.entries()) {
      if ((this.#seen & (1 << (at + 1))) !== 0 || (trait & facts) !== 0) continue;
      if (trait !== 0) lostStates += weight;
      else {
        total += weight;
        lost.push(word);
      }
    }
    const hasKind = this.#hasKind || this.#kinds === 0;
    const isSecond = isSecondary(isAlias, languages, this.#languages);
    const bonus =
      this.#adjacent * ADJACENT_BONUS +
      (this.#headIn === 'head' || this.#headIn === 'first' ? SAME_HEAD : 0) -
      (hasKind ? 0 : OTHER_HEAD_COST) -
      (isSecond ? ALIAS_COST : 0);
    const fit = (more: number, states: number) =>
      this.#shared === 0 ? 0 : fitOf(this.#shared, this.#missing + more, total + states) + bonus;
    return {
      score: this.#shared === 0 ? 0 : Math.max(0, this.#score(this.#costOf(isAlias, languages), facts)),
      fit: fit(0, 0),
      wholeFit: fit(this.#missingStates, lostStates),
      head: this.#headIn,
      hasKind,
      foreign: this.#foreign,
      later: this.#later,
      lost,
      adjacent: this.#adjacent,
      isAlias: isSecond,
      language: languageOfName(languages, this.#languages),
    };
  }
}

/** Among equally good names the one in the text's language is preferred. */
function better(best: NameMatch | undefined, other: NameMatch): NameMatch {
  const preference = ({ fit, language }: NameMatch) => fit - LANGUAGE_COSTS[language];
  return best === undefined || preference(other) > preference(best) ? other : best;
}
