import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const signingKeys: Migration = {
  async up(db) {
    await db.schema
      .createTable('signing_keys')
      .addColumn('kid', 'text', (column) => column.primaryKey().notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('private_jwk', 'text', (column) => column.notNull())
      .modifyEnd(sql`strict, without rowid`)
      .execute();
  },
};
