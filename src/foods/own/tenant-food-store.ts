import type { Food, FoodId } from '@larder/core/food.ts';
import type { NamedRequest } from '../../time-ordered-id.ts';
import type { FoodQuota } from './food-quota.ts';

const PAGE_SIZE = 1000;

/** All tenant foods of one tenant in the order of their ids, read as they are taken. */
export async function* listFoods(store: Pick<TenantFoodStore, 'list'>, tenant: string): AsyncGenerator<Food> {
  for (let after = ''; ; ) {
    const page = await store.list(tenant, after, PAGE_SIZE);
    for (const { food } of page) yield food;
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1)!.food.id;
  }
}

export type Replaced =
  | { readonly outcome: 'replaced'; readonly revision: number }
  | { readonly outcome: 'missing' }
  /** The food is not at the revision that was expected. */
  | { readonly outcome: 'conflict' };

/**
 * At least so many of the latest revisions are told by `changesAfter` even where they deleted a food. Whoever is farther
 * behind reads all foods anew.
 */
export const KEPT_DELETIONS = 10_000;

/**
 * Keeps live foods. What a method has answered is durable and seen by every later call.
 *
 * Revisions are in the order in which writes become visible: after reading all changes up to one revision, no change
 * with a smaller one ever appears.
 */
export interface TenantFoodStore {
  /**
   * Adds a food, or overwrites the tenant's food with the same id. The new revision. Throws `quota_exceeded` where the tenant
   * has no room for a food more, however many write at one time. Notes in the same step that `request`, where one is given, was
   * carried out.
   */
  put(tenant: string, food: Food, quota?: FoodQuota, request?: NamedRequest): Promise<number>;
  /** Overwrites a food that is still at `expectedRevision`. Throws `quota_exceeded` where there is no room for its new words. */
  replace(tenant: string, food: Food, expectedRevision: number, quota?: FoodQuota): Promise<Replaced>;
  /** Deletes a food; with `expectedRevision` only while it is still there. */
  remove(tenant: string, id: FoodId, expectedRevision?: number): Promise<Replaced>;
  find(tenant: string, id: string): Promise<TenantFood | undefined>;
  /** The food of all tenants that was written longest ago. */
  findOldestShared(): Promise<TenantFood | undefined>;
  /** Those of a tenant's foods that have one of these ids, in no order. */
  findAll(tenant: string, ids: readonly string[]): Promise<readonly Food[]>;
  /**
   * A tenant's foods in the order of their ids, those behind `after`, at most `limit`. With `userId` only those that all
   * users share and those of this user.
   */
  list(tenant: string, after: string, limit: number, userId?: string): Promise<readonly TenantFood[]>;
  /** Of the latest write to any food; 0 before the first. */
  latestRevision(): Promise<number>;
  /** The latest write to each food after `revision`, oldest first, at most `limit`. Deleted foods are told, too. */
  changesAfter(revision: number, limit: number): Promise<readonly TenantFoodChange[]>;
}

/**
 * Owner of the foods that external services answered with, which all tenants share. No tenant can have this name.
 */
export const EVERY_TENANT = '*';

/** A food that came through the API and not with a catalogue. */
export interface TenantFood {
  readonly tenant: string;
  readonly food: Food;
  /** Grows with every write to any tenant food; what a client sees as the food's ETag. */
  readonly revision: number;
}

/** One write, as read by those who keep tenant foods in memory. */
export interface TenantFoodChange {
  readonly tenant: string;
  readonly id: FoodId;
  readonly revision: number;
  /** Absent when the food was deleted. */
  readonly food?: Food;
}
