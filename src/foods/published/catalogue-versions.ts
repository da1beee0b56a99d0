import { type Queries, sql } from '../../db/sql.ts';
import type { SqlDatabase } from '../../db/sql-database.ts';
import { type Lock, toStatement, type Writer, writeOne } from '../../db/writer.ts';
import type { CatalogueInfo } from '../catalogue/catalogue-info.ts';

/** Size of a part, small enough for memory and for one request. */
export const PART_BYTES = 4 << 20;
/** 32 GiB, twice the maximum size of a catalogue's records. */
const MAX_PARTS = 8_192;
export const MAX_PUBLISHED_BYTES = MAX_PARTS * PART_BYTES;

/** Public facts of a published catalogue. */
interface VersionFacts extends Pick<CatalogueInfo, 'formatVersion' | 'foods' | 'bytes'> {
  /** Time of compilation and checksum, as in a catalogue store. */
  readonly name: string;
  /** Time of compilation in Unix milliseconds. */
  readonly compiledAtMs: number;
  /** Unix milliseconds. */
  readonly publishedAtMs: number;
}

/** A published catalogue, with the hashes that verify a copy of it. */
export interface CatalogueVersion extends VersionFacts {
  /** Size of each part except the last one, which has the rest. */
  readonly partBytes: number;
  /** The SHA-256 of each part in hexadecimal, in their order. */
  readonly parts: readonly string[];
}

/** The version that all nodes should serve. */
export interface Activation {
  /** Incremented by each activation. */
  readonly number: number;
  readonly name: string;
}

/** Returns offset and length of a part in the file. */
export function partExtent(
  { bytes, partBytes }: Pick<CatalogueVersion, 'bytes' | 'partBytes'>,
  part: number,
): { readonly offset: number; readonly length: number } {
  const offset = part * partBytes;
  return { offset, length: Math.min(partBytes, bytes - offset) };
}

export interface ListedVersion extends VersionFacts {
  readonly isActive: boolean;
}

/** The NOTIFY channel that carries the number of each activation. */
export const CATALOGUES_CHANNEL = 'larder_catalogues';

/** Serialises activations and removals. */
const ALONE: Lock = { table: 'catalogue_activations' };

const FACTS = sql`name, format_version as "formatVersion", foods, bytes,
  compiled_at_ms as "compiledAtMs", published_at_ms as "publishedAtMs"`;

/** `active` is the latest activation. */
const ACTIVE = sql`active as (
  select number, name, previous from catalogue_activations order by number desc limit 1
)`;

/** `target` is the latest earlier activation of another version that still exists. */
const ROLL_BACK_TARGET = sql`${ACTIVE}, earlier as (
  select a.number, a.name, a.previous from catalogue_activations a join active on a.number = active.previous
  union all
  select a.number, a.name, a.previous from catalogue_activations a join earlier e on a.number = e.previous
), target as (
  select earlier.name, earlier.previous from earlier cross join active
  where earlier.name <> active.name and earlier.name in (select name from catalogue_versions)
  order by earlier.number desc limit 1
)`;

const ANNOUNCE = toStatement(
  sql`select pg_notify(${CATALOGUES_CHANNEL}, cast(max(number) as text)) from catalogue_activations`,
);

/**
 * The published catalogues of a cluster, in PostgreSQL: a row for each version, and one for each activation.
 * `add` makes a version available to all nodes atomically; a version never changes. One version is active at
 * a time, for all nodes; concurrent changes run in sequence. The active version, and the one that a roll-back
 * would restore, are never removed. Listening nodes are notified of an activation when it is committed.
 */
export class CatalogueVersions {
  readonly #db: Queries;
  readonly #writer: Writer;
  readonly #nowMs: () => number;

  constructor({ db, writer, nowMs }: SqlDatabase & { readonly nowMs: () => number }) {
    this.#db = db;
    this.#writer = writer;
    this.#nowMs = nowMs;
  }

  /** The latest published version comes first. */
  list(): Promise<readonly ListedVersion[]> {
    return sql<ListedVersion>`
      select ${FACTS}, name = coalesce((
        select name from catalogue_activations order by number desc limit 1), '') as "isActive"
      from catalogue_versions order by published_at_ms desc, name`.all(this.#db);
  }

  find(name: string): Promise<CatalogueVersion | undefined> {
    return sql<CatalogueVersion>`
      select ${FACTS}, part_bytes as "partBytes", parts from catalogue_versions where name = ${name}`.first(
      this.#db,
    );
  }

  /** Does nothing and returns false if the name is taken. */
  async add(version: CatalogueVersion): Promise<boolean> {
    const { name, formatVersion, foods, bytes, partBytes, parts, compiledAtMs, publishedAtMs } = version;
    const insertion = sql`
      insert into catalogue_versions
        (name, published_at_ms, compiled_at_ms, format_version, foods, bytes, part_bytes, parts)
      values (${name}, ${publishedAtMs}, ${compiledAtMs}, ${formatVersion}, ${foods}, ${bytes}, ${partBytes}, ${parts})
      on conflict do nothing`;
    return (await writeOne(this.#writer, insertion)).changes === 1;
  }

  /** Undefined if no version was ever activated. */
  findActive(): Promise<Activation | undefined> {
    return sql<Activation>`
      select number, name from catalogue_activations order by number desc limit 1`.first(this.#db);
  }

  /** Does nothing if the version is already active. Undefined if no version has this name. */
  async activate(name: string): Promise<Activation | undefined> {
    const activation = sql<Activation>`
      with ${ACTIVE}, activated as (
        insert into catalogue_activations (number, name, previous, activated_at_ms)
        select coalesce(active.number, 0) + 1, version.name, active.number, ${this.#nowMs()}
        from catalogue_versions as version left join active on true
        where version.name = ${name} and active.name is distinct from version.name
        returning number, name
      )
      select number, name from activated
      union all select number, name from active where name = ${name}`;
    return this.#activate(activation);
  }

  /** Activates the previously active version; called again, the one before that. Undefined if there is none. */
  async rollBack(): Promise<Activation | undefined> {
    const activation = sql<Activation>`
      with recursive ${ROLL_BACK_TARGET}
      insert into catalogue_activations (number, name, previous, activated_at_ms)
      select active.number + 1, target.name, target.previous, ${this.#nowMs()} from active cross join target
      returning number, name`;
    return this.#activate(activation);
  }

  /** Removes all versions except the `kept` latest ones and those that are never removed; returns their names. */
  async removeOld(kept: number): Promise<readonly string[]> {
    const removal = sql<{ name: string }>`
      with recursive ${ROLL_BACK_TARGET}
      delete from catalogue_versions
      where name not in (select name from catalogue_versions order by published_at_ms desc, name limit ${kept})
        and name not in (select name from active union all select name from target)
      returning name`;
    return (await writeOne(this.#writer, removal, ALONE)).rows.map(({ name }) => name);
  }

  async #activate(activation: ReturnType<typeof sql<Activation>>): Promise<Activation | undefined> {
    const { rows } = await this.#writer.write<Activation>({
      statements: [toStatement(activation), ANNOUNCE],
      firstDecides: true,
      lock: ALONE,
    });
    return rows[0];
  }
}
