import { recipeFoodId } from '@larder/core/food.ts';
import { type FavouriteFood, type FavouriteFoods, MAX_FAVOURITES } from '@larder/text/parse/food-finder.ts';
import { LRUCache } from 'lru-cache';
import { frequentFoods, MAX_ENTRIES_LOOKED_AT } from './eaten-foods.ts';
import type { DiaryOwner } from './records/entry.ts';
import type { DiaryStore } from './store/diary-store.ts';

/** Maximum users with cached favourites. */
const MAX_USERS = 1_000;

interface Known {
  readonly hint: number;
  readonly foods: readonly FavouriteFood[];
}

/** A user's favourites: the most frequent foods of the latest diary entries, read again after each change. */
export class FrequentFavourites implements FavouriteFoods {
  readonly #store: DiaryStore;
  readonly #known = new LRUCache<string, Known>({ max: MAX_USERS });
  readonly #underWay = new Map<string, Promise<readonly FavouriteFood[]>>();

  constructor({ store }: { readonly store: DiaryStore }) {
    this.#store = store;
  }

  /** Concurrent requests for one user share one read. */
  async of(tenant: string, userId: string): Promise<readonly FavouriteFood[]> {
    const owner = { tenant, userId };
    // Neither name contains a space.
    const key = `${tenant} ${userId}`;
    const hint = this.#store.hint(owner);
    const known = this.#known.get(key);
    if (known !== undefined && known.hint === hint) return known.foods;
    // A pending read may have begun before the latest change.
    const asked = `${hint} ${key}`;
    const underWay = this.#underWay.get(asked);
    if (underWay !== undefined) return underWay;
    const reading = this.#read(owner)
      .then((foods) => {
        if (hint !== undefined) this.#known.set(key, { hint, foods });
        return foods;
      })
      .finally(() => this.#underWay.delete(asked));
    this.#underWay.set(asked, reading);
    return reading;
  }

  async #read(owner: DiaryOwner): Promise<readonly FavouriteFood[]> {
    const entries = await this.#store.listLatest(owner, MAX_ENTRIES_LOOKED_AT);
    return frequentFoods(entries)
      .slice(0, MAX_FAVOURITES)
      .flatMap(({ last: { foodId, recipeId }, timesEaten }) => {
        const id = recipeId === undefined ? foodId : recipeFoodId(recipeId);
        return id === undefined ? [] : [{ id, timesEaten }];
      });
  }
}
