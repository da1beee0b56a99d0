import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The user to whom a food belongs, and its content then; foods that are there already stay shared by their tenant. The
 * content has a column of its own, so that nodes of the version before take these foods for deleted ones, and show them
 * to nobody. They count as all others do, and only a row without any content is that of a deleted food.
 */
export const foodOwners: Migration = {
  async up(db) {
    await sql`alter table live_foods add column if not exists user_id text collate "C"`.execute(db);
    await sql`alter table live_foods add column if not exists user_food text`.execute(db);
    await sql`create index if not exists live_foods_by_user on live_foods (tenant_id, user_id)
      where user_id is not null`.execute(db);
    await sql`create or replace function count_live_food() returns trigger language plpgsql as $$
      declare
        food_change integer := 0;
        word_change integer := 0;
      begin
        if tg_op <> 'DELETE' and coalesce(new.food, new.user_food) is not null then
          food_change := 1;
          word_change := new.words;
        end if;
        if tg_op <> 'INSERT' and coalesce(old.food, old.user_food) is not null then
          food_change := food_change - 1;
          word_change := word_change - old.words;
        end if;
        if food_change <> 0 or word_change <> 0 then
          insert into live_food_usage as usage values (coalesce(new.tenant_id, old.tenant_id), food_change, word_change)
            on conflict (tenant_id) do update
              set foods = usage.foods + excluded.foods, words = usage.words + excluded.words;
        end if;
        return null;
      end
    $$`.execute(db);
    await sql`drop index live_foods_deleted`.execute(db);
    await sql`create index if not exists live_foods_gone on live_foods (revision)
      where food is null and user_food is null`.execute(db);
  },
};
