/**
 * Every number that ranking is made of, in points. A word that is met exactly costs nothing, any other way to meet
 * it costs what it is less than `EXACT`; the rest are rewards for how well the document's name fits.
 */
export const EXACT = 200;
/** Another number, case or gender of the same word. */
export const INFLECTED = 178;
/** A rare word that is one slip away from a frequent one: the data holds typos too. */
export const NEAR_EXACT = 172;
/** The same where the neighbour is so much more frequent that nearly everybody means it. */
export const SURELY_MEANT = 190;
/** Another word for the same food. */
export const SYNONYM = 140;
/** The word goes on. */
export const PREFIX = 150;
/** The same where the letters are a word already: "jam" is hardly the beginning of "jambon". */
export const PREFIX_OF_WORD = 128;
/** One edit; each further one costs `EDIT` again. */
export const ONE_EDIT = 145;
export const EDIT = 60;
/** What taking a word for a typo costs more when the word exists. */
export const KNOWN_WORD_COST = 90;
/** The beginning of the word is misspelt and the word goes on. */
export const FUZZY_PREFIX = 125;
/** The letters lie inside a longer word, as "saft" in "apfelsaft". */
export const INFIX = 120;

/** For the share of the name that the query names. */
export const COVERAGE = 40;
/** When nothing of the name is left unnamed. */
export const WHOLE_NAME = 15;
/** When the name, or an alias, is the query, word for word. */
export const SAME_NAME = 105;
/** The same when one of the words looks like a slip of a frequent one. */
export const SAME_DOUBTFUL_NAME = 15;
/** When the name begins with a word of the query. */
export const FIRST_WORD = 12;
/** For each two words that follow each other in the name as they do in the query. */
export const ADJACENT = 8;
/** The same the other way round: tables of foods write "Cookie, animal". */
export const ADJACENT_SWAPPED = 6;
/** Foods without a brand go before their branded copies. */
export const GENERIC = 16;
/** At popularity 255. */
export const POPULARITY = 60;
/** When an alias fits better than the name. */
export const ALIAS_COST = 6;
/** When only the brand was named. */
export const BRAND_ONLY_COST = 15;

/** For a food that the user eats: more than the best name earns over the worst one. */
export const FAVOURITE = 200;
/** The most that it earns besides for being eaten often. */
export const FAVOURITE_OFTEN = 40;

/** When two words of the query were read as one, or one as two. */
export const REWRITE_COST = 35;
/** When other words for the same food were taken. */
export const OTHER_WORDS_COST = 65;
/** When a sort or a brand was read as what it is. */
export const WIDER_COST = 85;
/** What a word costs that is not met: at least this, and up to `MISSING_RARE` more when it is a rare word. */
export const MISSING = 110;
export const MISSING_RARE = 70;
/** What "with" or "and" costs when it is not met. */
export const MISSING_SMALL_WORD = 70;
/** The share of what all words could cost by missing that a partial answer may miss. */
export const MAX_MISSING_SHARE = 0.85;
