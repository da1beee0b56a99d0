import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Counts the images of a tenant. */
export const storedImages: Migration = {
  async up(db) {
    await sql`create index if not exists scans_with_image on scans (tenant_id)
      where has_image = 1`.execute(db);
  },
};
