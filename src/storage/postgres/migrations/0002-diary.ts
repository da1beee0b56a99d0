import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The same tables as SQLite has. Days and ids are compared byte by byte, whatever the database's language. */
export const diary: Migration = {
  async up(db) {
    await sql`create table diary_entries (
      tenant_id text not null,
      user_id text not null,
      date text collate "C" not null,
      id text collate "C" not null,
      version integer not null,
      meal_type text not null,
      food_name text not null,
      calories bigint not null,
      protein bigint not null,
      carbs bigint not null,
      fat bigint not null,
      fiber bigint,
      sodium bigint,
      added_method text not null,
      food_id text,
      barcode text,
      recipe_id text,
      quantity double precision,
      unit text,
      created_at bigint not null,
      updated_at bigint not null,
      primary key (tenant_id, user_id, date, id)
    )`.execute(db);
    await sql`create unique index diary_entries_by_id on diary_entries (tenant_id, user_id, id)`.execute(db);

    await sql`create table diary_recipes (
      tenant_id text not null,
      user_id text not null,
      id text collate "C" not null,
      version integer not null,
      name text not null,
      servings double precision not null,
      ingredients text not null,
      created_at bigint not null,
      updated_at bigint not null,
      primary key (tenant_id, user_id, id)
    )`.execute(db);

    await sql`create table diary_goals (
      tenant_id text not null,
      user_id text not null,
      from_date text collate "C" not null,
      calories bigint,
      protein bigint,
      carbs bigint,
      fat bigint,
      fiber bigint,
      sodium bigint,
      primary key (tenant_id, user_id, from_date)
    )`.execute(db);
  },
};
