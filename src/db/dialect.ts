import type { Statement } from './writer.ts';

/** Columns of a table, with their PostgreSQL types. */
export type Columns = Readonly<Record<string, 'text' | 'int' | 'bigint' | 'double precision'>>;

/** The values of columns by their names. */
export type Row = Readonly<Record<string, unknown>>;

/** The parts of statements that differ between SQLite and PostgreSQL. */
export interface Dialect {
  /** True if several connections may write at once, so that `for update skip locked` is needed and available. */
  readonly locksRows: boolean;
  /** The epoch of `feed_epochs`; it also differs for a table that was created again, for example by `pg_restore`. */
  readonly epoch: string;
  /** Makes the statement that adds rows to a table, with each row's values of these columns. */
  insertInto(table: string, columns: Columns): (rows: readonly Row[]) => Statement;
}

export const SQLITE: Dialect = {
  locksRows: false,
  epoch: 'epoch',
  insertInto(table, columns) {
    const names = Object.keys(columns);
    const places = names.map((_, index) => `$${index + 1}`);
    const name = `insert-${table}-${names.length}`;
    const sql = `insert into ${table} (${names}) values (${places})`;
    return (rows) => ({ name, sql, runs: rows.map((row) => names.map((column) => row[column])) });
  },
};

export const POSTGRES: Dialect = {
  locksRows: true,
  epoch: "epoch || '.' || tableoid",
  /** Values are passed as one array for each column, so that one statement is prepared for any number of rows. */
  insertInto(table, columns) {
    const names = Object.keys(columns);
    const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`);
    const name = `insert-${table}-${names.length}`;
    const sql = `insert into ${table} (${names}) select * from unnest(${arrays}) where true`;
    return (rows) => ({ name, sql, runs: [names.map((column) => rows.map((row) => row[column]))] });
  },
};

/** Converts `addedSugars` to `added_sugars`. */
export function columnOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
