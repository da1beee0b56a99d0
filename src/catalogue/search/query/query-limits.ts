// What a query may do. Each limit is far above what real queries need; what they stop is abuse and bad luck.

/** Words of a query that count; the rest are ignored. */
export const MAX_QUERY_TOKENS = 12;
/** Characters of a query that are looked at. */
export const MAX_QUERY_LENGTH = 240;
/** Units of work for all plans of a query together; a unit takes about ten nanoseconds. */
export const MAX_WORK = 360_000;
/** Units of work for finding foods that match only some of the words. */
export const MAX_PARTIAL_WORK = 30_000;
// Units of work for reading a posting, for testing one list for a document, and for scoring a document.
const POSTING_WORK = 1;
const ASKING_WORK = 1;
const SCORING_WORK = 30;
/** After this many documents in a row that did not improve the answers, a list is given up. */
export const MAX_FRUITLESS = 600;
/** Misspelt words that one typed word may stand for. */
export const MAX_FUZZY_TERMS = 24;
/** Candidates whose edit distance is measured for one typed word. */
export const MAX_FUZZY_CANDIDATES = 3_000;
/**
 * Words of an index without a table of slips that one query is compared with; a word takes about two nanoseconds. With
 * 20,000 words and less, as most tenant foods have, all typed words are looked for.
 */
export const MAX_SCANNED_WORDS = 1_000_000;
/** Ranges of words that may complete a misspelt beginning. */
export const MAX_FUZZY_PREFIXES = 24;
/** Words that may hold a typed word inside. */
export const MAX_INFIX_TERMS = 48;
/** Other readings of the query: joined, split, or in other words. */
export const MAX_READINGS = 8;
/** Documents that are considered of those whose name is exactly what was typed. */
export const MAX_SAME_NAME = 512;
/** With this many answers no more forgiving step is tried. */
export const ENOUGH_ANSWERS = 10;
/** Answers of one query. */
export const MAX_ANSWERS = 200;

/** Counts down what the plans of one query may still do. */
export class Budget {
  work = MAX_WORK;
  /** For explanations. */
  postingsRead = 0;
  documentsScored = 0;

  get isSpent(): boolean {
    return this.work <= 0;
  }

  /** Lets `run` use at most `most` of what is left. */
  within(most: number, run: () => void): void {
    const kept = Math.max(0, this.work - most);
    this.work -= kept;
    run();
    this.work += kept;
  }

  read(postings: number): void {
    this.postingsRead += postings;
    this.work -= postings * POSTING_WORK;
  }

  ask(lists: number): void {
    this.work -= lists * ASKING_WORK;
  }

  score(): void {
    this.documentsScored++;
    this.work -= SCORING_WORK;
  }
}
