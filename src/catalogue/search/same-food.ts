/**
 * Words for the same food, a group a line, folded as `analyse` folds. Only names that people use for one another; a
 * kind and its sort ("cheddar", "cheese") are no synonyms.
 */
export const SAME_FOOD = `
fries, chips, french fries
soda, pop, soft drink
aubergine, eggplant
courgette, zucchini
`;
