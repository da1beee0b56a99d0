import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

export type QueryBuilder = Kysely<Tables>;

/** A database as the stores in this folder use it, all of whose queries SQLite and PostgreSQL both understand. */
export interface SqlDatabase {
  readonly db: QueryBuilder;
  /** Carries out one statement while nobody else writes to the table; what it writes is committed. */
  readonly alone: <T>(table: keyof Tables, statement: (db: QueryBuilder) => Promise<T>) => Promise<T>;
  /** Carries out one statement while nobody else carries one out under the same name; what it writes is committed. */
  readonly oneAtATime: <T>(name: string, statement: (db: QueryBuilder) => Promise<T>) => Promise<T>;
  /** Several may write at once, so `for update skip locked` is needed and available. */
  readonly locksRows: boolean;
}
