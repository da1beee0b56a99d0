import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A scan that is no user's says so by an empty text, as in PostgreSQL, where the user is part of every row's key. */
export const scansOfNobody: Migration = {
  async up(db) {
    await sql`update scans set user_id = '' where user_id is null`.execute(db);
  },
};
