import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The partial indexes hold what is waiting, which is little beside what is done. */
export const scans: Migration = {
  async up(db) {
    await sql`create table scans (
      tenant_id text not null,
      id text not null,
      user_id text,
      client_id text not null,
      content_type text not null,
      image_type text not null,
      status text not null,
      created_at_ms integer not null,
      upload_expires_at_ms integer not null,
      settled_at_ms integer,
      result text,
      failure text,
      due_at_ms integer,
      is_leased integer not null default 0,
      attempts integer not null default 0,
      fencing_token integer not null default 0,
      has_image integer not null default 1,
      primary key (tenant_id, id)
    ) strict`.execute(db);
    await sql`create index scans_by_id on scans (id)`.execute(db);
    await sql`create index scans_by_user on scans (tenant_id, user_id) where user_id is not null`.execute(db);
    await sql`create index scans_awaiting_upload on scans (created_at_ms)
      where status = 'upload_pending'`.execute(db);
    await sql`create index scans_to_work_on on scans (due_at_ms, id) where status = 'processing'`.execute(db);
    await sql`create index scans_with_old_image on scans (settled_at_ms)
      where has_image = 1 and settled_at_ms is not null`.execute(db);
  },
};

/** A scan that is no user's says so by an empty text, as in PostgreSQL, where the user is part of every row's key. */
export const scansOfNobody: Migration = {
  async up(db) {
    await sql`update scans set user_id = '' where user_id is null`.execute(db);
  },
};

/** For the removal of scans whose retention has ended. */
export const settledScans: Migration = {
  async up(db) {
    await sql`create index scans_settled on scans (settled_at_ms)
      where settled_at_ms is not null`.execute(db);
  },
};

/**
 * For what each index is, see `src/scan/jobs/scan-turns.ts`; the last one also counts the unfinished scans of an owner. Only jobs that
 * are worked on or wait for it have a \`due_at_ms\`; statements about one job do not name it, and so do not take these indexes.
 */
export const scanTurns: Migration = {
  async up(db) {
    await sql`alter table scans add column tenant_turn integer not null default 0`.execute(db);
    await sql`alter table scans add column user_turn integer not null default 0`.execute(db);
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

/** Counts the images of a tenant. */
export const storedImages: Migration = {
  async up(db) {
    await sql`create index if not exists scans_with_image on scans (tenant_id)
      where has_image = 1`.execute(db);
  },
};

/**
 * Adds up the images of a tenant. Those that are there, and those of nodes of the version before, count as the largest that
 * there may be, until a sweep measures them.
 */
export const imageBytes: Migration = {
  async up(db) {
    await sql`alter table scans add column image_bytes integer not null default 10485760`.execute(db);
    await sql`create index scans_by_image_bytes on scans (tenant_id, image_bytes)
      where has_image = 1`.execute(db);
    await sql`drop index scans_with_image`.execute(db);
  },
};
