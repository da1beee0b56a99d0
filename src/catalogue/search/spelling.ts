import { type DeletionSections, forEachNeighbour, MAX_EDITS, MIN_FUZZY_LENGTH } from './deletion-table.ts';
import type { Dictionary, TermRange } from './dictionary.ts';
import { EditDistance } from './edit-distance.ts';
import type { PostingLists } from './posting-lists.ts';
import { MAX_FUZZY_CANDIDATES, MAX_FUZZY_PREFIXES, MAX_FUZZY_TERMS } from './query-limits.ts';

export interface SimilarTerm {
  readonly term: number;
  readonly edits: number;
  /** Documents that hold it. */
  readonly documents: number;
}

/** Words of at least this many letters may hold two slips. */
const MIN_LENGTH_OF_TWO_EDITS = 7;
/** A misspelt beginning needs this many letters to say anything. */
const MIN_FUZZY_PREFIX_LENGTH = 4;

export function editsAllowed(word: string): number {
  if (word.length < MIN_FUZZY_LENGTH || word.charCodeAt(0) < 58) return 0;
  return word.length < MIN_LENGTH_OF_TWO_EDITS ? 1 : MAX_EDITS;
}

/** Finds the words that a misspelt one may be meant for. */
export class Spelling {
  readonly #dictionary: Dictionary;
  readonly #lists: PostingLists;
  readonly #deletions: DeletionSections;
  readonly #distance = new EditDistance();

  constructor(ports: {
    readonly dictionary: Dictionary;
    readonly lists: PostingLists;
    readonly deletions: DeletionSections;
  }) {
    this.#dictionary = ports.dictionary;
    this.#lists = ports.lists;
    this.#deletions = ports.deletions;
  }

  /** Terms within `edits` of the word, the word itself excluded: fewest edits first, then most documents. */
  similar(word: string, edits: number): SimilarTerm[] {
    const seen = new Set<number>();
    const found: SimilarTerm[] = [];
    const letters = Uint16Array.from(word, (letter) => letter.charCodeAt(0));
    forEachNeighbour(this.#deletions, word, edits, (term) => {
      if (Math.abs(this.#dictionary.length(term) - word.length) > edits) return;
      if (seen.has(term) || seen.size >= MAX_FUZZY_CANDIDATES) return;
      seen.add(term);
      const distance = this.#distance.between(this.#dictionary.letters(term), letters, edits);
      if (distance === 0 || distance > edits) return;
      found.push({ term, edits: distance, documents: this.#lists.count(term, term + 1) });
    });
    return found
      .sort((a, b) => a.edits - b.edits || b.documents - a.documents || a.term - b.term)
      .slice(0, MAX_FUZZY_TERMS);
  }

  /**
   * Ranges of terms whose beginning is one edit away from the prefix. The first letter is taken as typed: people
   * rarely miss it, and without it nearly every word would be near.
   */
  similarBeginnings(prefix: string): TermRange[] {
    if (prefix.length < MIN_FUZZY_PREFIX_LENGTH) return [];
    const found = new Map<number, TermRange>();
    const tryPrefix = (candidate: string) => {
      const range = this.#dictionary.startingWith(candidate);
      if (range.from < range.to) found.set(range.from, range);
    };
    for (let at = 1; at < prefix.length; at++) {
      const head = prefix.slice(0, at);
      const within = this.#dictionary.startingWith(head);
      if (within.from >= within.to) break;
      tryPrefix(head + prefix.slice(at + 1));
      if (at + 1 < prefix.length) tryPrefix(head + prefix[at + 1] + prefix[at] + prefix.slice(at + 2));
      for (const letter of this.#dictionary.lettersAfter(head, within)) {
        tryPrefix(head + letter + prefix.slice(at + 1));
        tryPrefix(head + letter + prefix.slice(at));
      }
    }
    const size = (range: TermRange) => this.#lists.count(range.from, range.to);
    return [...found.values()]
      .sort((a, b) => size(b) - size(a) || a.from - b.from)
      .slice(0, MAX_FUZZY_PREFIXES);
  }
}
