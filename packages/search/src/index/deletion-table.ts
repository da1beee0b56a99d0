import { HASH_SEED, hashEnd, hashStep } from './hash.ts';

/**
 * Symmetric deletion (SymSpell, https://github.com/wolfgarbe/SymSpell): two words within k edits share a form that
 * results from deleting at most k letters of each. Only hashes of the forms are stored, so callers verify the
 * distance. Forms use the first letters only, which keeps the table small and loses nothing: later edits do not
 * change these letters, or move at most k of them out.
 */
export interface DeletionSections {
  readonly deletionBuckets: Uint32Array;
  readonly deletionTerms: Uint32Array;
}

/** Number of leading letters used for forms. */
const FORM_LETTERS = 8;
/** Maximum edit distance that the table supports. */
export const MAX_EDITS = 2;
/** An empty table for small vocabularies, which are scanned word by word. */
export const NO_DELETIONS: DeletionSections = {
  deletionBuckets: new Uint32Array(0),
  deletionTerms: new Uint32Array(0),
};

/** Shorter words have too many neighbours. */
export const MIN_FUZZY_LENGTH = 3;
/** Words with fewer letters are found within one edit only. */
const MIN_TWO_EDIT_LENGTH = 5;

export interface Words {
  readonly size: number;
  word(term: number): string;
}

export function buildDeletionTable(words: Words): DeletionSections {
  let forms = 0;
  forEachStoredForm(words, () => {
    forms++;
  });
  let buckets = 16;
  while (buckets * 3 < forms) buckets *= 2;
  const mask = buckets - 1;
  const deletionBuckets = new Uint32Array(buckets + 1);
  forEachStoredForm(words, (hash) => {
    deletionBuckets[(hash & mask) + 1]!++;
  });
  for (let bucket = 0; bucket < buckets; bucket++) deletionBuckets[bucket + 1]! += deletionBuckets[bucket]!;
  const next = deletionBuckets.slice();
  const deletionTerms = new Uint32Array(forms);
  forEachStoredForm(words, (hash, term) => {
    deletionTerms[next[hash & mask]!++] = term;
  });
  return { deletionBuckets, deletionTerms };
}

export function hasDeletions({ deletionBuckets }: DeletionSections): boolean {
  return deletionBuckets.length > 0;
}

/** Whether other words may be typos of this one. Numbers and one-letter words are literal. */
export function canBeMeant(firstLetter: number, length: number): boolean {
  const isNumber = firstLetter < 58;
  return !isNumber && length >= MIN_FUZZY_LENGTH - 1;
}

/** Visits candidate terms within `edits` of the word. A term may be repeated or farther away. */
export function forEachNeighbour(
  sections: DeletionSections,
  word: string,
  edits: number,
  visit: (term: number) => void,
): void {
  const mask = sections.deletionBuckets.length - 2;
  forEachForm(word, edits, (hash) => {
    const bucket = hash & mask;
    const end = sections.deletionBuckets[bucket + 1]!;
    for (let at = sections.deletionBuckets[bucket]!; at < end; at++) visit(sections.deletionTerms[at]!);
  });
}

function forEachStoredForm(words: Words, visit: (hash: number, term: number) => void): void {
  for (let term = 0; term < words.size; term++) {
    const word = words.word(term);
    if (!canBeMeant(word.charCodeAt(0), word.length)) continue;
    const edits = word.length < MIN_TWO_EDIT_LENGTH ? 1 : MAX_EDITS;
    forEachForm(word, edits, (hash) => visit(hash, term));
  }
}

/** Visits the hash of each form with up to `edits` letters deleted; some more than once. */
function forEachForm(word: string, edits: number, visit: (hash: number) => void): void {
  const length = Math.min(word.length, FORM_LETTERS);
  visit(hashWithout(word, length, -1, -1));
  for (let first = 0; first < length; first++) {
    // Deleting either of two equal neighbours gives the same form.
    if (first > 0 && word[first] === word[first - 1]) continue;
    visit(hashWithout(word, length, first, -1));
    if (edits < 2) continue;
    for (let second = first + 1; second < length; second++) {
      if (second > first + 1 && word[second] === word[second - 1]) continue;
      visit(hashWithout(word, length, first, second));
    }
  }
}

function hashWithout(word: string, length: number, first: number, second: number): number {
  let hash = HASH_SEED;
  for (let index = 0; index < length; index++) {
    if (index !== first && index !== second) hash = hashStep(hash, word.charCodeAt(index));
  }
  return hashEnd(hash);
}
