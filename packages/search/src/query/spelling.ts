import { EditDistance, type Letters } from '@larder/core/words/edit-distance.ts';
import {
  canBeMeant,
  type DeletionSections,
  forEachNeighbour,
  hasDeletions,
  MAX_EDITS,
  MIN_FUZZY_LENGTH,
} from '../index/deletion-table.ts';
import { type Dictionary, kindsOfLetters, type TermRange } from '../index/dictionary.ts';
import type { PostingLists } from '../index/posting-lists.ts';
import { type Budget, MAX_FUZZY_CANDIDATES, MAX_FUZZY_PREFIXES, MAX_FUZZY_TERMS } from './query-limits.ts';

export interface SimilarTerm {
  readonly term: number;
  readonly edits: number;
  /** Number of documents with it. */
  readonly documents: number;
}

/** Words of at least this many letters may contain two typos. */
const MIN_LENGTH_OF_TWO_EDITS = 7;
/** People rarely mistype the first letter. In shorter words, and beside a second typo, another one means another word. */
const MIN_LENGTH_OF_OTHER_FIRST_LETTER = 5;
/** Minimum letters of a misspelt prefix. */
const MIN_FUZZY_PREFIX_LENGTH = 5;

export function editsAllowed(word: string): number {
  if (word.length < MIN_FUZZY_LENGTH || word.charCodeAt(0) < 58) return 0;
  return word.length < MIN_LENGTH_OF_TWO_EDITS ? 1 : MAX_EDITS;
}

/** Whether a word with this first letter, this many edits away, may be meant. */
function mayBeMeant(firstLetter: number, edits: number, typed: string): boolean {
  if (firstLetter === typed.charCodeAt(0)) return true;
  return edits === 1 && typed.length >= MIN_LENGTH_OF_OTHER_FIRST_LETTER;
}

function toLetters(word: string): Letters {
  const letters = Uint16Array.from(word, (letter) => letter.charCodeAt(0));
  return { letters, start: 0, length: letters.length };
}

/** Finds the words that a misspelt word may stand for. */
export class Spelling {
  readonly #dictionary: Dictionary;
  readonly #lists: PostingLists;
  readonly #deletions: DeletionSections;
  readonly #distance = new EditDistance();
  #seen: Uint16Array | undefined;
  #round = 0;

  constructor(ports: {
    readonly dictionary: Dictionary;
    readonly lists: PostingLists;
    readonly deletions: DeletionSections;
  }) {
    this.#dictionary = ports.dictionary;
    this.#lists = ports.lists;
    this.#deletions = ports.deletions;
  }

  /**
   * Terms within `edits` of the word that it may be a typo of, without the word itself: fewest edits first, then most
   * documents.
   */
  similar(word: string, edits: number, budget: Budget): SimilarTerm[] {
    const dictionary = this.#dictionary;
    const typed = toLetters(word);
    const kinds = kindsOfLetters(word);
    const seen = this.#noneSeen();
    const found: SimilarTerm[] = [];
    let measured = 0;
    this.#forEachNeighbour(word, edits, budget, (term) => {
      if (seen.rounds[term] === seen.round) return;
      seen.rounds[term] = seen.round;
      if (dictionary.differingLetters(term, kinds) > 2 * edits || measured++ >= MAX_FUZZY_CANDIDATES) return;
      const length = dictionary.length(term);
      const candidate = { letters: dictionary.letters, start: dictionary.start(term), length };
      const distance = this.#distance.between(candidate, typed, edits);
      if (distance === 0 || distance > edits) return;
      if (!mayBeMeant(dictionary.letters[candidate.start]!, distance, word)) return;
      found.push({ term, edits: distance, documents: this.#lists.count(term, term + 1) });
    });
    return found
      .sort((a, b) => a.edits - b.edits || b.documents - a.documents || a.term - b.term)
      .slice(0, MAX_FUZZY_TERMS);
  }

  /** Visits candidate terms within `edits` of the word. A term may be repeated or farther away. */
  #forEachNeighbour(word: string, edits: number, budget: Budget, visit: (term: number) => void): void {
    const dictionary = this.#dictionary;
    if (hasDeletions(this.#deletions)) {
      forEachNeighbour(this.#deletions, word, edits, visit);
      return;
    }
    if (dictionary.size > budget.words) return;
    budget.words -= dictionary.size;
    dictionary.forEachAlike(kindsOfLetters(word), 2 * edits, (term) => {
      const length = dictionary.length(term);
      if (Math.abs(length - word.length) > edits) return;
      if (canBeMeant(dictionary.letters[dictionary.start(term)]!, length)) visit(term);
    });
  }

  /** The round in which each term was last seen, so that a new round resets all terms at once. */
  #noneSeen(): { readonly rounds: Uint16Array; readonly round: number } {
    this.#seen ??= new Uint16Array(this.#dictionary.size);
    if (++this.#round > 0xffff) {
      this.#seen.fill(0);
      this.#round = 1;
    }
    return { rounds: this.#seen, round: this.#round };
  }

  /**
   * Term ranges with a prefix one edit away from the given one. The first letter must be right: people rarely mistype
   * it, and otherwise nearly every word would match.
   */
  similarBeginnings(prefix: string): TermRange[] {
    if (prefix.length < MIN_FUZZY_PREFIX_LENGTH) return [];
    const found = new Map<number, TermRange>();
    const dictionary = this.#dictionary;
    const add = (range: TermRange) => {
      // The widest range of those with the same start includes the others.
      if (range.to > Math.max(range.from, found.get(range.from)?.to ?? 0)) found.set(range.from, range);
    };
    let words = dictionary.all;
    for (let at = 1; at < prefix.length; at++) {
      words = dictionary.continuing(words, at - 1, prefix.charAt(at - 1), 0);
      if (words.from >= words.to) break;
      add(dictionary.continuing(words, at, prefix, at + 1));
      if (at + 1 < prefix.length) {
        add(
          dictionary.continuing(
            words,
            at,
            prefix.charAt(at + 1) + prefix.charAt(at) + prefix.slice(at + 2),
            0,
          ),
        );
      }
      dictionary.forEachLetterAt(words, at, (within) => {
        add(dictionary.continuing(within, at + 1, prefix, at + 1));
        add(dictionary.continuing(within, at + 1, prefix, at));
      });
    }
    const size = (range: TermRange) => this.#lists.count(range.from, range.to);
    return [...found.values()]
      .sort((a, b) => size(b) - size(a) || a.from - b.from)
      .slice(0, MAX_FUZZY_PREFIXES);
  }
}
