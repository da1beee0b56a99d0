/** What a query may do. Each limit is far above what real queries need; what they stop is abuse and bad luck. */

/** Words of a query that count; the rest are ignored. */
export const MAX_QUERY_TOKENS = 12;
/** Characters of a query that are looked at. */
export const MAX_QUERY_LENGTH = 240;
/** Postings read in all plans together. */
export const MAX_POSTINGS = 400_000;
/** Documents scored in all plans together. */
export const MAX_SCORED = 4_000;
/** Misspelt words that one typed word may stand for. */
export const MAX_FUZZY_TERMS = 24;
/** Candidates whose edit distance is measured for one typed word. */
export const MAX_FUZZY_CANDIDATES = 3_000;
/** Ranges of words that may go on from a misspelt beginning. */
export const MAX_FUZZY_PREFIXES = 24;
/** Words that may hold a typed word inside. */
export const MAX_INFIX_TERMS = 48;
/** Other readings of the query: joined, split, or in other words. */
export const MAX_READINGS = 8;
/** Documents of exactly the name that was typed that are looked at. */
export const MAX_SAME_NAME = 512;
/** Answers of one query. */
export const MAX_ANSWERS = 200;

/** Counts down what the plans of one query may still do. */
export class Budget {
  postings = MAX_POSTINGS;
  scored = MAX_SCORED;

  get isSpent(): boolean {
    return this.postings <= 0 || this.scored <= 0;
  }
}
