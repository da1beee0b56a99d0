import { OperatorError } from '@larder/core/errors.ts';
import pg from 'pg';
import { retry } from '../../base/retry.ts';
import type { ClusterConfig } from '../../config/config.ts';
import { type FoundSchema, type MigrationLog, nextStep, STEPS, toldStep } from '../schema/steps.ts';
import type { DatabaseConnection, DatabaseLimits } from './database-connection.ts';
import { wasRolledBack } from './database-outage.ts';
import { DatabasePool } from './database-pool.ts';

/** The lock that version 0.1.0 uses, too, so that its nodes wait for it. */
const MIGRATION_LOCK = '3853314791062309107';

/** Time for which a step waits for a table in use. It is short, because all later queries queue behind it. */
const LOCK_TIMEOUT_MS = 2_000;
/** Pause after that, in which other queries run before the next attempt. */
const LOCK_PAUSE_MS = 500;
/** SQLSTATE `lock_not_available`. */
const LOCK_TIMED_OUT = '55P03';

/**
 * Migrates the tables of the PostgreSQL database at this address, one transaction for each step, while other
 * nodes use it. Nodes that start together take turns; if one crashes, the others do the rest. Statements get
 * a long time-out, because one may build a large index. Throws an `OperatorError` if the database cannot be
 * reached or used.
 */
export async function migrateDatabase(
  url: string,
  limits: DatabaseLimits,
  steps = STEPS,
  log?: MigrationLog,
): Promise<void> {
  const pool = new DatabasePool({ url, connections: 1, limits });
  const givenUpAtMs = performance.now() + limits.statementTimeoutMs;
  try {
    const delayMs = (error: unknown) =>
      isLockRefused(error) && performance.now() <= givenUpAtMs ? LOCK_PAUSE_MS : undefined;
    while (!(await retry(() => isUpToDateAfterStep(pool, steps, log), { delayMs })));
  } catch (error) {
    throw unusable(error);
  } finally {
    await pool.end();
  }
}

/** Runs one step. Returns true if no step was left. */
async function isUpToDateAfterStep(
  pool: DatabasePool,
  steps: typeof STEPS,
  log: MigrationLog | undefined,
): Promise<boolean> {
  const startedAtMs = performance.now();
  const connection = await pool.connect();
  let isDone = false;
  try {
    await connection.begin();
    // The lock belongs to the transaction, because behind a pooler a session cannot hold one.
    await connection.run({ text: `select pg_advisory_xact_lock(${MIGRATION_LOCK})` });
    await connection.run({ text: `set local lock_timeout = ${LOCK_TIMEOUT_MS}` });
    const step = nextStep(await findSchema(connection), 'postgres', steps);
    for (const text of step?.statements ?? []) await connection.run({ text });
    await connection.run({ text: 'commit' });
    isDone = true;
    if (step !== undefined) toldStep(step, performance.now() - startedAtMs, log);
    return step === undefined;
  } finally {
    // Closing a connection rolls back its transaction.
    connection.release(!isDone);
  }
}

/** Reads the version of the tables; changes nothing. Throws an `OperatorError` if the database cannot be reached. */
export async function readSchema({
  database,
  secrets,
}: Pick<ClusterConfig, 'database' | 'secrets'>): Promise<FoundSchema> {
  const pool = new DatabasePool({ url: secrets.databaseUrl, connections: 1, limits: database });
  try {
    const connection = await pool.connect();
    try {
      return await findSchema(connection);
    } finally {
      connection.release();
    }
  } catch (error) {
    throw unusable(error);
  } finally {
    await pool.end();
  }
}

async function findSchema(connection: DatabaseConnection): Promise<FoundSchema> {
  const first = async (text: string) =>
    Object.values((await connection.run<Record<string, unknown>>({ text })).rows[0]!)[0];
  if (await first(`select to_regclass('schema_version') is not null`))
    return { version: (await first('select version from schema_version')) as number };
  if (await first(`select to_regclass('kysely_migration') is not null`))
    return { lastMigration: ((await first('select max(name) from kysely_migration')) ?? '') as string };
  return {};
}

/** A lock timed out, or queries that wait for this migration's tables hold a lock that it needs. */
function isLockRefused(error: unknown): boolean {
  if (error instanceof pg.DatabaseError && error.code === LOCK_TIMED_OUT) return true;
  return error instanceof Error && wasRolledBack(error);
}

function unusable(cause: unknown): OperatorError {
  const about = 'The PostgreSQL database cannot be used:';
  if (cause instanceof OperatorError) return new OperatorError(`${about} ${cause.message}`, { cause });
  const reason = cause instanceof Error ? cause.message || (cause as { code?: string }).code : String(cause);
  const advice = 'Check LARDER_DATABASE_URL, and that its user may create tables.';
  return new OperatorError(`${about} ${reason}. ${advice}`, { cause });
}

/** Migrates the tables of a cluster; see `migrateDatabase`. */
export function migrate(
  { database, secrets }: Pick<ClusterConfig, 'database' | 'secrets'>,
  log?: MigrationLog,
): Promise<void> {
  const { waitTimeoutMs, migrationTimeoutMs: statementTimeoutMs } = database;
  return migrateDatabase(secrets.databaseUrl, { waitTimeoutMs, statementTimeoutMs }, STEPS, log);
}
