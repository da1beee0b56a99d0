import { computed } from '@preact/signals';
import type { Allergen } from 'larder-client';
import { otherName } from '../diary/shown-diary.ts';
import { ownSettings } from '../offline/own-records.ts';

export const DIETS = ['vegetarian', 'vegan'] as const;
export type Diet = (typeof DIETS)[number];

/** The diet of a person, and allergens to avoid. */
export interface OwnDiet {
  readonly diet: Diet | undefined;
  readonly allergens: readonly Allergen[];
}

/** Undefined if nothing was chosen, and in another person's diary. */
export const ownDiet = computed((): OwnDiet | undefined => {
  const { diet: chosen, allergens = [] } = ownSettings.value ?? {};
  const diet = DIETS.find((each) => each === chosen);
  const isChosen = diet !== undefined || allergens.length > 0;
  return isChosen && otherName.value === undefined ? { diet, allergens } : undefined;
});
