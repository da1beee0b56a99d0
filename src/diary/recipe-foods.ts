import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Food, recipeFoodId, type Serving } from '@larder/core/food.ts';
import { type Nutrients, REQUIRED_NUTRIENTS } from '@larder/core/nutrients.ts';
import { LRUCache } from 'lru-cache';
import { ChangeLog } from '../changes/change-log.ts';
import type { ChangeHints } from '../db/change-hints.ts';
import type { Queries } from '../db/sql.ts';
import type { IndexPorts } from '../foods/custom/custom-food-index.ts';
import { CustomFoods, NO_FOODS } from '../foods/custom/custom-foods.ts';
import type { RecipeFinder } from '../foods/visible-foods.ts';
import { AMOUNT_KEYS, type DiaryOwner, NUTRIENT_OF } from './records/entry.ts';
import { type Recipe, recipeUnroundedTotals } from './records/recipe.ts';
import type { RecipeStore } from './store/recipe-store.ts';

/** Recipes that one statement reads. */
const PAGE_SIZE = 32;
/** Changes of a user that one statement reads. */
const CHANGES_SIZE = 500;
/** Maximum users whose recipes one thread keeps, and maximum memory of these. */
const MAX_USERS = 1_000;
const MAX_BYTES = 64 * 2 ** 20;
/** Approximate bytes of a recipe without its texts, and of a user without recipes. */
const RECIPE_BYTES = 2_000;
const USER_BYTES = 1_000;
const SERVING = 'serving';

/** A recipe as a food of its owner: per 100 g if its yield is known, otherwise counted in servings. */
export function recipeFood(recipe: Recipe, userId: string): Food {
  const { id, name, servings, yieldGrams, createdAt, updatedAt } = recipe;
  // One serving of an unknown weight is 100 of the basis; see `Food.isCounted`.
  const serving: Serving = {
    value: 1,
    unit: SERVING,
    basisAmount: yieldGrams === undefined ? 100 : yieldGrams / servings,
  };
  const per = yieldGrams === undefined ? servings : yieldGrams / 100;
  const totals = recipeUnroundedTotals(recipe);
  const known = AMOUNT_KEYS.flatMap((key) =>
    totals[key] === undefined ? [] : [[NUTRIENT_OF[key], totals[key] / per] as const],
  );
  const nutrients = Object.fromEntries(known) as Partial<Nutrients>;
  const unknown = REQUIRED_NUTRIENTS.filter((key) => nutrients[key] === undefined);
  const absent = Object.fromEntries(unknown.map((key) => [key, 0]));
  return {
    id: recipeFoodId(id),
    source: 'manual_entry',
    userId,
    name,
    aliases: [],
    basis: 'g',
    per100: { ...nutrients, ...absent } as Nutrients,
    ...(unknown.length > 0 && { unknown }),
    ...(yieldGrams === undefined && { isCounted: true as const }),
    servings: [serving],
    popularity: 0,
    createdAt: Math.floor(createdAt / 1000),
    updatedAt: Math.floor(updatedAt / 1000),
  };
}

export interface RecipeFoodsOptions extends IndexPorts {
  readonly db: Queries;
  readonly store: Pick<RecipeStore, 'listById' | 'findAll'>;
  readonly hints: ChangeHints;
  /** The age at which recipes in memory are compared with the log although no hint was raised, since hints can be lost. */
  readonly maxAgeMs: number;
  /** A clock that never goes back. */
  readonly nowMs: () => number;
}

/**
 * Recipes as foods, in the memory of one API thread. Those of a user are read at the first request that may find them, and then
 * follow the user's change log: a request whose hint differs reads the changes before it is answered.
 */
export class RecipeFoods implements RecipeFinder {
  readonly #options: RecipeFoodsOptions;
  readonly #log: ChangeLog;
  readonly #users = new LRUCache<string, RecipesOfUser>({
    max: MAX_USERS,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  });

  constructor(options: RecipeFoodsOptions) {
    this.#options = options;
    this.#log = new ChangeLog(options);
  }

  isReady(tenant: string, userIds: readonly string[]): boolean {
    return userIds.every((userId) => this.#users.get(keyOf({ tenant, userId }))?.isCurrent === true);
  }

  async whenReady(tenant: string, userIds: readonly string[]): Promise<void> {
    // One after the other: a household is small, and a request has one query at a time.
    for (const userId of userIds) await this.#follow({ tenant, userId });
  }

  of(tenant: string, userIds: readonly string[]): readonly CustomFoods[] {
    return userIds
      .map((userId) => this.#users.get(keyOf({ tenant, userId }))?.foods ?? NO_FOODS)
      .filter(({ size }) => size > 0);
  }

  async #follow(owner: DiaryOwner): Promise<void> {
    const key = keyOf(owner);
    const recipes = this.#users.get(key) ?? new RecipesOfUser(owner, { ...this.#options, log: this.#log });
    if (recipes.isCurrent) return;
    // Requests that come meanwhile share the read.
    this.#users.set(key, recipes);
    await recipes.follow();
    // The size has changed.
    this.#users.set(key, recipes);
  }
}

/** Neither name contains a space. */
function keyOf({ tenant, userId }: DiaryOwner): string {
  return `${tenant} ${userId}`;
}

type UserOptions = RecipeFoodsOptions & { readonly log: ChangeLog };

class RecipesOfUser {
  #foods = new CustomFoods();
  readonly #owner: DiaryOwner;
  readonly #options: UserOptions;
  /** All changes up to this number have been applied; undefined before the first read. */
  #seq: number | undefined;
  /** Hint of the log, and time, before these changes were read. */
  #hint: number | undefined;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #following: Promise<void> | undefined;

  constructor(owner: DiaryOwner, options: UserOptions) {
    this.#owner = owner;
    this.#options = options;
  }

  get foods(): CustomFoods {
    return this.#foods;
  }

  get bytes(): number {
    return USER_BYTES + this.#foods.size * RECIPE_BYTES + this.#foods.indexBytes;
  }

  get isCurrent(): boolean {
    const { hints, nowMs, maxAgeMs } = this.#options;
    return (
      this.#hint === hints.of(this.#owner) && nowMs() - this.#readAtMs < maxAgeMs && this.#foods.isIndexed
    );
  }

  /** Every write that was acknowledged before the call is in memory and searchable when the promise resolves. */
  async follow(): Promise<void> {
    // The running read may have begun before the write that this caller must see.
    await this.#following?.catch(() => {});
    this.#following ??= this.#read().finally(() => {
      this.#following = undefined;
    });
    return this.#following;
  }

  async #read(): Promise<void> {
    const { hints, nowMs } = this.#options;
    const hint = hints.of(this.#owner);
    const readAtMs = nowMs();
    if (this.#seq === undefined || !(await this.#readChanges(this.#seq))) await this.#readAll();
    if (this.#foods.size > 0) await this.#foods.whenIndexed(this.#options);
    this.#hint = hint;
    this.#readAtMs = readAtMs;
  }

  async #readAll(): Promise<void> {
    const { log, store } = this.#options;
    const seq = await log.head(this.#owner);
    const foods = new CustomFoods();
    for (let after = ''; ; ) {
      const page = await store.listById(this.#owner, { after, limit: PAGE_SIZE });
      for (const recipe of page) this.#put(recipe, foods);
      if (page.length < PAGE_SIZE) break;
      after = page.at(-1)!.id;
      await nextTurn();
    }
    this.#foods = foods;
    this.#seq = seq;
  }

  /** False if the log may lack changes, so that everything must be read again. */
  async #readChanges(from: number): Promise<boolean> {
    const { log, store } = this.#options;
    for (let seq = from; ; ) {
      const page = await log.since(this.#owner, seq, CHANGES_SIZE);
      if (page === undefined) return false;
      const changed = page.changes.filter(({ kind }) => kind === 'recipe');
      for (let at = 0; at < changed.length; at += PAGE_SIZE) {
        const ids = changed.slice(at, at + PAGE_SIZE).map(({ id }) => id);
        const found = new Map((await store.findAll(this.#owner, ids)).map((recipe) => [recipe.id, recipe]));
        for (const id of ids) {
          const recipe = found.get(id);
          if (recipe === undefined) this.#foods.remove(recipeFoodId(id));
          else this.#put(recipe);
        }
      }
      seq = page.next;
      this.#seq = seq;
      if (page.changes.length < CHANGES_SIZE) return true;
      await nextTurn();
    }
  }

  #put(recipe: Recipe, foods = this.#foods): void {
    foods.put(recipeFood(recipe, this.#owner.userId), recipe.updatedAt);
  }
}
