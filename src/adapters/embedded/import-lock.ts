import Database from 'better-sqlite3';
import { OperatorError } from '../../errors.ts';

/**
 * Lets one import run at a time on a data folder. The lock is SQLite's own on a small database, so the operating
 * system drops it with the process that held it, however that ended: there are no stale locks, and it also holds
 * between containers, which do not see each other's processes.
 */
export class ImportLock {
  readonly #database: Database.Database;

  /** Throws an `OperatorError` at once where another import holds the lock. */
  static acquire(file: string): ImportLock {
    const database = openDatabase(file);
    try {
      database.exec('CREATE TABLE IF NOT EXISTS holder (pid INTEGER NOT NULL)');
      // Who holds it is committed first, so that others can read it; the open transaction is the lock.
      database.exec(
        `BEGIN IMMEDIATE; DELETE FROM holder; INSERT INTO holder VALUES (${process.pid}); COMMIT; BEGIN IMMEDIATE`,
      );
      return new ImportLock({ database });
    } catch (error) {
      const busy = (error as { code?: string }).code?.startsWith('SQLITE_BUSY') === true;
      const pid = busy ? holderOf(database) : undefined;
      database.close();
      if (!busy) throw cannotLock(file, error);
      throw new OperatorError(
        `Another import is running${pid === undefined ? '' : ` (pid ${pid})`}. Wait for it to end, or stop it.`,
        { cause: error },
      );
    }
  }

  private constructor({ database }: { database: Database.Database }) {
    this.#database = database;
  }

  release(): void {
    this.#database.close();
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
    // The other process is just writing its number; the message goes without it.
    return undefined;
  }
}
