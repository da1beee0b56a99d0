import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Ids are compared byte by byte, as SQLite does, whatever the database's language. */
export const access: Migration = {
  async up(db) {
    await sql`create table api_keys (
      id text collate "C" primary key,
      tenant_id text not null,
      name text,
      secret_hash bytea not null,
      scopes text not null,
      limits text,
      created_at bigint not null,
      expires_at bigint,
      revoked_at bigint
    )`.execute(db);
    await sql`create index api_keys_by_tenant on api_keys (tenant_id, id)`.execute(db);

    await sql`create table signing_keys (
      kid text collate "C" primary key,
      created_at bigint not null,
      private_jwk text not null
    )`.execute(db);

    await sql`create table idempotent_requests (
      tenant_id text not null,
      user_id text not null,
      idempotency_key text not null,
      fingerprint bytea not null,
      claim_id text not null,
      claimed_at_ms bigint not null,
      claimed_until_ms bigint not null,
      status integer,
      headers text,
      body text,
      primary key (tenant_id, user_id, idempotency_key)
    )`.execute(db);
    await sql`create index idempotent_requests_by_age on idempotent_requests (claimed_at_ms)`.execute(db);
  },
};

/** Counts the keys of a tenant that have not ended; `KeyStore` states the same expression. */
export const liveKeys: Migration = {
  async up(db) {
    await sql`create index if not exists api_keys_by_end
      on api_keys (tenant_id, coalesce(revoked_at, expires_at, 9007199254740991))`.execute(db);
  },
};

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
