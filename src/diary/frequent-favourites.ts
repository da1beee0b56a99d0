import { LRUCache } from 'lru-cache';
import { type FavouriteFood, type FavouriteFoods, MAX_FAVOURITES } from '../catalogue/favourite-foods.ts';
import type { Diary } from './diary.ts';

/** Users whose favourites are kept. */
const MAX_USERS = 1_000;

interface Known {
  readonly revision: number;
  readonly foods: readonly FavouriteFood[];
}

/** A user's favourites are the foods most frequent in the latest diary entries; read anew after each change. */
export class FrequentFavourites implements FavouriteFoods {
  readonly #diary: Pick<Diary, 'frequentFoods' | 'revision'>;
  readonly #known = new LRUCache<string, Known>({ max: MAX_USERS });

  constructor({ diary }: { readonly diary: Pick<Diary, 'frequentFoods' | 'revision'> }) {
    this.#diary = diary;
  }

  of(tenant: string, userId: string): readonly FavouriteFood[] | Promise<readonly FavouriteFood[]> {
    const owner = { tenant, userId };
    // Neither name holds a space.
    const key = `${tenant} ${userId}`;
    const revision = this.#diary.revision(owner);
    const known = this.#known.get(key);
    if (known !== undefined && known.revision === revision) return known.foods;
    return this.#diary.frequentFoods(owner, MAX_FAVOURITES).then((eaten) => {
      const foods = eaten.flatMap(({ last: { foodId }, timesEaten }) =>
        foodId === undefined ? [] : [{ id: foodId, timesEaten }],
      );
      if (revision !== undefined) this.#known.set(key, { revision, foods });
      return foods;
    });
  }
}
