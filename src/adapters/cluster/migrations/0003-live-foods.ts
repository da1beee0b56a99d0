import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const liveFoods: Migration = {
  async up(db) {
    await sql`create table live_foods (
      tenant_id text not null,
      id text not null,
      revision bigint not null,
      food text,
      primary key (tenant_id, id)
    )`.execute(db);
    // Unique, so that no two writes can ever be told apart wrongly by who follows the changes.
    await sql`create unique index live_foods_by_revision on live_foods (revision)`.execute(db);
  },
};
