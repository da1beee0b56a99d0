import type Sqlite from 'better-sqlite3';

/**
 * Maximum prepared statements. Their texts come from code, so there are few. More indicate a defect; the
 * cache then starts again.
 */
const MAX_STATEMENTS = 200;

/** Prepares each statement of a connection once. */
export class PreparedStatements {
  readonly #sqlite: Sqlite.Database;
  readonly #prepared = new Map<string, { readonly sql: string; readonly statement: Sqlite.Statement }>();

  constructor({ sqlite }: { sqlite: Sqlite.Database }) {
    this.#sqlite = sqlite;
  }

  /** A name is faster to look up than a text. */
  get(sql: string, name = sql): Sqlite.Statement {
    const known = this.#prepared.get(name);
    if (known?.sql === sql) return known.statement;
    if (this.#prepared.size >= MAX_STATEMENTS) this.#prepared.clear();
    const statement = this.prepare(sql);
    this.#prepared.set(name, { sql, statement });
    return statement;
  }

  /** Prepares a statement for one use. better-sqlite3 binds arrays of values to `?`, in the order of the text. */
  prepare(sql: string): Sqlite.Statement {
    let values = 0;
    const text = sql.replaceAll(/\$(\d+)/g, (_, number) => {
      if (Number(number) !== ++values)
        throw new RangeError(`values are not numbered in the order of the text: ${sql}`);
      return '?';
    });
    return this.#sqlite.prepare(text);
  }
}
