import type { Allergen, FoodFacts } from 'larder-client';
import type { OwnDiet } from './own-diet.ts';

/** Warnings of a food for somebody's diet and allergens. None of them says that a food is safe. */
export interface Warnings {
  readonly states: readonly Allergen[];
  readonly traces: readonly Allergen[];
  /** Allergens in unknown words: each of them may be one to avoid. */
  readonly otherWords: readonly string[];
  /** Whether the source states nothing about allergens. */
  readonly isUnstated: boolean;
  /** Absent if the food fits the diet, by its source. */
  readonly diet?: 'no' | 'maybe' | 'unknown';
}

export function warningsOf(
  facts: FoodFacts | undefined,
  { diet, allergens }: OwnDiet,
  isAllergen: (word: string) => boolean,
): Warnings {
  const stated = facts?.allergens ?? [];
  const traces = facts?.traces ?? [];
  const has = (tags: readonly string[]) => (allergen: Allergen) => tags.includes(`en:${allergen}`);
  const states = allergens.filter(has(stated));
  const fit = diet === undefined ? 'yes' : (facts?.[diet] ?? 'unknown');
  const words = [...new Set([...stated, ...traces])].filter((tag) => !isAllergen(wordsOf(tag)));
  return {
    states,
    traces: allergens.filter((each) => has(traces)(each) && !states.includes(each)),
    otherWords: allergens.length === 0 ? [] : words.map(wordsOf),
    isUnstated: !areAllergensStated(facts),
    ...(fit !== 'yes' && { diet: fit }),
  };
}

/** FoodData Central states ingredients, but no allergens. */
export function areAllergensStated({ ingredients, allergens = [], dataType }: FoodFacts = NO_FACTS): boolean {
  return dataType === undefined && (ingredients !== undefined || allergens.length > 0);
}

const NO_FACTS = {} as FoodFacts;

/** `en:sesame-seeds` → `sesame-seeds` */
export function wordsOf(tag: string): string {
  return tag.replace(/^[a-z]{2}:/, '');
}
