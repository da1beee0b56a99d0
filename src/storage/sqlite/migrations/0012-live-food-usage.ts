import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Counts each tenant's foods and their words. The words of those that are there already count when they are changed. */
export const liveFoodUsage: Migration = {
  async up(db) {
    await sql`alter table live_foods add column words integer not null default 0`.execute(db);
    await sql`create table live_food_usage (
      tenant_id text not null primary key,
      foods integer not null,
      words integer not null
    ) strict, without rowid`.execute(db);
    // Also for tenants that have deleted all, so that every tenant with rows has one here.
    await sql`insert into live_food_usage select tenant_id, count(food), 0 from live_foods group by tenant_id`.execute(
      db,
    );
    await sql`create trigger live_food_added after insert on live_foods when new.food is not null begin
      insert into live_food_usage values (new.tenant_id, 1, new.words)
        on conflict (tenant_id) do update set foods = foods + 1, words = words + excluded.words;
    end`.execute(db);
    await sql`create trigger live_food_changed after update on live_foods begin
      update live_food_usage set
        foods = foods + (new.food is not null) - (old.food is not null),
        words = words + iif(new.food is null, 0, new.words) - iif(old.food is null, 0, old.words)
      where tenant_id = new.tenant_id;
    end`.execute(db);
    await sql`create trigger live_food_removed after delete on live_foods when old.food is not null begin
      update live_food_usage set foods = foods - 1, words = words - old.words where tenant_id = old.tenant_id;
    end`.execute(db);
    await sql`create index live_foods_deleted on live_foods (revision) where food is null`.execute(db);
    await sql`create index live_foods_shared on live_foods (revision)
      where tenant_id = '*' and food is not null`.execute(db);
  },
};
