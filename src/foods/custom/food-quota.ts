import { AppError } from '@larder/core/errors.ts';
import type { Food } from '@larder/core/food.ts';
import { countWords } from '@larder/search/index/index-builder.ts';
import { counted } from '../../base/texts.ts';

/** The number of custom foods that a tenant may store, or stores. */
export interface FoodQuota {
  readonly foods: number;
  /** Words of names, brands and aliases; memory and indexing time depend on them. */
  readonly words: number;
}

export const NO_QUOTA: FoodQuota = {
  foods: Number.MAX_SAFE_INTEGER,
  words: Number.MAX_SAFE_INTEGER,
};

/** Maximum share of the tenant's quota for one user, so that none takes the room of all others. */
const USER_SHARE = 0.1;

export function userQuota({ foods, words }: FoodQuota): FoodQuota {
  return { foods: Math.ceil(foods * USER_SHARE), words: Math.ceil(words * USER_SHARE) };
}

/** Number of searchable words of the food, repetitions included. */
export function wordsOf(food: Food): number {
  return countWords(food);
}

/** Rejects a food with more words than a tenant, or one of its users, may store. */
export function quotaExceeded(
  quota: FoodQuota,
  used: FoodQuota,
  words: number,
  whose: 'tenant' | 'user' = 'tenant',
): AppError {
  const isFull = used.words + words <= quota.words;
  const [name, limit, taken] = isFull
    ? [`custom_foods${OF[whose]}`, quota.foods, used.foods]
    : [`custom_food_words${OF[whose]}`, quota.words, used.words];
  const message = isFull
    ? `This ${whose} has ${counted(taken, 'custom food')}, as many as it may have; delete some, or ask the operator for more.`
    : `Names, brands and aliases of this ${whose}'s foods have ${counted(taken, 'word')} of at most ${limit}; delete or shorten some, or ask the operator for more.`;
  return new AppError({
    code: 'quota_exceeded',
    message,
    details: { quota: name, limit, used: taken },
  });
}

const OF = { tenant: '', user: '_of_user' } as const;
