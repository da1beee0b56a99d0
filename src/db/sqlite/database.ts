import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import Sqlite from 'better-sqlite3';
import { fileError } from '../../files/file-errors.ts';
import { makeFolderSync } from '../../files/make-folder.ts';
import { DAMAGE_ADVICE } from '../damage-flag.ts';
import { SQLITE } from '../dialect.ts';
import type { MigrationLog } from '../schema/steps.ts';
import { SealedSecrets } from '../sealed-secrets.ts';
import type { SealingDatabase } from '../sql-database.ts';
import { migrate } from './migrate.ts';
import { SqliteReads } from './reads.ts';
import { type GivenSecrets, openSecrets } from './secret-file.ts';
import { DirectWriter } from './write-group.ts';

/** A database for tests that one connection has to itself. */
export const IN_MEMORY = ':memory:';

/** Time for which a statement waits for another process or thread that writes. */
const BUSY_TIMEOUT_MS = 5_000;
/** The file contains diaries and signing keys. SQLite gives its -wal and -shm files the same mode. */
const OWNER_ONLY = 0o600;

export interface OpenSqlDatabase extends SealingDatabase {
  close(): Promise<void>;
}

/**
 * Opens the SQLite database, creates it if it is missing, and migrates its tables. Safe for concurrent
 * processes and threads: WAL allows reads during a write, and committed data survives a power failure. Throws
 * an `OperatorError` if the file cannot be used.
 */
export async function openDatabase({
  file,
  secrets: given,
  log,
}: {
  readonly file: string;
  readonly secrets?: GivenSecrets;
  readonly log?: MigrationLog;
}): Promise<OpenSqlDatabase> {
  const sqlite = openSqlite(file);
  const reads = new SqliteReads({ sqlite });
  try {
    migrate(sqlite, log);
    const writer = new DirectWriter({ sqlite });
    const secrets = file === IN_MEMORY ? SealedSecrets.random() : await openSecrets(dirname(file), given);
    return { db: reads, writer, dialect: SQLITE, secrets, close: async () => reads.close() };
  } catch (cause) {
    reads.close();
    throw unusable(file, cause);
  }
}

function openSqlite(file: string): Sqlite.Database {
  try {
    makeFolderSync(dirname(file));
    if (file !== IN_MEMORY) closeSync(openSync(file, 'a', OWNER_ONLY));
    const sqlite = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS });
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    sqlite.pragma('secure_delete = ON');
    return sqlite;
  } catch (cause) {
    throw unusable(file, cause);
  }
}

function unusable(file: string, cause: unknown): unknown {
  const about = `The database ${file} cannot be used:`;
  const ofFile = fileError(`The database ${file} cannot be used`, cause);
  if (ofFile !== cause) return ofFile;
  if (cause instanceof OperatorError) return new OperatorError(`${about} ${cause.message}`, { cause });
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (/^SQLITE_(CORRUPT|NOTADB)/.test((cause as NodeJS.ErrnoException).code ?? ''))
    return new OperatorError(`${about} it is damaged (${reason}). ${DAMAGE_ADVICE}`, { cause });
  const advice = 'Check the folder, its permissions and free space, or choose another LARDER_DATA_DIR.';
  return new OperatorError(`${about} ${reason}. ${advice}`, { cause });
}
