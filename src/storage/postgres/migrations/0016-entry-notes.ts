import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When an entry was eaten, as its client wrote it, and what the client noted. */
export const entryNotes: Migration = {
  async up(db) {
    await sql`alter table diary_entries add column eaten_at text, add column note text`.execute(db);
  },
};
