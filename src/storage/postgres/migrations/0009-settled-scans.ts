import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** For the removal of scans whose retention has ended. */
export const settledScans: Migration = {
  async up(db) {
    await sql`create index if not exists scans_settled on scans (settled_at_ms)
      where settled_at_ms is not null`.execute(db);
  },
};
