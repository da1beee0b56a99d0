import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What the whole cooked dish weighs, in g; unknown of the recipes that are there. */
export const recipeYields: Migration = {
  async up(db) {
    await sql`alter table diary_recipes add column yield_grams double precision`.execute(db);
  },
};
