import { AppError } from '../../errors.ts';
import type { Food } from '../food.ts';
import { countWords } from '../search/search-index-builder.ts';

/** How much of live foods one tenant may keep, or keeps. */
export interface FoodQuota {
  readonly foods: number;
  /** Words of names, brands and aliases: they say what foods cost in memory, and in time to index. */
  readonly words: number;
}

export const NO_QUOTA: FoodQuota = {
  foods: Number.MAX_SAFE_INTEGER,
  words: Number.MAX_SAFE_INTEGER,
};

/** Words by which search finds the food, each as often as it stands there. */
export function wordsOf(food: Food): number {
  return countWords(food);
}

/** Refuses a food that would have taken so many words. */
export function quotaExceeded(quota: FoodQuota, used: FoodQuota, words: number): AppError {
  const isFull = used.words + words <= quota.words;
  const [name, limit, taken] = isFull
    ? ['own_foods', quota.foods, used.foods]
    : ['own_food_words', quota.words, used.words];
  const message = isFull
    ? `This tenant has ${taken} own foods, as many as it may have; delete some, or ask the operator for more.`
    : `Names, brands and aliases of this tenant's foods have ${taken} words of at most ${limit}; delete or shorten some, or ask the operator for more.`;
  return new AppError({
    code: 'quota_exceeded',
    message,
    details: { quota: name, limit, used: taken },
  });
}
