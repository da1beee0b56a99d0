import { analyse } from './analyse.ts';
import { buildDictionary } from './dictionary.ts';
import { GrowingArray } from './growing-array.ts';
import type { SearchSections } from './sections.ts';

export interface SearchDocument {
  readonly name: string;
  readonly brand?: string;
  readonly aliases?: readonly string[];
  /** 0 (unknown) to 255, logarithmic. */
  readonly popularity: number;
}

const MAX_FIELD_TOKENS = 48;
const MAX_ALIASES = 64;

/** Collects documents in static order, best first, and turns them into the sections of an index. */
export class SearchIndexBuilder {
  readonly #terms = new Map<string, number>();
  readonly #entries = new GrowingArray({ capacity: 1 << 16 });
  readonly #starts = new GrowingArray({ capacity: 1 << 14 });
  readonly #popularity = new GrowingArray({ capacity: 1 << 14 });
  readonly #nameLengths = new GrowingArray({ capacity: 1 << 14 });

  add(document: SearchDocument): void {
    this.#starts.push(this.#entries.length);
    this.#popularity.push(document.popularity);
    this.#nameLengths.push(this.#addField(document.name));
    if (document.brand !== undefined) this.#addField(document.brand);
    for (const alias of document.aliases?.slice(0, MAX_ALIASES) ?? []) this.#addField(alias);
  }

  finish(): SearchSections {
    const words = [...this.#terms.keys()].sort();
    const termOfFirstSeen = new Uint32Array(words.length);
    for (const [term, word] of words.entries()) termOfFirstSeen[this.#terms.get(word)!] = term;
    const entries = this.#entries.values().map((firstSeen) => termOfFirstSeen[firstSeen]!);
    this.#starts.push(entries.length);
    const starts = this.#starts.values();
    return {
      ...buildDictionary(words),
      ...invert(starts, entries, words.length),
      entryStarts: starts,
      entries,
      popularity: Uint8Array.from(this.#popularity.values()),
      nameLengths: Uint8Array.from(this.#nameLengths.values()),
    };
  }

  #addField(text: string): number {
    const tokens = analyse(text, MAX_FIELD_TOKENS);
    for (const token of tokens) {
      let term = this.#terms.get(token);
      if (term === undefined) {
        term = this.#terms.size;
        this.#terms.set(token, term);
      }
      this.#entries.push(term);
    }
    return tokens.length;
  }
}

function invert(starts: Uint32Array, entries: Uint32Array, terms: number) {
  const postingStarts = new Uint32Array(terms + 1);
  for (const term of entries) postingStarts[term + 1]!++;
  for (let term = 0; term < terms; term++) postingStarts[term + 1]! += postingStarts[term]!;
  const next = postingStarts.slice();
  const postings = new Uint32Array(entries.length);
  for (let document = 0; document + 1 < starts.length; document++) {
    for (let at = starts[document]!; at < starts[document + 1]!; at++) {
      postings[next[entries[at]!]!++] = document;
    }
  }
  return { postingStarts, postings };
}
