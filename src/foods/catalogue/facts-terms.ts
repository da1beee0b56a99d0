import { allergenOf, type FoodFacts } from '@larder/core/food-facts.ts';

/**
 * The terms by which foods are filtered. A catalogue has for each a list of the documents that have it.
 *
 * | Term | Foods |
 * | --- | --- |
 * | `vegan`, `!vegan`, `vegetarian`, `!vegetarian` | of which a source says yes, or no or maybe |
 * | `stated` | whose allergens are known |
 * | `allergen TAG` | that contain it, or may contain traces |
 * | `country TAG`, `category TAG`, `grade A` | |
 */
export function termsOf(facts: FoodFacts): string[] {
  const terms: string[] = [];
  for (const diet of ['vegan', 'vegetarian'] as const) {
    if (facts[diet] !== undefined) terms.push(facts[diet] === 'yes' ? diet : `!${diet}`);
  }
  const tags = [...(facts.allergens ?? []), ...(facts.traces ?? [])];
  for (const allergen of new Set(tags.map(allergenOf))) {
    if (allergen !== undefined) terms.push(`allergen ${allergen}`);
  }
  if (areAllergensKnown(facts)) terms.push('stated');
  for (const country of new Set(facts.countries)) terms.push(`country ${country}`);
  const categories = [...(facts.categories ?? []), ...(facts.category === undefined ? [] : [facts.category])];
  for (const category of new Set(categories.map(categoryTag))) terms.push(`category ${category}`);
  if (facts.nutriScore !== undefined) terms.push(`grade ${facts.nutriScore}`);
  return terms;
}

/**
 * Whether a source read the ingredients or the statement of allergens, and knew every word of the statement. A tag in another
 * language than English is a word that Open Food Facts did not know, so that it may be any allergen.
 */
function areAllergensKnown({ ingredients, allergens = [], traces = [], dataType }: FoodFacts): boolean {
  // FoodData Central states ingredients, but no allergens.
  if (dataType !== undefined) return false;
  const isRead = ingredients !== undefined || allergens.length > 0;
  return isRead && [...allergens, ...traces].every((tag) => tag.startsWith('en:'));
}

/** `Cookies & Biscuits`, `en:cookies-biscuits` → `cookies-biscuits`; tags in other languages keep theirs. */
export function categoryTag(category: string): string {
  return category
    .toLowerCase()
    .replace(/^en:/, '')
    .replaceAll(/[^\p{L}\p{N}:]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}
