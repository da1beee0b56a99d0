import { sql } from 'kysely';
import type { Food } from '../catalogue/food/food.ts';
import { type FoodQuota, quotaExceeded, userQuota } from '../catalogue/tenant-foods/food-quota.ts';
import type { AppError } from '../errors.ts';
import type { QueryBuilder } from './sql-database.ts';

/** Whether the food's user has room for it, or it is everybody's. */
export function userHasRoom(tenant: string, { id, userId }: Food, words: number, quota: FoodQuota) {
  const share = userQuota(quota);
  return userId === undefined
    ? sql<boolean>`1 = 1`
    : sql<boolean>`(select count(*) < ${share.foods} and coalesce(sum(own.words), 0) <= ${share.words - words}
        from live_foods as own where own.tenant_id = ${tenant} and own.user_id = ${userId} and own.id <> ${id})`;
}

/** Why there was no room for a food. */
export async function quotaRefusal(
  db: QueryBuilder,
  tenant: string,
  food: Food,
  words: number,
  quota: FoodQuota,
): Promise<AppError> {
  if (food.userId === undefined) return quotaExceeded(quota, await usageOf(db, tenant), words);
  const share = userQuota(quota);
  const used = await db
    .selectFrom('live_foods')
    .select(({ fn }) => [
      fn.countAll<number>().as('foods'),
      fn.coalesce(fn.sum<number>('words'), sql<number>`0`).as('words'),
    ])
    .where('tenant_id', '=', tenant)
    .where('user_id', '=', food.userId)
    .where('id', '<>', food.id)
    .executeTakeFirstOrThrow();
  const isFull = used.foods >= share.foods || used.words + words > share.words;
  return isFull
    ? quotaExceeded(share, used, words, 'user')
    : quotaExceeded(quota, await usageOf(db, tenant), words);
}

export async function usageOf(db: QueryBuilder, tenant: string): Promise<FoodQuota> {
  const row = await db
    .selectFrom('live_food_usage')
    .select(['foods', 'words'])
    .where('tenant_id', '=', tenant)
    .executeTakeFirst();
  return row ?? { foods: 0, words: 0 };
}
