import type { MaybePromise } from '../../maybe-promise.ts';
import type { FoodId } from './food.ts';

/** A food that a user eats. */
export interface FavouriteFood {
  readonly id: FoodId;
  readonly timesEaten: number;
}

/** The most favourites of one user that a search considers. */
export const MAX_FAVOURITES = 200;

/** Knows what a user eats. Asked only for searches that rank that first. */
export interface FavouriteFoods {
  /** The foods that the user ate most often lately, at most `MAX_FAVOURITES`; none for an unknown user. */
  of(tenant: string, userId: string): MaybePromise<readonly FavouriteFood[]>;
}
