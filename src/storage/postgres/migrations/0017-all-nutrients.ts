import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

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
