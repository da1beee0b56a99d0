import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * For what each index is, see `src/storage/scan-turns.ts`; the last one also counts the unfinished scans of an owner. Only jobs that
 * are worked on or wait for it have a \`due_at_ms\`; statements about one job do not name it, and so do not take these indexes.
 */
export const scanTurns: Migration = {
  async up(db) {
    await sql`alter table scans add column tenant_turn bigint not null default 0`.execute(db);
    await sql`alter table scans add column user_turn bigint not null default 0`.execute(db);
    await sql`create index if not exists scans_by_tenant_turn on scans (tenant_turn, due_at_ms, id)
      where due_at_ms is not null`.execute(db);
    await sql`create index if not exists scans_by_user_turn on scans (tenant_id, user_turn, due_at_ms, id)
      where due_at_ms is not null`.execute(db);
    await sql`create index if not exists scans_last_turn on scans (tenant_id, tenant_turn)
      where settled_at_ms is null`.execute(db);
    await sql`create index if not exists scans_unfinished on scans (tenant_id, user_id, user_turn)
      where settled_at_ms is null`.execute(db);
  },
};
