import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Ids are ordered byte by byte, as SQLite does, whatever the database's language. */
export const tenantFoods: Migration = {
  async up(db) {
    await sql`create table live_foods (
      tenant_id text collate "C" not null,
      id text collate "C" not null,
      revision bigint not null,
      food text,
      primary key (tenant_id, id)
    )`.execute(db);
    // Unique, so that no two writes can ever be told apart wrongly by who follows the changes.
    await sql`create unique index live_foods_by_revision on live_foods (revision)`.execute(db);
  },
};

/** Nodes that listen hear of each write when it is committed, with its revision. */
export const liveFoodChanges: Migration = {
  async up(db) {
    await sql`create function notify_live_food() returns trigger language plpgsql as $$
      begin
        perform pg_notify('larder_live_foods', new.revision::text);
        return null;
      end
    $$`.execute(db);
    await sql`create trigger live_food_changed after insert or update on live_foods
      for each row execute function notify_live_food()`.execute(db);
  },
};

/** The parts of a version lie in the object store; `previous` is the activation that a roll-back goes back to. */
export const catalogues: Migration = {
  async up(db) {
    await sql`create table catalogue_versions (
      name text collate "C" primary key,
      published_at_ms bigint not null,
      compiled_at_ms bigint not null,
      format_version integer not null,
      foods bigint not null,
      bytes bigint not null,
      part_bytes integer not null,
      parts text[] not null
    )`.execute(db);
    await sql`create table catalogue_activations (
      number integer primary key,
      name text collate "C" not null,
      previous integer,
      activated_at_ms bigint not null
    )`.execute(db);
  },
};

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
