import type { Kysely } from 'kysely';
import type { AccessTables } from './access-tables.ts';

export type AccessDatabase = Kysely<AccessTables>;

/** A database as the stores in this folder use it, all of whose queries SQLite and PostgreSQL both understand. */
export interface SqlDatabase {
  readonly db: AccessDatabase;
  /** Carries out one statement while nobody else writes to the table; what it writes is committed. */
  readonly alone: <T>(table: keyof AccessTables, statement: (db: AccessDatabase) => Promise<T>) => Promise<T>;
}
