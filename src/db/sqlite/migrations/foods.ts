import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const tenantFoods: Migration = {
  async up(db) {
    await db.schema
      .createTable('live_foods')
      .addColumn('tenant_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('food', 'text')
      .addPrimaryKeyConstraint('live_foods_pk', ['tenant_id', 'id'])
      .modifyEnd(sql`strict, without rowid`)
      .execute();
    // Unique, so that no two writes can ever be told apart wrongly by who follows the changes.
    await db.schema
      .createIndex('live_foods_by_revision')
      .unique()
      .on('live_foods')
      .column('revision')
      .execute();
  },
};

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
