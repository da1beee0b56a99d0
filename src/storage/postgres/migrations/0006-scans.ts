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
      created_at_ms bigint not null,
      upload_expires_at_ms bigint not null,
      settled_at_ms bigint,
      result text,
      failure text,
      due_at_ms bigint,
      is_leased integer not null default 0,
      attempts integer not null default 0,
      fencing_token integer not null default 0,
      has_image integer not null default 1,
      primary key (tenant_id, id)
    )`.execute(db);
    await sql`create index scans_by_id on scans (id)`.execute(db);
    await sql`create index scans_by_user on scans (tenant_id, user_id) where user_id is not null`.execute(db);
    await sql`create index scans_awaiting_upload on scans (created_at_ms)
      where status = 'upload_pending'`.execute(db);
    await sql`create index scans_to_work_on on scans (due_at_ms, id) where status = 'processing'`.execute(db);
    await sql`create index scans_with_old_image on scans (settled_at_ms)
      where has_image = 1 and settled_at_ms is not null`.execute(db);
  },
};
