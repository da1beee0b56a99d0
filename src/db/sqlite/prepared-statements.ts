import type Sqlite from 'better-sqlite3';

/** Texts of statements come from code, so there are few. More than this are a fault; the cache then starts over. */
const MAX_STATEMENTS = 200;

interface Prepared {
  readonly sql: string;
  readonly statement: Sqlite.Statement;
  /** The values of `$1`, `$2`, … in the order in which the text has them; undefined where it is this one. */
  readonly inOrder: ((values: readonly unknown[]) => readonly unknown[]) | undefined;
}

/** Prepares each statement of a connection once. */
export class PreparedStatements {
  readonly #sqlite: Sqlite.Database;
  readonly #prepared = new Map<string, Prepared>();

  constructor({ sqlite }: { sqlite: Sqlite.Database }) {
    this.#sqlite = sqlite;
  }

  /** A name is faster to look up than a text. */
  get(sql: string, name = sql): Prepared {
    const known = this.#prepared.get(name);
    if (known?.sql === sql) return known;
    if (this.#prepared.size >= MAX_STATEMENTS) this.#prepared.clear();
    const prepared = this.prepare(sql);
    this.#prepared.set(name, prepared);
    return prepared;
  }

  /** Prepares a statement for one use, with `?` for each `$1`, since better-sqlite3 binds arrays only to these. */
  prepare(sql: string): Prepared {
    const order = [...sql.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number) - 1);
    const statement = this.#sqlite.prepare(sql.replaceAll(/\$\d+/g, '?'));
    const isPlain = order.every((value, place) => value === place);
    return {
      sql,
      statement,
      inOrder: isPlain
        ? undefined
        : (values) => {
            const bound: unknown[] = [];
            for (const at of order) bound.push(values[at]);
            return bound;
          },
    };
  }
}
