import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

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
