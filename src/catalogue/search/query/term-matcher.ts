import type { Dictionary } from '../index/dictionary.ts';
import type { PostingLists } from '../index/posting-lists.ts';
import { type TrigramSections, termsAround } from '../index/trigram-table.ts';
import { inflectionsOf, stemOf, withoutDigraphs } from '../words/inflections.ts';
import { isSmallWord } from '../words/stop-words.ts';
import { synonymsOf } from '../words/synonyms.ts';
import { type Slot, SlotRanges } from './plan.ts';
import { MAX_INFIX_TERMS } from './query-limits.ts';
import {
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

/** Caches the slots of one query, because its interpretations share most words. */
export class QuerySlots {
  readonly #slotMaker: SlotMaker;
  readonly #typed = new Map<string, Slot>();
  readonly #guessed = new Map<string, Slot>();

  constructor({ slotMaker }: { readonly slotMaker: SlotMaker }) {
    this.#slotMaker = slotMaker;
  }

  asTyped(token: string, mayContinue: boolean): Slot {
    return once(this.#typed, token, mayContinue, () => this.#slotMaker.asTyped(token, mayContinue));
  }

  withTypos(token: string, mayContinue: boolean): Slot {
    return once(this.#guessed, token, mayContinue, () => this.#slotMaker.withTypos(token, mayContinue));
  }
}

function once(made: Map<string, Slot>, token: string, mayContinue: boolean, make: () => Slot): Slot {
  // No token contains a space.
  const key = mayContinue ? `${token} ` : token;
  const known = made.get(key);
  if (known !== undefined) return known;
  const slot = make();
  made.set(key, slot);
  return slot;
}

/** A neighbour this many times as frequent makes a rare word look like a typo. */
const SLIP_RATIO = 12;
/** From this ratio on the neighbour is almost certainly meant. */
const SURE_SLIP_RATIO = 400;
const MIN_SURE_LENGTH = 5;
/** It must also be this many times as frequent as other forms of the word, which are likelier than a typo. */
const RELATIVE_RATIO = 3;
/** Only words in less than one document in this many may be typos. */
const SUSPECT_SHARE = 1_000;
/** The same for a prefix. */
const ODD_SHARE = 10_000;
/** In small catalogues one document proves nothing. */
const MIN_SUSPECT_DOCUMENTS = 3;
/** Short words have frequent neighbours by chance. */
const MIN_SLIP_LENGTH = 4;
/** Short prefixes even more so. */
const MIN_BEGINNING_LENGTH = 5;
const MIN_INFIX_LENGTH = 4;

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
  asTyped(token: string, mayContinue: boolean): Slot {
    const ranges = new SlotRanges();
    this.#addTyped(ranges, token, mayContinue);
    const slot = this.#slot(token, ranges);
    const typed = this.#documentsTyped(token, mayContinue);
    if (!this.#isSuspect(typed) || token.length < MIN_SLIP_LENGTH || editsAllowed(token) === 0) return slot;
    const isFrequent = (documents: number) => documents >= Math.max(1, typed) * SLIP_RATIO;
    const slips = this.#spelling
      .similar(token, 1)
      .filter(({ documents }) => isFrequent(documents) && documents >= slot.size * RELATIVE_RATIO);
    for (const { term, documents } of slips) {
      const isSurely = token.length >= MIN_SURE_LENGTH && documents >= Math.max(1, typed) * SURE_SLIP_RATIO;
      ranges.addTerm(term, isSurely ? SURELY_MEANT : NEAR_EXACT);
    }
    const isOdd = typed * ODD_SHARE <= this.#documents && token.length >= MIN_BEGINNING_LENGTH;
    for (const { from, to } of mayContinue && isOdd ? this.#spelling.similarBeginnings(token) : []) {
      if (isFrequent(this.#lists.count(from, to))) ranges.add(from, to, FUZZY_PREFIX);
    }
    const isDoubtful = slips.some(({ documents }) => documents >= slot.size * SLIP_RATIO);
    return { ...this.#slot(token, ranges), isDoubtful };
  }

  /** The word and every word that it may be a typo of. */
  withTypos(token: string, mayContinue: boolean): Slot {
    const ranges = new SlotRanges();
    this.#addTyped(ranges, token, mayContinue);
    const typed = this.documentsWith(token);
    // An existing word is probably no typo, unless it is a rare neighbour of a frequent one.
    const doubt = (documents: number) => (documents < typed * SLIP_RATIO ? KNOWN_WORD_COST : 0);
    for (const similar of this.#spelling.similar(token, editsAllowed(token))) {
      // Nor is it a typo of a rarer word.
      if (similar.documents <= typed) continue;
      ranges.addTerm(similar.term, typoWeight(similar) - doubt(similar.documents));
    }
    if (mayContinue && editsAllowed(token) > 0) {
      for (const { from, to } of this.#spelling.similarBeginnings(token)) {
        ranges.add(from, to, FUZZY_PREFIX - doubt(this.#lists.count(from, to)));
      }
    }
    return this.#slot(token, ranges);
  }

  /** Words that contain this one. */
  inside(token: string): Slot {
    const ranges = new SlotRanges();
    if (token.length >= MIN_INFIX_LENGTH) {
      const around: number[] = [];
      for (const term of termsAround(this.#trigrams, token)) {
        if (this.#dictionary.word(term).includes(token, 1)) around.push(term);
      }
      const documents = (term: number) => this.#lists.count(term, term + 1);
      around.sort((a, b) => documents(b) - documents(a) || a - b);
      for (const term of around.slice(0, MAX_INFIX_TERMS)) ranges.addTerm(term, INFIX);
    }
    return this.#slot(token, ranges);
  }

  isWord(token: string): boolean {
    return this.#dictionary.find(token) >= 0;
  }

  /** Number of documents with the word. */
  documentsWith(token: string): number {
    const term = this.#dictionary.find(token);
    return term < 0 ? 0 : this.#lists.count(term, term + 1);
  }

  #addTyped(ranges: SlotRanges, token: string, mayContinue: boolean): void {
    const exact = this.#dictionary.find(token);
    if (exact >= 0) ranges.addTerm(exact, EXACT);
    const stem = stemOf(token);
    const related = this.#dictionary.startingWith(stem);
    for (const form of inflectionsOf(token)) {
      this.#addTermOf(ranges, this.#dictionary.find(form, related, stem.length), INFLECTED);
    }
    this.#addWords(ranges, withoutDigraphs(token), INFLECTED);
    this.#addWords(ranges, synonymsOf(token), SYNONYM);
    if (mayContinue || exact < 0) {
      const { from, to } = this.#dictionary.startingWith(token);
      ranges.add(from, to, this.#isWellKnown(exact) ? PREFIX_OF_WORD : PREFIX);
    }
  }

  #isWellKnown(term: number): boolean {
    return term >= 0 && !this.#isSuspect(this.#lists.count(term, term + 1));
  }

  #addWords(ranges: SlotRanges, words: readonly string[], weight: number): void {
    for (const word of words) this.#addTermOf(ranges, this.#dictionary.find(word), weight);
  }

  #addTermOf(ranges: SlotRanges, term: number, weight: number): void {
    if (term >= 0) ranges.addTerm(term, weight);
  }

  /** Number of documents with the word as typed, without its other forms. */
  #documentsTyped(token: string, mayContinue: boolean): number {
    if (!mayContinue) return this.documentsWith(token);
    const { from, to } = this.#dictionary.startingWith(token);
    return this.#lists.count(from, to);
  }

  /** Whether so few documents match that the word may be a typo. */
  isRare(slot: Slot): boolean {
    return this.#isSuspect(slot.size);
  }

  #isSuspect(documents: number): boolean {
    return documents <= Math.max(MIN_SUSPECT_DOCUMENTS, this.#documents / SUSPECT_SHARE);
  }

  #slot(token: string, collected: SlotRanges): Slot {
    const ranges = collected.disjoint();
    const spans = collected.spans();
    const size = spans.reduce((sum, { from, to }) => sum + this.#lists.count(from, to), 0);
    return { token, ranges, spans, size, missingCost: this.#missingCost(token, size), isDoubtful: false };
  }

  /** Higher for rare words, which identify a food better. */
  #missingCost(token: string, size: number): number {
    if (isSmallWord(token)) return MISSING_SMALL_WORD;
    const rarity = Math.log((this.#documents + 1) / (size + 1)) / Math.log(this.#documents + 2);
    return MISSING + Math.floor(MISSING_RARE * Math.max(0, rarity));
  }
}

function typoWeight(similar: SimilarTerm): number {
  return ONE_EDIT - EDIT * (similar.edits - 1);
}
