import type { Dialect } from './dialect.ts';
import type { SealedSecrets } from './sealed-secrets.ts';
import type { Queries } from './sql.ts';
import type { Writer } from './writer.ts';

/** A database as stores use it, in SQL that SQLite and PostgreSQL both understand. */
export interface SqlDatabase {
  /** Used for reading. */
  readonly db: Queries;
  readonly writer: Writer;
  readonly dialect: Dialect;
}

/** A database that also stores secrets, which are sealed. */
export interface SealingDatabase extends SqlDatabase {
  readonly secrets: SealedSecrets;
}
