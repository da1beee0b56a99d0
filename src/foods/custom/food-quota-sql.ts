import type { AppError } from '@larder/core/errors.ts';
import type { Food } from '@larder/core/food.ts';
import { type Queries, sql } from '../../db/sql.ts';
import { type FoodQuota, quotaExceeded, userQuota } from './food-quota.ts';

/** Whether the food's user has room for it, or it is shared. */
export function userHasRoom(tenant: string, { id, userId }: Food, words: number, quota: FoodQuota) {
  const share = userQuota(quota);
  return userId === undefined
    ? sql`true`
    : sql`(select count(*) < ${share.foods} and coalesce(sum(own.words), 0) <= ${share.words - words}
        from live_foods as own where own.tenant_id = ${tenant} and own.user_id = ${userId} and own.id <> ${id})`;
}

/** The reason for which there was no room. */
export async function quotaRefusal(
  db: Queries,
  tenant: string,
  food: Food,
  words: number,
  quota: FoodQuota,
): Promise<AppError> {
  if (food.userId === undefined) return quotaExceeded(quota, await usageOf(db, tenant), words);
  const share = userQuota(quota);
  const using = sql<FoodQuota>`
    select count(*) as foods, coalesce(sum(words), 0) as words from live_foods
    where tenant_id = ${tenant} and user_id = ${food.userId} and id <> ${food.id}`;
  const used = (await using.first(db))!;
  const isFull = used.foods >= share.foods || used.words + words > share.words;
  return isFull
    ? quotaExceeded(share, used, words, 'user')
    : quotaExceeded(quota, await usageOf(db, tenant), words);
}

export async function usageOf(db: Queries, tenant: string): Promise<FoodQuota> {
  const using = sql<FoodQuota>`select foods, words from live_food_usage where tenant_id = ${tenant}`;
  return (await using.first(db)) ?? { foods: 0, words: 0 };
}
