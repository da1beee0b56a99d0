import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Counts the keys of a tenant that have not ended; `SqlKeyStore` states the same expression. */
export const liveKeys: Migration = {
  async up(db) {
    await sql`create index if not exists api_keys_by_end
      on api_keys (tenant_id, coalesce(revoked_at, expires_at, 9007199254740991))`.execute(db);
  },
};
