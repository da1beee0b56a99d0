/**
 * Names of nutrients on labels and in tables, as `fold` makes them: a heading, then lines of a nutrient, a tab, and its names separated by bars;
 * `-` for names to skip.
 */
export const NUTRIENT_WORDS = new URL('./label-words.tsv', import.meta.url);
