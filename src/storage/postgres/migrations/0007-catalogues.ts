import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The parts of a version lie in the object store; `previous` is the activation that a roll-back goes back to. */
export const catalogues: Migration = {
  async up(db) {
    await sql`create table catalogue_versions (
      name text collate "C" primary key,
      published_at_ms bigint not null,
      compiled_at_ms bigint not null,
      format_version integer not null,
      foods bigint not null,
      bytes bigint not null,
      part_bytes integer not null,
      parts text[] not null
    )`.execute(db);
    await sql`create table catalogue_activations (
      number integer primary key,
      name text collate "C" not null,
      previous integer,
      activated_at_ms bigint not null
    )`.execute(db);
  },
};
