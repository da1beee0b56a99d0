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

/** Counts the keys of a tenant that have not ended; `KeyStore` states the same expression. */
export const liveKeys: Migration = {
  async up(db) {
    await sql`create index if not exists api_keys_by_end
      on api_keys (tenant_id, coalesce(revoked_at, expires_at, 9007199254740991))`.execute(db);
  },
};

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
