import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { OutageError } from '../../errors.ts';

/**
 * Classes of SQLSTATE that say that the database, not the statement, is at fault: connection, resources, intervention
 * of an operator (a shutdown or a time-out), system. See appendix A of PostgreSQL's documentation.
 */
const OUTAGE_CLASSES = ['08', '53', '57', '58'];

/** Queries of one thread that may wait for a connection; more are refused at once. */
const MAX_WAITING_QUERIES = 1_000;

/** Throws an `OutageError` when too many wait already: they would only be answered after their clients are gone. */
export function requireRoom(pool: Pick<pg.Pool, 'waitingCount'>): void {
  if (pool.waitingCount < MAX_WAITING_QUERIES) return;
  throw new OutageError(`${MAX_WAITING_QUERIES} queries wait for PostgreSQL already`);
}

/** The same pool, whose errors are an `OutageError` where PostgreSQL does not answer. */
export function reportOutages(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      requireRoom(pool);
      const client = await pool.connect().catch(rethrow);
      const query = (text: string, values: readonly unknown[]) =>
        client.query(text, values as unknown[]).catch(rethrow);
      return {
        // Nothing here reads by cursor, which the type has besides.
        query: query as unknown as PostgresPoolClient['query'],
        release: (destroy) => client.release(destroy),
      };
    },
  };
}

/** An error without a SQLSTATE never reached PostgreSQL, or lost it on the way. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return true;
  return OUTAGE_CLASSES.includes(error.code?.slice(0, 2) ?? '');
}

function rethrow(error: Error): never {
  if (!isOutage(error)) throw error;
  throw new OutageError(`PostgreSQL does not answer: ${error.message}`, { cause: error });
}
