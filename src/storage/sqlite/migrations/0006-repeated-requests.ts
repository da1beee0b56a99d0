import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whose data an answer holds, so that it goes with the user; and how often a request was begun. */
export const repeatedRequests: Migration = {
  async up(db) {
    await sql`alter table idempotent_requests add column subject_user_id text not null default ''`.execute(
      db,
    );
    await sql`alter table idempotent_requests add column attempt integer not null default 1`.execute(db);
    await sql`update idempotent_requests set subject_user_id = user_id`.execute(db);
    await sql`create index idempotent_requests_by_subject
      on idempotent_requests (tenant_id, subject_user_id)`.execute(db);
  },
};
