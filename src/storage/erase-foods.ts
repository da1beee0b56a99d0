/**
 * Deletes the foods that are `owned`, a condition for tenant and user. Each gets a revision of its own, as by single
 * deletions. No other write to the table may run at the same time.
 */
export function eraseFoods(owned: string): string {
  return `update live_foods
    set user_id = null, food = null, user_food = null, words = 0, revision = erased.revision
    from (
      select tenant_id, id, (select max(revision) from live_foods) + row_number() over (order by id) as revision
      from live_foods where ${owned}
    ) as erased
    where live_foods.tenant_id = erased.tenant_id and live_foods.id = erased.id`;
}
