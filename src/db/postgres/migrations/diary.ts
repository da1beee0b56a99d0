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

/**
 * What the amounts of an entry are computed from, what was rounded off them in billionths, and the version of the entry
 * that both belong to. Nodes of the version before change entries without them, which leaves `exact_version` behind.
 */
export const exactAmounts: Migration = {
  async up(db) {
    await sql`alter table diary_entries
      add column calories_rest integer not null default 0,
      add column protein_rest integer not null default 0,
      add column carbs_rest integer not null default 0,
      add column fat_rest integer not null default 0,
      add column fiber_rest integer not null default 0,
      add column sodium_rest integer not null default 0,
      add column exact_version integer,
      add column basis text`.execute(db);
  },
};

/** When an entry was eaten, as its client wrote it, and what the client noted. */
export const entryNotes: Migration = {
  async up(db) {
    await sql`alter table diary_entries add column eaten_at text, add column note text`.execute(db);
  },
};

/** Further nutrients: of an entry in billionths, of goals in thousandths. Entries and goals that are there state none. */
export const allNutrients: Migration = {
  async up(db) {
    await sql`alter table diary_entries
      add column sugars bigint,
      add column added_sugars bigint,
      add column saturated_fat bigint,
      add column trans_fat bigint,
      add column cholesterol bigint,
      add column potassium bigint,
      add column calcium bigint,
      add column iron bigint,
      add column vitamin_d bigint`.execute(db);
    await sql`alter table diary_goals
      add column sugars bigint,
      add column added_sugars bigint,
      add column saturated_fat bigint,
      add column trans_fat bigint,
      add column cholesterol bigint,
      add column potassium bigint,
      add column calcium bigint,
      add column iron bigint,
      add column vitamin_d bigint`.execute(db);
  },
};

/** What the whole cooked dish weighs, in g; unknown of the recipes that are there. */
export const recipeYields: Migration = {
  async up(db) {
    await sql`alter table diary_recipes add column yield_grams double precision`.execute(db);
  },
};
