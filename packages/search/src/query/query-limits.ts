// Limits of one query. Each is far above the needs of real queries and stops abuse and worst cases.

/** Maximum words of a query that are used. */
export const MAX_QUERY_TOKENS = 12;
/** Maximum characters of a query that are read. */
export const MAX_QUERY_CHARACTERS = 240;
/** Units of work for all plans of a query; a unit takes about ten nanoseconds. */
export const MAX_WORK = 360_000;
/** Units of work for finding foods that match only some of the words. */
export const MAX_PARTIAL_WORK = 30_000;
/** Units of work for scoring a document. Reading a posting, and testing one list for a document, is one unit each. */
const SCORING_WORK = 30;
/**
 * Words of a document with its aliases that this covers, and units for each further one: hostile foods have hundreds.
 */
const COVERED_WORDS = 64;
const WORD_WORK = 4;
/** A list is abandoned after this many documents in a row that did not improve the answers. */
export const MAX_FRUITLESS = 600;
/** Maximum words that one misspelt word may stand for. */
export const MAX_FUZZY_TERMS = 24;
/** Maximum candidates for one typed word whose edit distance is computed. */
export const MAX_FUZZY_CANDIDATES = 3_000;
/**
 * Maximum words compared with one query in an index without a deletion table; about two nanoseconds each. This covers
 * all typed words of vocabularies up to 20,000 words, as most custom foods have.
 */
export const MAX_SCANNED_WORDS = 1_000_000;
/** Maximum term ranges that may complete a misspelt prefix. */
export const MAX_FUZZY_PREFIXES = 24;
/** Maximum words that may contain a typed word. */
export const MAX_INFIX_TERMS = 48;
/** Maximum other interpretations of the query: joined, split, or other names. */
export const MAX_READINGS = 8;
/** Maximum documents considered because their name equals the typed text. */
export const MAX_SAME_NAME = 512;
/** With this many answers no more tolerant step runs. */
export const ENOUGH_ANSWERS = 10;
/** Maximum answers of one query. */
export const MAX_ANSWERS = 200;

/** Counts down the work that the plans of one query may still do. */
export class Budget {
  work: number;
  /** Words that may still be compared with typed ones, in an index without a deletion table. */
  words = MAX_SCANNED_WORDS;
  /** Counters for explanations. */
  postingsRead = 0;
  documentsScored = 0;

  constructor(most = MAX_WORK) {
    this.work = Math.min(most, MAX_WORK);
  }

  get isSpent(): boolean {
    return this.work <= 0;
  }

  /** Lets `run` use at most `most` of the rest. */
  within(most: number, run: () => void): void {
    const kept = Math.max(0, this.work - most);
    this.work -= kept;
    run();
    this.work += kept;
  }

  read(postings: number): void {
    this.postingsRead += postings;
    this.work -= postings;
  }

  score(words: number): void {
    this.documentsScored++;
    this.work -= SCORING_WORK + WORD_WORK * Math.max(0, words - COVERED_WORDS);
  }
}
