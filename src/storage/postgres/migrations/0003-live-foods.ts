import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Ids are ordered byte by byte, as SQLite does, whatever the database's language. */
export const tenantFoods: Migration = {
  async up(db) {
    await sql`create table live_foods (
      tenant_id text collate "C" not null,
      id text collate "C" not null,
      revision bigint not null,
      food text,
      primary key (tenant_id, id)
    )`.execute(db);
    // Unique, so that no two writes can ever be told apart wrongly by who follows the changes.
    await sql`create unique index live_foods_by_revision on live_foods (revision)`.execute(db);
  },
};
