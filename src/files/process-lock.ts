import { OperatorError } from '@larder/core/errors.ts';
import Database from 'better-sqlite3';

/** The thread cannot be interrupted while SQLite waits in it, so it waits in steps of this length. */
const WAIT_STEP_MS = 100;

export interface ProcessLockOptions {
  readonly file: string;
  /** Maximum wait for the process that holds the lock. */
  readonly waitMs?: number;
  /** Called before waiting, with the id of the process that holds the lock, if known. */
  readonly onWait?: (holderPid: number | undefined) => void;
  /** The message for the operator if that process keeps the lock. */
  readonly refusal: (holder: string) => string;
}

/** Another process holds the lock. */
export class LockedError extends OperatorError {}

/**
 * Lets one process at a time use a data folder. The lock is SQLite's own on a small database, so the operating system
 * releases it when the process ends for any reason: there are no stale locks, and it also works between containers,
 * which do not see each other's processes.
 */
export class ProcessLock {
  readonly #database: Database.Database;

  private constructor({ database }: { database: Database.Database }) {
    this.#database = database;
  }

  /** Throws a `LockedError` if another process keeps the lock. Blocks its thread while it waits. */
  static acquire({ file, waitMs = 0, onWait = () => {}, refusal }: ProcessLockOptions): ProcessLock {
    const database = openDatabase(file);
    try {
      if (!take(database)) {
        onWait(holderOf(database));
        if (!takeWithin(database, waitMs)) {
          const pid = holderOf(database);
          throw new LockedError(refusal(pid === undefined ? '' : ` (pid ${pid})`));
        }
      }
      return new ProcessLock({ database });
    } catch (error) {
      database.close();
      throw error instanceof OperatorError ? error : cannotLock(file, error);
    }
  }

  release(): void {
    this.#database.close();
  }
}

function takeWithin(database: Database.Database, waitMs: number): boolean {
  const untilMs = performance.now() + waitMs;
  for (;;) {
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0) return false;
    database.pragma(`busy_timeout = ${Math.ceil(Math.min(leftMs, WAIT_STEP_MS))}`);
    if (take(database)) return true;
  }
}

/** Commits the holder first, so that others can read it; the transaction left open afterwards is the lock. */
function take(database: Database.Database): boolean {
  try {
    database.exec(
      `CREATE TABLE IF NOT EXISTS holder (pid INTEGER NOT NULL);
       BEGIN IMMEDIATE; DELETE FROM holder; INSERT INTO holder VALUES (${process.pid}); COMMIT; BEGIN IMMEDIATE`,
    );
    return true;
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY') !== true) throw error;
    if (database.inTransaction) database.exec('ROLLBACK');
    return false;
  }
}

function openDatabase(file: string): Database.Database {
  try {
    return new Database(file, { timeout: 0 });
  } catch (error) {
    throw cannotLock(file, error);
  }
}

function cannotLock(file: string, cause: unknown): OperatorError {
  const what = cause instanceof Error ? cause.message : String(cause);
  return new OperatorError(`Cannot lock ${file}: ${what}. Check owner, permissions and free space.`, {
    cause,
  });
}

function holderOf(database: Database.Database): number | undefined {
  try {
    return (database.prepare('SELECT pid FROM holder').get() as { pid: number } | undefined)?.pid;
  } catch {
    // The other process is writing its id at this moment; the message omits it.
    return undefined;
  }
}
