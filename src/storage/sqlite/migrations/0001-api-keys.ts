import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const apiKeys: Migration = {
  async up(db) {
    await db.schema
      .createTable('api_keys')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('tenant_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text')
      .addColumn('secret_hash', 'blob', (column) => column.notNull())
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('limits', 'text')
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('expires_at', 'integer')
      .addColumn('revoked_at', 'integer')
      .modifyEnd(sql`strict, without rowid`)
      .execute();
    await db.schema.createIndex('api_keys_by_tenant').on('api_keys').columns(['tenant_id', 'id']).execute();
  },
};
