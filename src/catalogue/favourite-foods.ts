import type { MaybePromise } from '../maybe-promise.ts';
import type { FoodId } from './food.ts';

/** A food that a user eats. */
export interface FavouriteFood {
  readonly id: FoodId;
  readonly timesEaten: number;
}

/** Favourites of one user that search looks at. */
export const MAX_FAVOURITES = 200;

/** Knows what a user eats; asked only where a search is to rank that first. */
export interface FavouriteFoods {
  /** The foods that the user ate most often of late, at most `MAX_FAVOURITES`; none for a user nobody knows. */
  of(tenant: string, userId: string): MaybePromise<readonly FavouriteFood[]>;
}
