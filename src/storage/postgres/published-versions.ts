import { Kysely, PostgresDialect, sql } from 'kysely';
import type {
  Activation,
  CatalogueVersion,
  CatalogueVersions,
  ListedVersion,
} from '../../foods/published/published-versions.ts';
import { CATALOGUES_CHANNEL } from './database-listener.ts';
import type { DatabasePool } from './database-pool.ts';

type Database = Kysely<unknown>;

/** Takes the pool over: `destroy()` ends it. */
export function toDatabase(pool: DatabasePool): Database {
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
}

const FACTS = sql`name, format_version as "formatVersion", foods, bytes,
  compiled_at_ms as "compiledAtMs", published_at_ms as "publishedAtMs"`;

interface ActivationRow extends Activation {
  /** The activation that a roll-back goes back to. */
  readonly previous: number | null;
}

export interface PostgresCatalogueVersionsPorts {
  readonly db: Database;
  readonly nowMs: () => number;
}

/** Published catalogues in PostgreSQL: a row for each version, and one for each activation. */
export class PostgresCatalogueVersions implements CatalogueVersions {
  readonly #db: Database;
  readonly #nowMs: () => number;

  constructor({ db, nowMs }: PostgresCatalogueVersionsPorts) {
    this.#db = db;
    this.#nowMs = nowMs;
  }

  async list(): Promise<readonly ListedVersion[]> {
    const { rows } = await sql<ListedVersion>`select ${FACTS}, name = coalesce((
        select name from catalogue_activations order by number desc limit 1), '') as "isActive"
      from catalogue_versions order by published_at_ms desc, name`.execute(this.#db);
    return rows;
  }

  async find(name: string): Promise<CatalogueVersion | undefined> {
    const { rows } = await sql<CatalogueVersion>`select ${FACTS}, part_bytes as "partBytes", parts
      from catalogue_versions where name = ${name}`.execute(this.#db);
    return rows[0];
  }

  async add(version: CatalogueVersion): Promise<boolean> {
    const { name, formatVersion, foods, bytes, partBytes, parts, compiledAtMs, publishedAtMs } = version;
    const { numAffectedRows } = await sql`insert into catalogue_versions
        (name, published_at_ms, compiled_at_ms, format_version, foods, bytes, part_bytes, parts)
      values (${name}, ${publishedAtMs}, ${compiledAtMs}, ${formatVersion}, ${foods}, ${bytes}, ${partBytes}, ${parts})
      on conflict do nothing`.execute(this.#db);
    return numAffectedRows === 1n;
  }

  async findActive(): Promise<Activation | undefined> {
    const active = await findLatest(this.#db);
    return active && { number: active.number, name: active.name };
  }

  activate(name: string): Promise<Activation | undefined> {
    return this.#alone(async (db) => {
      const active = await findLatest(db);
      if (active?.name === name) return { number: active.number, name };
      const { rows } = await sql`select from catalogue_versions where name = ${name}`.execute(db);
      if (rows.length === 0) return undefined;
      return this.#insert(db, { number: (active?.number ?? 0) + 1, name, previous: active?.number ?? null });
    });
  }

  rollBack(): Promise<Activation | undefined> {
    return this.#alone(async (db) => {
      const active = await findLatest(db);
      const earlier = active && (await findEarlier(db, active));
      if (active === undefined || earlier === undefined) return undefined;
      return this.#insert(db, { ...earlier, number: active.number + 1 });
    });
  }

  removeOld(kept: number): Promise<readonly string[]> {
    return this.#alone(async (db) => {
      const active = await findLatest(db);
      const earlier = active && (await findEarlier(db, active));
      const { rows } = await sql<{ name: string }>`delete from catalogue_versions where name not in (
          select name from catalogue_versions order by published_at_ms desc, name limit ${kept})
        and name not in (${active?.name ?? ''}, ${earlier?.name ?? ''}) returning name`.execute(db);
      return rows.map(({ name }) => name);
    });
  }

  /** Serialises activations and removals. */
  #alone<T>(change: (db: Database) => Promise<T>): Promise<T> {
    return this.#db.transaction().execute(async (transaction) => {
      await sql`lock table catalogue_activations in share row exclusive mode`.execute(transaction);
      return await change(transaction);
    });
  }

  async #insert(db: Database, { number, name, previous }: ActivationRow): Promise<Activation> {
    await sql`insert into catalogue_activations (number, name, previous, activated_at_ms)
      values (${number}, ${name}, ${previous}, ${this.#nowMs()})`.execute(db);
    await sql`select pg_notify(${CATALOGUES_CHANNEL}, ${String(number)})`.execute(db);
    return { number, name };
  }
}

async function findLatest(db: Database): Promise<ActivationRow | undefined> {
  const { rows } = await sql<ActivationRow>`select number, name, previous from catalogue_activations
    order by number desc limit 1`.execute(db);
  return rows[0];
}

/** The latest activation before this one whose version is another one and still there. */
async function findEarlier(
  db: Database,
  { name, previous }: ActivationRow,
): Promise<Omit<ActivationRow, 'number'> | undefined> {
  const { rows } = await sql<ActivationRow>`with recursive earlier as (
      select number, name, previous from catalogue_activations where number = ${previous}
      union all
      select a.number, a.name, a.previous from catalogue_activations a join earlier e on a.number = e.previous
    ) select name, previous from earlier
    where name <> ${name} and name in (select name from catalogue_versions)
    order by number desc limit 1`.execute(db);
  return rows[0];
}
