import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Adds up the images of a tenant. Those that are there, and those of nodes of the version before, count as the largest that
 * there may be, until a sweep measures them.
 */
export const imageBytes: Migration = {
  async up(db) {
    await sql`alter table scans add column if not exists image_bytes integer not null default 10485760`.execute(
      db,
    );
    await sql`create index if not exists scans_by_image_bytes on scans (tenant_id, image_bytes)
      where has_image = 1`.execute(db);
    await sql`drop index scans_with_image`.execute(db);
  },
};
