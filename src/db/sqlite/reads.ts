import { DamageError } from '@larder/core/errors.ts';
import Sqlite from 'better-sqlite3';
import type { Queries, SqlText } from '../sql.ts';
import { toOutage } from './database-outage.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { ReadTurns } from './read-turns.ts';

const BUSY_TIMEOUT_MS = 5_000;
/** Size of the cache for pages of the write-ahead log. Each thread has two connections; larger caches save no time. */
const CACHE_KIB = 4_096;
/**
 * The file is memory-mapped, to read through the page cache of the system: SQLite's own is emptied by commits
 * of other threads.
 */
const MAPPED_BYTES = 2 ** 30;

interface SqliteReadsOptions {
  readonly sqlite: Sqlite.Database;
  /** Called when a read meets damage of the file. */
  readonly onDamage?: ((error: DamageError) => void) | undefined;
}

/** Reads on one connection. */
export class SqliteReads implements Queries {
  readonly #sqlite: Sqlite.Database;
  readonly #prepared: PreparedStatements;
  readonly #onDamage: (error: DamageError) => void;

  constructor({ sqlite, onDamage = () => {} }: SqliteReadsOptions) {
    this.#sqlite = sqlite;
    this.#onDamage = onDamage;
    this.#prepared = new PreparedStatements({ sqlite });
  }

  /** Prepares unnamed statements for one use, because their texts vary. */
  async all<Row>({ name, sql, values }: SqlText): Promise<readonly Row[]> {
    try {
      const statement = name === undefined ? this.#prepared.prepare(sql) : this.#prepared.get(sql, name);
      if (statement.reader) return statement.all(values) as Row[];
      statement.run(values);
      return [];
    } catch (error) {
      const outage = toOutage(error);
      if (outage instanceof DamageError) this.#onDamage(outage);
      throw outage;
    }
  }

  close(): void {
    this.#sqlite.close();
  }
}

/** A thread's own read-only connections to a database with all tables. They never wait for a write. */
export class ThreadReads extends SqliteReads {
  /**
   * The connection for long reads: a transaction that is open across slices hides later writes from other
   * reads on the same connection.
   */
  readonly #long: Sqlite.Database;
  readonly #longReads: SqliteReads;
  readonly #turns = new ReadTurns();

  private constructor(open: () => Sqlite.Database, onDamage: SqliteReadsOptions['onDamage']) {
    super({ sqlite: open(), onDamage });
    this.#long = open();
    this.#longReads = new SqliteReads({ sqlite: this.#long, onDamage });
  }

  static open({
    file,
    onDamage,
  }: { readonly file: string } & Pick<SqliteReadsOptions, 'onDamage'>): ThreadReads {
    return new ThreadReads(() => {
      const sqlite = new Sqlite(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
      sqlite.pragma('query_only = ON');
      sqlite.pragma(`cache_size = -${CACHE_KIB}`);
      sqlite.pragma(`mmap_size = ${MAPPED_BYTES}`);
      return sqlite;
    }, onDamage);
  }

  inOneState<T>(name: string, read: (db: Queries) => Promise<T>): Promise<T> {
    return this.#turns.run(name, async () => {
      this.#long.exec('begin');
      try {
        return await read(this.#longReads);
      } finally {
        if (this.#long.inTransaction) this.#long.exec('commit');
      }
    });
  }

  override close(): void {
    super.close();
    this.#longReads.close();
  }
}
