import { SCHEMA_VERSION } from '../schema/steps.ts';
import { TABLES } from '../schema/tables.ts';
import type { DatabasePool } from './database-pool.ts';

/** Load balancers ask more often. */
const MAX_AGE_MS = 1_000;

const VERSION = { text: 'select version from schema_version' };
const COLUMNS = {
  text: `select table_name || ' ' || column_name as name,
      is_nullable = 'NO' and column_default is null and is_identity = 'NO' and is_generated = 'NEVER' as is_needed
    from information_schema.columns where table_schema = current_schema()`,
};

/**
 * Knows whether this program can use the tables after a newer one has changed them: all columns that it knows are there, and it fills
 * all that have to be filled. The columns are read once for each newer version of the tables.
 */
export class SchemaWatch {
  readonly #pool: Pick<DatabasePool, 'query'>;
  #version = SCHEMA_VERSION;
  #fits = true;
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(pool: Pick<DatabasePool, 'query'>) {
    this.#pool = pool;
  }

  /** The last known answer while the database does not answer. */
  async fits(): Promise<boolean> {
    const now = performance.now();
    if (now - this.#askedAtMs < MAX_AGE_MS) return this.#fits;
    this.#askedAtMs = now;
    await this.#look().catch(() => {});
    return this.#fits;
  }

  /** Whether the tables are those of another version, now; also true while that cannot be read. */
  async isOther(): Promise<boolean> {
    try {
      await this.#look();
    } catch {
      return true;
    }
    return this.#version !== SCHEMA_VERSION;
  }

  async #look(): Promise<void> {
    const { rows } = await this.#pool.query<{ version: number }>(VERSION);
    const version = rows[0]!.version;
    if (version === this.#version) return;
    const found = (await this.#pool.query<{ name: string; is_needed: boolean }>(COLUMNS)).rows;
    const names = new Set(found.map(({ name }) => name));
    const known = Object.entries(TABLES).flatMap(([table, { columns }]) =>
      columns.map((column) => `${table} ${column.slice(0, column.indexOf(' '))}`),
    );
    const tables = new Set(Object.keys(TABLES));
    const isOurs = (name: string) => tables.has(name.slice(0, name.indexOf(' ')));
    this.#fits =
      known.every((name) => names.has(name)) &&
      found.every(({ name, is_needed }) => !is_needed || !isOurs(name) || known.includes(name));
    this.#version = version;
  }
}
