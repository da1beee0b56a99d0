/**
 * All weights of the ranking, in points. First the value of each way to match a word: any match but an exact
 * one costs its difference to `EXACT`. Then the rewards for how well the document's name fits, and the costs
 * of plans.
 */
export const EXACT = 200;
/** Another number, case or gender of the same word. */
export const INFLECTED = 178;
/** A rare word one typo away from a frequent one, because the data has typos too. */
export const NEAR_EXACT = 172;
/** A word with a neighbour so much more frequent that it is almost certainly a typo. */
export const SURELY_MEANT = 190;
/** Another name of the same food. */
export const SYNONYM = 140;
/** The typed word is the prefix of a longer one. */
export const PREFIX = 150;
/** The prefix match of an existing word: "jam" is rarely the beginning of "jambon". */
export const PREFIX_OF_WORD = 100;
/** A match with one edit; each further one costs `EDIT` again. */
export const ONE_EDIT = 145;
export const EDIT = 60;
/** Extra cost of treating an existing word as a typo. */
export const KNOWN_WORD_COST = 90;
/** The typed word is the misspelt prefix of a longer one. */
export const FUZZY_PREFIX = 125;
/** A longer word ends with the typed one, as "apfelsaft" with "saft", and its beginning is a word, too. */
export const COMPOUND = 148;
/** The typed word is inside a longer one. */
export const INFIX = 120;

/** Points for the share of the name's words that the query contains. */
export const COVERAGE = 40;
/** Points if the query contains all words of the name. */
export const WHOLE_NAME = 15;
/** Points if the name or an alias equals the query. */
export const SAME_NAME = 105;
/** More points if it is the name of a food without a brand: "muffin" is rather that food than a popular kind with this alias. */
export const SAME_GENERIC_NAME = 50;
/** Points for an equal name if one of the words looks like a typo of a frequent one. */
export const SAME_DOUBTFUL_NAME = 15;
/** Points if the name begins with a word of the query. */
export const FIRST_WORD = 12;
/** Points for each pair of adjacent words of the name in the query's order. */
export const ADJACENT = 8;
/** Points for a pair in reverse order: food tables write "Cookie, animal". */
export const ADJACENT_SWAPPED = 6;
/** Points for foods without a brand, so that they rank before branded versions. */
export const GENERIC = 16;
/** Points at popularity 255. */
export const POPULARITY = 60;
/** Cost if an alias fits better than the name. */
export const ALIAS_COST = 6;
/** Cost if the query names only the brand. */
export const BRAND_ONLY_COST = 15;

/** Points for a match in a language that was asked for, and cost of one in a language that nobody asked for. */
export const OWN_LANGUAGE = 40;
export const OTHER_LANGUAGE_COST = 20;

/** Points for a food that the user eats: more than the difference between the best and the worst name. */
export const FAVOURITE = 250;
/** Maximum additional points for how often it is eaten. */
export const FAVOURITE_OFTEN = 40;

/** Cost if two words of the query were read as one, or one as two. */
export const REWRITE_COST = 35;
/** Cost if a phrase was replaced by another name of the same food. */
export const OTHER_WORDS_COST = 65;
/** Cost if a variety or brand was replaced by its kind; see `kinds-of-food.json`. */
export const WIDER_COST = 85;
/** Cost of a typed word that the document lacks; rare words cost up to `MISSING_RARE` more. */
export const MISSING = 110;
export const MISSING_RARE = 70;
/** Cost of a missing small word such as "with" or "and". */
export const MISSING_SMALL_WORD = 70;
/** Maximum cost of missing words in a partial match, as a share of the cost of missing all. */
export const MAX_MISSING_SHARE = 0.85;
