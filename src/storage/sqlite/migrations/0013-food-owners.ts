import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The user to whom a food belongs, and its content then; foods that are there already stay shared by their tenant. Foods of
 * users count as all others do, and only a row without any content is that of a deleted one.
 */
export const foodOwners: Migration = {
  async up(db) {
    await sql`alter table live_foods add column user_id text`.execute(db);
    await sql`alter table live_foods add column user_food text`.execute(db);
    await sql`create index live_foods_by_user on live_foods (tenant_id, user_id)
      where user_id is not null`.execute(db);
    for (const trigger of ['live_food_added', 'live_food_changed', 'live_food_removed']) {
      await sql`drop trigger ${sql.ref(trigger)}`.execute(db);
    }
    await sql`create trigger live_food_added after insert on live_foods
      when coalesce(new.food, new.user_food) is not null begin
      insert into live_food_usage values (new.tenant_id, 1, new.words)
        on conflict (tenant_id) do update set foods = foods + 1, words = words + excluded.words;
    end`.execute(db);
    await sql`create trigger live_food_changed after update on live_foods begin
      update live_food_usage set
        foods = foods + (coalesce(new.food, new.user_food) is not null) - (coalesce(old.food, old.user_food) is not null),
        words = words + iif(coalesce(new.food, new.user_food) is null, 0, new.words)
          - iif(coalesce(old.food, old.user_food) is null, 0, old.words)
      where tenant_id = new.tenant_id;
    end`.execute(db);
    await sql`create trigger live_food_removed after delete on live_foods
      when coalesce(old.food, old.user_food) is not null begin
      update live_food_usage set foods = foods - 1, words = words - old.words where tenant_id = old.tenant_id;
    end`.execute(db);
    await sql`drop index live_foods_deleted`.execute(db);
    await sql`create index live_foods_gone on live_foods (revision)
      where food is null and user_food is null`.execute(db);
  },
};
