// What a query may do. Each limit is far above what real queries need; what they stop is abuse and bad luck.

/** Words of a query that are used; the rest are ignored. */
export const MAX_QUERY_TOKENS = 12;
/** Characters of a query that are read. */
export const MAX_QUERY_LENGTH = 240;
/** Units of work for all plans of a query; a unit takes about ten nanoseconds. */
export const MAX_WORK = 360_000;
/** Units of work for finding foods that match only some of the words. */
export const MAX_PARTIAL_WORK = 30_000;
/** Units of work for scoring a document. Reading a posting, and testing one list for a document, is one unit each. */
const SCORING_WORK = 30;
/** Words of a document with its aliases that this covers, and units for each further one: hostile foods have hundreds. */
const COVERED_WORDS = 64;
const WORD_WORK = 4;
/** A list is abandoned after this many documents in a row that did not improve the answers. */
export const MAX_FRUITLESS = 600;
/** Words that one misspelt word may stand for. */
export const MAX_FUZZY_TERMS = 24;
/** Candidates for one typed word whose edit distance is computed. */
export const MAX_FUZZY_CANDIDATES = 3_000;
/**
 * Words compared with one query in an index without a deletion table; about two nanoseconds each. Up to 20,000 words,
 * as in most tenant foods, this covers all typed words.
 */
export const MAX_SCANNED_WORDS = 1_000_000;
/** Term ranges that may complete a misspelt prefix. */
export const MAX_FUZZY_PREFIXES = 24;
/** Words that may contain a typed word. */
export const MAX_INFIX_TERMS = 48;
/** Other interpretations of the query: joined, split, or other names. */
export const MAX_READINGS = 8;
/** Documents considered if their name is exactly what was typed. */
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
  /** For explanations. */
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
