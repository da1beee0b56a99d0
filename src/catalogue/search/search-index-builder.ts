import { buildBitmaps } from './bitmaps.ts';
import { buildDeletionTable } from './deletion-table.ts';
import { buildDictionary, Dictionary } from './dictionary.ts';
import { ALIAS, BRAND, type Field, NAME, TERM_MASK, toEntry, toHeader } from './document-table.ts';
import { GrowingArray } from './growing-array.ts';
import { buildNameTable } from './name-table.ts';
import { buildPostings } from './posting-lists.ts';
import type { IndexSections, SearchSections } from './sections.ts';
import { buildStaticBounds } from './static-bounds.ts';
import { tokenise } from './tokenise.ts';
import { buildTrigramTable } from './trigram-table.ts';

/** What the index is given of a food. */
export interface SearchDocument {
  readonly name: string;
  readonly brand?: string;
  readonly aliases?: readonly string[];
  /** 0 (unknown) to 255, logarithmic. */
  readonly popularity: number;
}

/** Words of one name, brand or alias that are indexed. */
const MAX_FIELD_TOKENS = 48;
/** Aliases of one document that are indexed. */
export const MAX_ALIASES = 64;

/** Collects documents in static order, best first, and turns them into the sections of an index. */
export class SearchIndexBuilder {
  /** Words in the order in which they were first seen. */
  readonly #seen = new Map<string, number>();
  readonly #entries = new GrowingArray({ capacity: 1 << 16 });
  readonly #starts = new GrowingArray({ capacity: 1 << 14 });

  add(document: SearchDocument): void {
    const start = this.#entries.length;
    this.#starts.push(start);
    this.#entries.push(0);
    const nameLengths = [this.#addField(document.name, NAME)];
    const brandLength = document.brand === undefined ? 0 : this.#addField(document.brand, BRAND);
    for (const alias of document.aliases?.slice(0, MAX_ALIASES) ?? []) {
      nameLengths.push(this.#addField(alias, ALIAS));
    }
    const shortestName = Math.min(MAX_FIELD_TOKENS, ...nameLengths.filter((length) => length > 0));
    this.#entries.set(start, toHeader(document.popularity, shortestName, brandLength > 0));
  }

  /** Turns what was collected into sections; the builder must not be used afterwards. */
  finish(): SearchSections {
    this.#starts.push(this.#entries.length);
    const words = [...this.#seen.keys()].sort();
    const documents = { entries: this.#entries.values(), entryStarts: this.#starts.values() };
    this.#renumber(documents.entries, documents.entryStarts, words);
    const dictionary = buildDictionary(words);
    const lookup = new Dictionary(dictionary);
    const lists = buildPostings(documents, words.length);
    const count = documents.entryStarts.length - 1;
    const sections: IndexSections = {
      ...dictionary,
      ...documents,
      ...lists,
      ...buildBitmaps(lookup, lists.postings, lists.postingStarts, count),
      ...buildStaticBounds(documents),
      ...buildNameTable(documents),
      ...buildDeletionTable(lookup),
      ...buildTrigramTable(lookup),
    };
    return { ...sections };
  }

  #addField(text: string, field: Field): number {
    const tokens = tokenise(text, MAX_FIELD_TOKENS);
    for (const [index, token] of tokens.entries()) {
      let word = this.#seen.get(token);
      if (word === undefined) {
        word = this.#seen.size;
        this.#seen.set(token, word);
      }
      this.#entries.push(toEntry(word, field, index === 0));
    }
    return tokens.length;
  }

  /** Replaces the numbers by first occurrence with terms, which follow the order of the dictionary. */
  #renumber(entries: Uint32Array, starts: Uint32Array, words: readonly string[]): void {
    const termOf = new Uint32Array(words.length);
    for (const [term, word] of words.entries()) termOf[this.#seen.get(word)!] = term;
    this.#seen.clear();
    for (let document = 0; document + 1 < starts.length; document++) {
      const end = starts[document + 1]!;
      for (let at = starts[document]! + 1; at < end; at++) {
        const entry = entries[at]!;
        entries[at] = ((entry & ~TERM_MASK) | termOf[entry & TERM_MASK]!) >>> 0;
      }
    }
  }
}
