import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

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
