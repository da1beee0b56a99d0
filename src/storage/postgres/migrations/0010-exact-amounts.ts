import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What the amounts of an entry are computed from, what was rounded off them in billionths, and the version of the entry
 * that both belong to. Nodes of the version before change entries without them, which leaves `exact_version` behind.
 */
export const exactAmounts: Migration = {
  async up(db) {
    await sql`alter table diary_entries
      add column calories_rest integer not null default 0,
      add column protein_rest integer not null default 0,
      add column carbs_rest integer not null default 0,
      add column fat_rest integer not null default 0,
      add column fiber_rest integer not null default 0,
      add column sodium_rest integer not null default 0,
      add column exact_version integer,
      add column basis text`.execute(db);
  },
};
