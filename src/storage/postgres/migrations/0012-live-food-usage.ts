import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Counts each tenant's foods and their words. The words of those that are there already, or that a node of the version before
 * writes, count when they are changed.
 */
export const liveFoodUsage: Migration = {
  async up(db) {
    await sql`alter table live_foods add column words integer not null default 0`.execute(db);
    await sql`create table live_food_usage (
      tenant_id text collate "C" primary key,
      foods bigint not null,
      words bigint not null
    )`.execute(db);
    await sql`create function count_live_food() returns trigger language plpgsql as $$
      declare
        food_change integer := 0;
        word_change integer := 0;
      begin
        if tg_op <> 'DELETE' and new.food is not null then
          food_change := 1;
          word_change := new.words;
        end if;
        if tg_op <> 'INSERT' and old.food is not null then
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
    // Holds up writes, from here on, until they are counted.
    await sql`create trigger live_food_counted after insert or update or delete on live_foods
      for each row execute function count_live_food()`.execute(db);
    await sql`insert into live_food_usage
      select tenant_id, count(food), 0 from live_foods where food is not null group by tenant_id`.execute(db);
    await sql`create index if not exists live_foods_deleted on live_foods (revision) where food is null`.execute(
      db,
    );
    await sql`create index if not exists live_foods_shared on live_foods (revision)
      where tenant_id = '*' and food is not null`.execute(db);
  },
};
