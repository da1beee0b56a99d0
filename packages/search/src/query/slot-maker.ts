import {
  commonPrefix,
  inflectionsOf,
  SMALL_WORDS,
  synonymsOf,
  withoutDigraphs,
} from '@larder/core/words/related-words.ts';
import type { Dictionary } from '../index/dictionary.ts';
import type { PostingLists } from '../index/posting-lists.ts';
import { type TrigramSections, termsAround } from '../index/trigram-table.ts';
import type { Slot, Span, WeightedRange } from './plan.ts';
import { type Budget, MAX_INFIX_TERMS } from './query-limits.ts';
import {
  COMPOUND,
  EDIT,
  EXACT,
  FUZZY_PREFIX,
  INFIX,
  INFLECTED,
  KNOWN_WORD_COST,
  MISSING,
  MISSING_RARE,
  MISSING_SMALL_WORD,
  NEAR_EXACT,
  ONE_EDIT,
  PREFIX,
  PREFIX_OF_WORD,
  SURELY_MEANT,
  SYNONYM,
} from './ranking-weights.ts';
import { editsAllowed, type SimilarTerm, type Spelling } from './spelling.ts';

/** A neighbour this many times as frequent makes a rare word look like a typo. */
const SLIP_RATIO = 12;
/** From this ratio on the neighbour is almost certainly meant. */
const SURE_SLIP_RATIO = 400;
const MIN_SURE_LENGTH = 5;
/** It must also be this many times as frequent as other forms of the word, which are likelier than a typo. */
const RELATIVE_RATIO = 3;
/** Only words in less than one document in this many may be typos. */
const SUSPECT_SHARE = 1_000;
/** Share of documents for a suspicious prefix. */
const ODD_SHARE = 10_000;
/** In small catalogues one document proves nothing. */
const MIN_SUSPECT_DOCUMENTS = 3;
/** Short words have frequent neighbours by chance. */
const MIN_SLIP_LENGTH = 4;
/** Minimum length of a prefix, for which chance neighbours are even likelier. */
const MIN_BEGINNING_LENGTH = 5;
const MIN_INFIX_LENGTH = 4;
/** Minimum letters of the beginning of a compound. */
const MIN_COMPOUND_PART = 4;
/** German joins words by these letters: "Geburtstagskuchen". */
const LINKED = /[ns]$/;

/** Turns typed words into slots: the terms that match them. */
export class SlotMaker {
  readonly #dictionary: Dictionary;
  readonly #lists: PostingLists;
  readonly #spelling: Spelling;
  readonly #trigrams: TrigramSections;
  readonly #documents: number;

  constructor(ports: {
    readonly dictionary: Dictionary;
    readonly lists: PostingLists;
    readonly spelling: Spelling;
    readonly trigrams: TrigramSections;
    readonly documents: number;
  }) {
    this.#dictionary = ports.dictionary;
    this.#lists = ports.lists;
    this.#spelling = ports.spelling;
    this.#trigrams = ports.trigrams;
    this.#documents = ports.documents;
  }

  /** The word, its inflections and synonyms; also its continuations if it may be unfinished or is unknown. */
  asTyped(token: string, mayContinue: boolean, budget: Budget): Slot {
    const ranges = this.#typedRanges(token, mayContinue);
    const slot = this.#slot(token, ranges);
    // The count excludes other forms of the word.
    let typed: number;
    if (mayContinue) {
      const { from, to } = this.#dictionary.startingWith(token);
      typed = this.#lists.count(from, to);
    } else typed = this.documentsWith(token);
    if (!this.#isSuspect(typed) || token.length < MIN_SLIP_LENGTH || editsAllowed(token) === 0) return slot;
    const isFrequent = (documents: number) => documents >= Math.max(1, typed) * SLIP_RATIO;
    const slips = this.#spelling
      .similar(token, 1, budget)
      .filter(({ documents }) => isFrequent(documents) && documents >= slot.size * RELATIVE_RATIO);
    // A word that looks like a typo is not looked for in longer ones, which takes time.
    if (slips.length === 0 && this.#isSuspect(slot.size)) ranges.push(...this.#compoundsEndingIn(token));
    for (const { term, documents } of slips) {
      const isSurely = token.length >= MIN_SURE_LENGTH && documents >= Math.max(1, typed) * SURE_SLIP_RATIO;
      ranges.push({ from: term, to: term + 1, weight: isSurely ? SURELY_MEANT : NEAR_EXACT });
    }
    const isOdd = typed * ODD_SHARE <= this.#documents && token.length >= MIN_BEGINNING_LENGTH;
    for (const { from, to } of mayContinue && isOdd ? this.#spelling.similarBeginnings(token) : []) {
      if (isFrequent(this.#lists.count(from, to))) ranges.push({ from, to, weight: FUZZY_PREFIX });
    }
    const isDoubtful = slips.some(({ documents }) => documents >= slot.size * SLIP_RATIO);
    return { ...this.#slot(token, ranges), isDoubtful };
  }

  /** The word as typed, with its compounds, and every word that it may be a typo of. */
  withTypos({ token, ranges: asTyped }: Slot, mayContinue: boolean, budget: Budget): Slot {
    const compounds = asTyped.filter(({ weight }) => weight === COMPOUND);
    const ranges = [...this.#typedRanges(token, mayContinue), ...compounds];
    let typed = this.documentsWith(token);
    for (const { from, to } of compounds) typed += this.#lists.count(from, to);
    // An existing word is probably no typo, unless it is a rare neighbour of a frequent one.
    const doubt = (documents: number) => (documents < typed * SLIP_RATIO ? KNOWN_WORD_COST : 0);
    for (const similar of this.#spelling.similar(token, editsAllowed(token), budget)) {
      // An existing word is not a typo of a rarer one either.
      if (similar.documents <= typed) continue;
      ranges.push({
        from: similar.term,
        to: similar.term + 1,
        weight: typoWeight(similar) - doubt(similar.documents),
      });
    }
    if (mayContinue && editsAllowed(token) > 0) {
      for (const { from, to } of this.#spelling.similarBeginnings(token)) {
        ranges.push({ from, to, weight: FUZZY_PREFIX - doubt(this.#lists.count(from, to)) });
      }
    }
    return this.#slot(token, ranges);
  }

  /** Words that contain this one. */
  inside(token: string): Slot {
    return this.#slot(
      token,
      this.#around(token, INFIX, (term) => this.#dictionary.word(term).includes(token, 1)),
    );
  }

  /** Compounds such as "apfelsaft" for "saft": what precedes the word is a word, too, maybe with a linking "s" or "n". */
  #compoundsEndingIn(token: string): WeightedRange[] {
    return this.#around(token, COMPOUND, (term) => {
      if (!this.#dictionary.endsWith(term, token, MIN_COMPOUND_PART)) return false;
      const first = this.#dictionary.word(term).slice(0, -token.length);
      return (
        this.documentsWith(first) > 0 || (LINKED.test(first) && this.documentsWith(first.slice(0, -1)) > 0)
      );
    });
  }

  /** The most frequent words around this one that `fits` accepts. */
  #around(token: string, weight: number, fits: (term: number) => boolean): WeightedRange[] {
    if (token.length < MIN_INFIX_LENGTH) return [];
    const found: number[] = [];
    for (const term of termsAround(this.#trigrams, token)) {
      if (fits(term)) found.push(term);
    }
    const documents = (term: number) => this.#lists.count(term, term + 1);
    found.sort((a, b) => documents(b) - documents(a) || a - b);
    return found.slice(0, MAX_INFIX_TERMS).map((term) => ({ from: term, to: term + 1, weight }));
  }

  /** Number of documents with the word. */
  documentsWith(token: string): number {
    const term = this.#dictionary.find(token);
    return term < 0 ? 0 : this.#lists.count(term, term + 1);
  }

  #typedRanges(token: string, mayContinue: boolean): WeightedRange[] {
    const dictionary = this.#dictionary;
    const ranges: WeightedRange[] = [];
    const exact = dictionary.find(token);
    if (exact >= 0) ranges.push({ from: exact, to: exact + 1, weight: EXACT });
    const stem = commonPrefix(token);
    const related = dictionary.startingWith(stem);
    for (const form of inflectionsOf(token)) {
      const term = dictionary.find(form, related, stem.length);
      if (term >= 0) ranges.push({ from: term, to: term + 1, weight: INFLECTED });
    }
    for (const [words, weight] of [
      [withoutDigraphs(token), INFLECTED],
      [synonymsOf(token), SYNONYM],
    ] as const) {
      for (const word of words) {
        const term = dictionary.find(word);
        if (term >= 0) ranges.push({ from: term, to: term + 1, weight });
      }
    }
    if (mayContinue || exact < 0) {
      const { from, to } = dictionary.startingWith(token);
      const isWellKnown = exact >= 0 && !this.#isSuspect(this.#lists.count(exact, exact + 1));
      if (from < to) ranges.push({ from, to, weight: isWellKnown ? PREFIX_OF_WORD : PREFIX });
    }
    return ranges;
  }

  /** Whether so few documents match that the word may be a typo. */
  isRare(slot: Slot): boolean {
    return this.#isSuspect(slot.size);
  }

  #isSuspect(documents: number): boolean {
    return documents <= Math.max(MIN_SUSPECT_DOCUMENTS, this.#documents / SUSPECT_SHARE);
  }

  #slot(token: string, collected: readonly WeightedRange[]): Slot {
    const spans = joinedSpans(collected);
    let size = 0;
    for (const { from, to } of spans) size += this.#lists.count(from, to);
    // Rare words cost more, because they identify a food better.
    const rarity = Math.log((this.#documents + 1) / (size + 1)) / Math.log(this.#documents + 2);
    const missingCost = SMALL_WORDS.has(token)
      ? MISSING_SMALL_WORD
      : MISSING + Math.floor(MISSING_RARE * Math.max(0, rarity));
    return { token, ranges: disjointRanges(collected), spans, size, missingCost, isDoubtful: false };
  }
}

/** Joins overlapping ranges. Adjacent ranges stay separate, so that the range of a prefix stays recognisable. */
export function joinedSpans(ranges: readonly WeightedRange[]): Span[] {
  const spans: { from: number; to: number }[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    const last = spans.at(-1);
    if (last === undefined || from >= last.to) spans.push({ from, to });
    else last.to = Math.max(last.to, to);
  }
  return spans;
}

/**
 * Keeps each term once, with its best weight. Sorted by weight; ranges of lower weight keep only the part outside
 * better ranges.
 */
export function disjointRanges(ranges: readonly WeightedRange[]): WeightedRange[] {
  const result: WeightedRange[] = [];
  for (const range of ranges.toSorted((a, b) => b.weight - a.weight || a.from - b.from)) {
    let pieces = [range];
    for (const taken of result) {
      if (taken.to <= range.from || taken.from >= range.to) continue;
      const rest: WeightedRange[] = [];
      for (const piece of pieces) {
        const before = { ...piece, to: Math.min(piece.to, taken.from) };
        const after = { ...piece, from: Math.max(piece.from, taken.to) };
        if (before.from < before.to) rest.push(before);
        if (after.from < after.to) rest.push(after);
      }
      pieces = rest;
    }
    result.push(...pieces);
  }
  return result;
}

function typoWeight(similar: SimilarTerm): number {
  return ONE_EDIT - EDIT * (similar.edits - 1);
}
