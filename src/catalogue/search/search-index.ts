import { analyse } from './analyse.ts';
import { Dictionary, type TermRange } from './dictionary.ts';
import type { SearchSections } from './sections.ts';

export interface SearchHit {
  /** The number of the document, in the order in which documents were added. */
  readonly document: number;
  readonly score: number;
}

const MAX_QUERY_TOKENS = 12;

/** Answers queries over the sections that `SearchIndexBuilder` made. */
export class SearchIndex {
  readonly #sections: SearchSections;
  readonly #dictionary: Dictionary;

  constructor(ports: { readonly sections: SearchSections; readonly dictionary: Dictionary }) {
    this.#sections = ports.sections;
    this.#dictionary = ports.dictionary;
  }

  static open(sections: SearchSections): SearchIndex {
    const dictionary = new Dictionary({
      termText: sections['termText'] as Uint16Array,
      termStarts: sections['termStarts'] as Uint32Array,
    });
    return new SearchIndex({ sections, dictionary });
  }

  /** The best `limit` documents, best first; equal scores in static order. */
  search(query: string, limit: number): SearchHit[] {
    const tokens = analyse(query, MAX_QUERY_TOKENS);
    if (tokens.length === 0) return [];
    const ranges = tokens.map((token) => this.#dictionary.startingWith(token));
    const { postings, postingStarts } = this.#sections;
    const sizes = ranges.map((range) => postingStarts![range.to]! - postingStarts![range.from]!);
    const rarest = ranges[sizes.indexOf(Math.min(...sizes))]!;
    const documents = new Set(postings!.subarray(postingStarts![rarest.from], postingStarts![rarest.to]));
    const hits: SearchHit[] = [];
    for (const document of documents) {
      const score = this.#score(document, ranges);
      if (score >= 0) hits.push({ document, score });
    }
    return hits.sort((a, b) => b.score - a.score || a.document - b.document).slice(0, limit);
  }

  #score(document: number, ranges: readonly TermRange[]): number {
    const { entries, entryStarts, nameLengths, popularity } = this.#sections;
    const start = entryStarts![document]!;
    const nameEnd = start + nameLengths![document]!;
    const terms = entries!.subarray(start, entryStarts![document + 1]);
    let inName = 0;
    for (const range of ranges) {
      const at = terms.findIndex((term) => term >= range.from && term < range.to);
      if (at < 0) return -1;
      if (start + at < nameEnd) inName++;
    }
    return (
      100 * (inName / ranges.length) + (40 * inName) / (nameEnd - start + 1) + popularity![document]! / 4
    );
  }
}
