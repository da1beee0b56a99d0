import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const tenantFoods: Migration = {
  async up(db) {
    await db.schema
      .createTable('live_foods')
      .addColumn('tenant_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('food', 'text')
      .addPrimaryKeyConstraint('live_foods_pk', ['tenant_id', 'id'])
      .modifyEnd(sql`strict, without rowid`)
      .execute();
    // Unique, so that no two writes can ever be told apart wrongly by who follows the changes.
    await db.schema
      .createIndex('live_foods_by_revision')
      .unique()
      .on('live_foods')
      .column('revision')
      .execute();
  },
};
