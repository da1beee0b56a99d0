import { EditDistance, type Letters } from '@larder/core/words/edit-distance.ts';
import { inflectionsOf } from '@larder/core/words/related-words.ts';
import { type Dictionary, kindsOfLetters } from '@larder/search/index/dictionary.ts';

/** A word of food names that matches a word of a text. */
export interface FoundWord {
  /** Number of the word in the dictionary; -1 if there is none. */
  readonly term: number;
  /** Certainty of the match, from 0 to 1. */
  readonly likeness: number;
}

const NONE: FoundWord = { term: -1, likeness: 0 };
const INFLECTED = 0.9;
const MISSPELT = 0.6;
/** Minimum length for typos; shorter words have too many neighbours. */
const MIN_TYPO_LENGTH = 5;
/** Maximum number of letter kinds that one typo changes. */
const MAX_DIFFERING = 2;
/** Maximum cached words, which bounds the memory that clients can fill. */
const MAX_KEPT = 20_000;
/** Maximum length of a cached word; longer ones rarely repeat. */
const MAX_KEPT_LENGTH = 32;

/** Finds words as written, in another form (of any language), or with one typo. */
export class NameWordsFinder {
  readonly #dictionary: Dictionary;
  readonly #namesWith: (term: number) => number;
  readonly #distance = new EditDistance();
  readonly #kept = new Map<string, FoundWord>();

  constructor(dictionary: Dictionary, namesWith: (term: number) => number) {
    this.#dictionary = dictionary;
    this.#namesWith = namesWith;
  }

  find(stem: string): FoundWord {
    let found = this.#kept.get(stem);
    if (found === undefined) {
      found = this.#lookUp(stem);
      if (stem.length > MAX_KEPT_LENGTH) return found;
      if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
      this.#kept.set(stem, found);
    }
    return found;
  }

  #lookUp(stem: string): FoundWord {
    const exact = this.#dictionary.find(stem);
    if (exact !== -1) return { term: exact, likeness: 1 };
    if (!/^\p{L}/u.test(stem)) return NONE;
    for (const form of inflectionsOf(stem)) {
      const term = this.#dictionary.find(form);
      if (term !== -1) return { term, likeness: INFLECTED };
    }
    return stem.length < MIN_TYPO_LENGTH ? NONE : this.#neighbour(stem);
  }

  /** Finds the most frequent word at edit distance one with the same first letter, because typos are rare there. */
  #neighbour(stem: string): FoundWord {
    const typed = toLetters(stem);
    const kinds = kindsOfLetters(stem);
    const { from, to } = this.#dictionary.startingWith(stem[0]!);
    let best = NONE;
    let most = 0;
    for (let term = from; term < to; term++) {
      if (this.#dictionary.differingLetters(term, kinds) > MAX_DIFFERING) continue;
      const names = this.#namesWith(term);
      if (names <= most) continue;
      const word = {
        letters: this.#dictionary.letters,
        start: this.#dictionary.start(term),
        length: this.#dictionary.length(term),
      };
      if (this.#distance.between(typed, word, 1) > 1) continue;
      best = { term, likeness: MISSPELT };
      most = names;
    }
    return best;
  }
}

function toLetters(word: string): Letters {
  const letters = Uint16Array.from({ length: word.length }, (_, at) => word.charCodeAt(at));
  return { letters, start: 0, length: letters.length };
}
