import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** `status`, `headers` and `body` are null until the request was answered. */
export const idempotentRequests: Migration = {
  async up(db) {
    await sql`create table idempotent_requests (
      tenant_id text not null,
      user_id text not null,
      idempotency_key text not null,
      fingerprint blob not null,
      claim_id text not null,
      claimed_at_ms integer not null,
      claimed_until_ms integer not null,
      status integer,
      headers text,
      body text,
      primary key (tenant_id, user_id, idempotency_key)
    ) strict`.execute(db);
    await sql`create index idempotent_requests_by_age on idempotent_requests (claimed_at_ms)`.execute(db);
  },
};
