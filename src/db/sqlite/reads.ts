import Sqlite from 'better-sqlite3';
import type { Queries, SqlText } from '../sql.ts';
import { toOutage } from './database-outage.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { ReadTurns } from './read-turns.ts';

const BUSY_TIMEOUT_MS = 5_000;
/** Size of the cache for pages of the write-ahead log. Each thread has two connections; larger caches do not save time. */
const CACHE_KIB = 4_096;
/** Memory-mapped, to read through the system's page cache: SQLite's own is emptied by another thread's commit. */
const MAPPED_BYTES = 2 ** 30;

/** Reads on one connection. */
export class SqliteReads implements Queries {
  readonly #sqlite: Sqlite.Database;
  readonly #prepared: PreparedStatements;

  constructor({ sqlite }: { readonly sqlite: Sqlite.Database }) {
    this.#sqlite = sqlite;
    this.#prepared = new PreparedStatements({ sqlite });
  }

  /** Prepares statements without a name for one use, since their texts vary. */
  async all<Row>({ name, sql, values }: SqlText): Promise<readonly Row[]> {
    try {
      const statement = name === undefined ? this.#prepared.prepare(sql) : this.#prepared.get(sql, name);
      if (statement.reader) return statement.all(values) as Row[];
      statement.run(values);
      return [];
    } catch (error) {
      throw toOutage(error);
    }
  }

  close(): void {
    this.#sqlite.close();
  }
}

/** A thread's own connections to a database with all tables, for reading only. They never wait for a write. */
export class ThreadReads extends SqliteReads {
  /** Connection of long reads: a transaction that is open across slices hides later writes from other reads on it. */
  readonly #long: Sqlite.Database;
  readonly #longReads: SqliteReads;
  readonly #turns = new ReadTurns();

  private constructor(open: () => Sqlite.Database) {
    super({ sqlite: open() });
    this.#long = open();
    this.#longReads = new SqliteReads({ sqlite: this.#long });
  }

  static open({ file }: { readonly file: string }): ThreadReads {
    return new ThreadReads(() => {
      const sqlite = new Sqlite(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
      sqlite.pragma('query_only = ON');
      sqlite.pragma(`cache_size = -${CACHE_KIB}`);
      sqlite.pragma(`mmap_size = ${MAPPED_BYTES}`);
      return sqlite;
    });
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
