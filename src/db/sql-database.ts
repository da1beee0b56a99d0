import type { Dialect } from './dialect.ts';
import type { Queries } from './sql.ts';
import type { Reads, Writer } from './writer.ts';

/** A database as stores use it, in SQL that SQLite and PostgreSQL both understand. */
export interface SqlDatabase {
  /** For reading by statements whose text varies. */
  readonly db: Queries;
  readonly reads: Reads;
  readonly writer: Writer;
  readonly dialect: Dialect;
}
