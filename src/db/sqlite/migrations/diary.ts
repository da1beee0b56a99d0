import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Amounts are whole thousandths of kcal, g and mg, so that sums are exact. The rows of a day lie beside each other,
 * in the order in which they are listed.
 */
export const diary: Migration = {
  async up(db) {
    await sql`create table diary_entries (
      tenant_id text not null,
      user_id text not null,
      date text not null,
      id text not null,
      version integer not null,
      meal_type text not null,
      food_name text not null,
      calories integer not null,
      protein integer not null,
      carbs integer not null,
      fat integer not null,
      fiber integer,
      sodium integer,
      added_method text not null,
      food_id text,
      barcode text,
      recipe_id text,
      quantity real,
      unit text,
      created_at integer not null,
      updated_at integer not null,
      primary key (tenant_id, user_id, date, id)
    ) strict, without rowid`.execute(db);
    await sql`create unique index diary_entries_by_id on diary_entries (tenant_id, user_id, id)`.execute(db);

    await sql`create table diary_recipes (
      tenant_id text not null,
      user_id text not null,
      id text not null,
      version integer not null,
      name text not null,
      servings real not null,
      ingredients text not null,
      created_at integer not null,
      updated_at integer not null,
      primary key (tenant_id, user_id, id)
    ) strict, without rowid`.execute(db);

    await sql`create table diary_goals (
      tenant_id text not null,
      user_id text not null,
      from_date text not null,
      calories integer,
      protein integer,
      carbs integer,
      fat integer,
      fiber integer,
      sodium integer,
      primary key (tenant_id, user_id, from_date)
    ) strict, without rowid`.execute(db);
  },
};

/**
 * What the amounts of an entry are computed from, what was rounded off them in billionths, and the version of the entry
 * that both belong to. Entries that are there have neither: they hold what they state.
 */
export const exactAmounts: Migration = {
  async up(db) {
    for (const amount of ['calories', 'protein', 'carbs', 'fat', 'fiber', 'sodium']) {
      await sql`alter table diary_entries add column ${sql.ref(`${amount}_rest`)} integer not null default 0`.execute(
        db,
      );
    }
    await sql`alter table diary_entries add column exact_version integer`.execute(db);
    await sql`alter table diary_entries add column basis text`.execute(db);
  },
};

/** When an entry was eaten, as its client wrote it, and what the client noted. */
export const entryNotes: Migration = {
  async up(db) {
    await sql`alter table diary_entries add column eaten_at text`.execute(db);
    await sql`alter table diary_entries add column note text`.execute(db);
  },
};

const NUTRIENTS = [
  'sugars',
  'added_sugars',
  'saturated_fat',
  'trans_fat',
  'cholesterol',
  'potassium',
  'calcium',
  'iron',
  'vitamin_d',
];

/** Further nutrients: of an entry in billionths, of goals in thousandths. Entries and goals that are there state none. */
export const allNutrients: Migration = {
  async up(db) {
    for (const nutrient of NUTRIENTS) {
      await sql`alter table diary_entries add column ${sql.ref(nutrient)} integer`.execute(db);
      await sql`alter table diary_goals add column ${sql.ref(nutrient)} integer`.execute(db);
    }
  },
};

/** What the whole cooked dish weighs, in g; unknown of the recipes that are there. */
export const recipeYields: Migration = {
  async up(db) {
    await sql`alter table diary_recipes add column yield_grams real`.execute(db);
  },
};
