import { tokenise } from '@larder/core/words/tokenise.ts';
import { buildDeletionTable, NO_DELETIONS } from './deletion-table.ts';
import { buildDictionary, Dictionary } from './dictionary.ts';
import {
  ALIAS,
  BRAND,
  buildNameTable,
  type Field,
  NAME,
  TERM_MASK,
  toDocumentEntry,
  toHeader,
} from './document-table.ts';
import { buildBitmaps, buildPostings, NO_BITMAPS } from './posting-lists.ts';
import type { IndexSections, SearchSections } from './sections.ts';
import { buildStaticBounds } from './static-bounds.ts';
import { forEachDocument, forEachInSteps, runAll, type Steps, sortInSteps } from './steps.ts';
import { buildTrigramTable } from './trigram-table.ts';

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** Number of maps, a power of two. */
const MAPS = 64;

/**
 * Numbers words in the order of their first occurrence. Uses many small maps, since growing a map of 200,000 words
 * takes over ten milliseconds, during which a thread would answer no requests.
 */
export class WordNumbers {
  readonly #maps = Array.from({ length: MAPS }, () => new Map<string, number>());
  readonly #words: string[] = [];

  /** Words in the order of their numbers. */
  get words(): readonly string[] {
    return this.#words;
  }

  /** Returns the word's number; assigns the next free one to a new word. */
  take(word: string): number {
    const map = this.#maps[hash(word) & (MAPS - 1)]!;
    const known = map.get(word);
    if (known !== undefined) return known;
    const number = this.#words.length;
    map.set(word, number);
    this.#words.push(word);
    return number;
  }
}

/** FNV-1a over the UTF-16 units. */
function hash(word: string): number {
  let state = FNV_OFFSET;
  for (let at = 0; at < word.length; at++) state = Math.imul(state ^ word.charCodeAt(at), FNV_PRIME);
  // The lowest bits of FNV are its weakest.
  return state ^ (state >>> 15);
}

/** A growable unsigned 32-bit array, for data of unknown length. */
class GrowingArray {
  #values: Uint32Array;
  #length = 0;

  constructor(ports: { readonly capacity: number }) {
    this.#values = new Uint32Array(ports.capacity);
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Uint32Array(Math.ceil(this.#length * 1.5) + 16);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
  }

  /** Changes an existing value. */
  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  /** A view of the values, valid until the next `push`. */
  values(): Uint32Array {
    return this.#values.subarray(0, this.#length);
  }
}

/** The part of a food that is indexed. */
export interface SearchDocument {
  readonly name: string;
  readonly brand?: string;
  readonly aliases?: readonly string[];
  /** 0 (unknown) to 255, logarithmic. */
  readonly popularity: number;
}

/** Maximum indexed words of one name, brand or alias. */
const MAX_FIELD_TOKENS = 48;
/** Maximum indexed aliases of one document. */
export const MAX_INDEXED_ALIASES = 128;

/** Number of indexed words of a document, repetitions included. */
export function countWords({ name, brand = '', aliases = [] }: SearchDocument): number {
  return [name, brand, ...aliases.slice(0, MAX_INDEXED_ALIASES)].reduce(
    (sum, text) => sum + tokenise(text, MAX_FIELD_TOKENS).length,
    0,
  );
}

/** Collects documents in static order, best first, and builds the sections of an index. */
export class SearchIndexBuilder {
  readonly #seen = new WordNumbers();
  readonly #entries = new GrowingArray({ capacity: 1 << 8 });
  readonly #starts = new GrowingArray({ capacity: 1 << 6 });

  add(document: SearchDocument): void {
    const start = this.#entries.length;
    this.#starts.push(start);
    this.#entries.push(0);
    const nameLengths = [this.#addField(document.name, NAME)];
    const brandLength = document.brand === undefined ? 0 : this.#addField(document.brand, BRAND);
    for (const alias of document.aliases?.slice(0, MAX_INDEXED_ALIASES) ?? []) {
      nameLengths.push(this.#addField(alias, ALIAS));
    }
    const shortestName = Math.min(MAX_FIELD_TOKENS, ...nameLengths.filter((length) => length > 0));
    this.#entries.set(start, toHeader(document.popularity, shortestName, brandLength > 0));
  }

  /** Builds the sections. The builder must not be used afterwards. */
  finish(): SearchSections {
    return runAll(this.#build({ isLarge: true }));
  }

  /**
   * Builds in small steps, without the tables that take most of the time and memory and pay off only with hundreds of
   * thousands of words. Search results are the same.
   */
  finishSmall(): Steps<SearchSections> {
    return this.#build({ isLarge: false });
  }

  *#build({ isLarge }: { isLarge: boolean }): Steps<SearchSections> {
    this.#starts.push(this.#entries.length);
    const words = yield* sortInSteps(this.#seen.words, compareWords);
    const documents = { entries: this.#entries.values(), entryStarts: this.#starts.values() };
    yield* this.#renumber(documents.entries, documents.entryStarts, words);
    const dictionary = yield* buildDictionary(words);
    const lookup = new Dictionary(dictionary);
    const lists = yield* buildPostings(documents, words.length);
    const count = documents.entryStarts.length - 1;
    const sections: IndexSections = {
      ...dictionary,
      ...documents,
      ...lists,
      ...(isLarge ? buildBitmaps(lookup, lists.postings, lists.postingStarts, count) : NO_BITMAPS),
      ...buildStaticBounds(documents),
      ...(yield* buildNameTable(documents)),
      ...(isLarge ? buildDeletionTable(lookup) : NO_DELETIONS),
      ...(yield* buildTrigramTable(lookup)),
    };
    return { ...sections };
  }

  #addField(text: string, field: Field): number {
    const tokens = tokenise(text, MAX_FIELD_TOKENS);
    for (const [index, token] of tokens.entries()) {
      this.#entries.push(toDocumentEntry(this.#seen.take(token), field, index === 0));
    }
    return tokens.length;
  }

  /** Replaces first-occurrence numbers by terms, which are in dictionary order. */
  *#renumber(entries: Uint32Array, starts: Uint32Array, words: readonly string[]): Steps<void> {
    const termOf = new Uint32Array(words.length);
    yield* forEachInSteps(words.length, (term) => {
      termOf[this.#seen.take(words[term]!)] = term;
    });
    yield* forEachDocument(starts.length - 1, (document) => {
      const end = starts[document + 1]!;
      for (let at = starts[document]! + 1; at < end; at++) {
        const entry = entries[at]!;
        entries[at] = ((entry & ~TERM_MASK) | termOf[entry & TERM_MASK]!) >>> 0;
      }
    });
  }
}

/** Compares by UTF-16 code units. */
function compareWords(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
