/**
 * All the numbers of ranking, in points. First the worth of each way to match a word: an exact match costs nothing, any
 * other costs its difference to `EXACT`. Then the rewards for how well the document's name fits, and the costs of plans.
 */
export const EXACT = 200;
/** Another number, case or gender of the same word. */
export const INFLECTED = 178;
/** A rare word that is one slip away from a frequent one: the data holds typos too. */
export const NEAR_EXACT = 172;
/** The same where the neighbour is so much more frequent that it is almost surely meant. */
export const SURELY_MEANT = 190;
/** Another word for the same food. */
export const SYNONYM = 140;
/** The typed word is the beginning of a longer one. */
export const PREFIX = 150;
/** The same where the typed word exists itself: "jam" is hardly the beginning of "jambon". */
export const PREFIX_OF_WORD = 128;
/** One edit; each further one costs `EDIT` again. */
export const ONE_EDIT = 145;
export const EDIT = 60;
/** Extra cost of taking a word for a typo when the word exists. */
export const KNOWN_WORD_COST = 90;
/** The typed word is the misspelt beginning of a longer one. */
export const FUZZY_PREFIX = 125;
/** The typed word is inside a longer one, as "saft" in "apfelsaft". */
export const INFIX = 120;

/** For the share of the name's words that the query has. */
export const COVERAGE = 40;
/** When the query has all words of the name. */
export const WHOLE_NAME = 15;
/** When the name, or an alias, is the query, word for word. */
export const SAME_NAME = 105;
/** The same when one of the words looks like a slip of a frequent one. */
export const SAME_DOUBTFUL_NAME = 15;
/** When the name begins with a word of the query. */
export const FIRST_WORD = 12;
/** For each pair of adjacent words that the name has in the order of the query. */
export const ADJACENT = 8;
/** The same in reverse order: food tables write "Cookie, animal". */
export const ADJACENT_SWAPPED = 6;
/** For foods without a brand, so that they come before their branded copies. */
export const GENERIC = 16;
/** At popularity 255. */
export const POPULARITY = 60;
/** When an alias fits better than the name. */
export const ALIAS_COST = 6;
/** When the query names only the brand. */
export const BRAND_ONLY_COST = 15;

/** For a food that the user eats: more than the best name earns over the worst one. */
export const FAVOURITE = 200;
/** The most that it earns on top for being eaten often. */
export const FAVOURITE_OFTEN = 40;

/** When two words of the query were read as one, or one as two. */
export const REWRITE_COST = 35;
/** When a phrase was replaced by another name of the same food. */
export const OTHER_WORDS_COST = 65;
/** When a sort or a brand was replaced by what it is; see `kinds-of-food.ts`. */
export const WIDER_COST = 85;
/** Cost of a typed word that the document lacks; up to `MISSING_RARE` more for a rare word. */
export const MISSING = 110;
export const MISSING_RARE = 70;
/** The same for a small word such as "with" or "and". */
export const MISSING_SMALL_WORD = 70;
/** The most that missing words may cost a partial answer, as a share of the cost of missing all of them. */
export const MAX_MISSING_SHARE = 0.85;
