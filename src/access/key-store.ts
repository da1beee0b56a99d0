import { BusyError } from '@larder/core/errors.ts';
import { list, type Queries, raw, type Sql, sql } from '../db/sql.ts';
import type { SqlDatabase } from '../db/sql-database.ts';
import { type Lock, type Statement, toStatement, type Writer, writeOne } from '../db/writer.ts';
import { changeLimits, type LimitsChange, type OwnLimits } from '../limits/operations.ts';
import type { ApiKey, Creator, Scope } from './api-key.ts';

/** A stored key; the hash is separate so that an `ApiKey` can be shown unchanged. */
export interface StoredKey {
  readonly key: ApiKey;
  /** SHA-256 of the key's text, 32 bytes. */
  readonly secretHash: Uint8Array;
}

export interface KeyPage {
  readonly tenant?: string;
  /** Selects keys of this person. */
  readonly userId?: string;
  /** Selects keys of tenants whose text this creator got. */
  readonly createdBy?: Creator;
  /** Selects keys with a greater id. */
  readonly after?: string;
  readonly limit: number;
}

/** Maximum keys at `nowSeconds` of a tenant without those of people, or of one person. */
export interface KeyQuota {
  /** Live keys: neither revoked nor expired. */
  readonly keys: number;
  /** Maximum listed keys that ended. When a key is added, those that ended first are removed beyond this number. */
  readonly endedKeys: number;
  readonly nowSeconds: number;
}

/**
 * Times are whole Unix seconds; `scopes` are separated by spaces, `limits` is JSON. Scopes of a person's key begin with `own:`, so that a
 * node of an older version, which does not read `user_id`, refuses the key instead of letting it act for all users.
 */
export interface ApiKeysTable {
  readonly id: string;
  readonly tenant_id: string;
  readonly name: string | null;
  readonly secret_hash: Uint8Array;
  readonly scopes: string;
  readonly limits: string | null;
  readonly created_at: number;
  readonly expires_at: number | null;
  revoked_at: number | null;
  readonly used_at: number | null;
  readonly user_id: string | null;
  readonly created_by: Creator | null;
}

const OF_PERSON = 'own:';
/** The lock of everything that counts people or needs them to stay. */
export const PEOPLE = { name: 'people' };

/** When the key ends; of the index `api_keys_by_end`. */
const END = raw('coalesce(revoked_at, expires_at, 9007199254740991)');
/** Removed at a time, where an owner has far more ended keys than it may. */
const MAX_REMOVED = 100;
/** A change is repeated if another one was faster; a hundred at a time are possible. */
const MAX_CHANGE_ATTEMPTS = 120;

/** Stores API keys. Confirmed changes are durable and visible to every later call of any thread, process or node. */
export class KeyStore {
  readonly #db: Queries;
  readonly #writer: Writer;

  constructor({ db, writer }: SqlDatabase) {
    this.#db = db;
    this.#writer = writer;
  }

  /** Throws if the id exists. Returns false, without a change, if the quota of live keys is used up or the person is gone. */
  async add(stored: StoredKey, quota?: KeyQuota): Promise<boolean> {
    const { changes } = await this.#writer.write({
      statements: [
        toStatement(insertIf(sql`${hasOwner(stored)} and ${hasRoom(stored, quota)}`, stored)),
        ...removeEnded(stored, quota),
      ],
      firstDecides: true,
      lock: stored.key.userId === undefined ? keysOf(stored) : PEOPLE,
    });
    return changes === 1;
  }

  /** Adds only if there is no key at all. Of concurrent callers exactly one gets true. */
  async addFirst(stored: StoredKey): Promise<boolean> {
    // The smallest is found by an index; whether any exists would be looked for in the table.
    const first = sql`(select min(id) from api_keys) is null`;
    return (await writeOne(this.#writer, insertIf(first, stored), { table: 'api_keys' })).changes === 1;
  }

  async find(id: string): Promise<StoredKey | undefined> {
    const row = await sql<ApiKeysTable>`select * from api_keys where id = ${id}`.first(this.#db);
    return row && toStoredKey(row);
  }

  /** Returns the existing keys of this list, in any order. */
  async findAll(ids: readonly string[]): Promise<readonly StoredKey[]> {
    const rows = await sql<ApiKeysTable>`select * from api_keys where id in (${list(ids)})`.all(this.#db);
    return rows.map(toStoredKey);
  }

  /** Ordered by id, which is the order of creation. */
  async list({ tenant, userId, createdBy, after, limit }: KeyPage): Promise<readonly ApiKey[]> {
    const query = sql<ApiKeysTable>`
      select * from api_keys where id > ${after ?? ''} ${tenant === undefined ? sql`` : sql`and tenant_id = ${tenant}`}
        ${userId === undefined ? sql`` : sql`and user_id = ${userId}`}
        ${createdBy === undefined ? sql`` : sql`and created_by = ${createdBy} and user_id is null`}
      order by id limit ${limit}`;
    return (await query.all(this.#db)).map(toKey);
  }

  /** Revokes the key from `revokedAt` on, or from an earlier time set before. Returns the key as it is now. */
  async revoke(id: string, revokedAt: number): Promise<ApiKey | undefined> {
    const revocation = sql<ApiKeysTable>`${revocationOf(id, revokedAt)} returning *`;
    const [row] = (await writeOne(this.#writer, revocation)).rows;
    return row && toKey(row);
  }

  /** Keeps that the key was used; writes nothing where that is known of the last `withinSeconds`. */
  async markUsed(id: string, usedAt: number, withinSeconds: number): Promise<void> {
    const mark = sql`
      update api_keys set used_at = ${usedAt} where id = ${id} and coalesce(used_at, 0) <= ${usedAt - withinSeconds}`;
    await writeOne(this.#writer, mark);
  }

  /** Merges concurrent changes. Returns the key as it is now; undefined if there is none. */
  async changeLimits(id: string, change: LimitsChange): Promise<ApiKey | undefined> {
    for (let attempt = 0; attempt < MAX_CHANGE_ATTEMPTS; attempt++) {
      const before = await sql<ApiKeysTable>`select * from api_keys where id = ${id}`.first(this.#db);
      if (before === undefined) return undefined;
      const limits = limitsText(changeLimits(toKey(before).limits, change));
      const update = sql<ApiKeysTable>`
        update api_keys set limits = ${limits} where id = ${id} and limits is not distinct from ${before.limits}
        returning *`;
      const [row] = (await writeOne(this.#writer, update)).rows;
      if (row !== undefined) return toKey(row);
    }
    throw new BusyError(`The limits of a key were changed ${MAX_CHANGE_ATTEMPTS} times meanwhile`);
  }

  /**
   * Adds the successor and revokes the old key, both or neither. The old key does not count for the quota, so that a
   * tenant at its quota can rotate keys.
   */
  async replace(id: string, revokedAt: number, successor: StoredKey, quota?: KeyQuota) {
    const isThere = sql`exists (select 1 from api_keys where id = ${id})`;
    const condition = sql`${isThere} and ${hasRoom(successor, quota, id)}`;
    const { changes } = await this.#writer.write({
      statements: [
        toStatement(insertIf(condition, successor)),
        toStatement(revocationOf(id, revokedAt)),
        ...removeEnded(successor, quota),
      ],
      firstDecides: true,
      lock: keysOf(successor),
    });
    if (changes === 1) return 'replaced';
    return (await this.find(id)) === undefined ? 'missing' : 'full';
  }
}

function insertIf(condition: Sql, stored: StoredKey): Sql {
  const row = toRow(stored);
  return sql`
    insert into api_keys (${raw(Object.keys(row).join())})
    select ${list(Object.values(row))} where ${condition}`;
}

function revocationOf(id: string, revokedAt: number): Sql {
  return sql`
    update api_keys set revoked_at = case when revoked_at < ${revokedAt} then revoked_at else ${revokedAt} end
    where id = ${id}`;
}

function keysOf({ key }: StoredKey): Lock {
  return { name: `keys of ${key.tenant}` };
}

/** Selects the keys that a quota counts together. */
function sameOwner({ key: { tenant, userId } }: StoredKey): Sql {
  return sql`tenant_id = ${tenant} and ${userId === undefined ? sql`user_id is null` : sql`user_id = ${userId}`}`;
}

function hasOwner({ key: { tenant, userId } }: StoredKey): Sql {
  return userId === undefined
    ? sql`true`
    : sql`exists (select 1 from people where tenant_id = ${tenant} and id = ${userId})`;
}

/** Removes the keys of the owner that ended first. */
function removeEnded(stored: StoredKey, quota: KeyQuota | undefined): Statement[] {
  if (quota === undefined) return [];
  const removal = sql`
    delete from api_keys where id in (
      select id from api_keys where ${sameOwner(stored)} and ${END} <= ${quota.nowSeconds}
      order by ${END} desc limit ${MAX_REMOVED} offset ${quota.endedKeys})`;
  return [toStatement(removal)];
}

/** Counts live keys no further than the quota. */
function hasRoom(stored: StoredKey, quota: KeyQuota | undefined, replacedId = ''): Sql {
  if (quota === undefined) return sql`true`;
  return sql`(select count(*) from (
    select id from api_keys
    where ${sameOwner(stored)} and ${END} > ${quota.nowSeconds} and id <> ${replacedId}
    limit ${quota.keys}
  ) as live) < ${quota.keys}`;
}

function toRow({ key, secretHash }: StoredKey): ApiKeysTable {
  return {
    id: key.id,
    tenant_id: key.tenant,
    name: key.name ?? null,
    secret_hash: secretHash,
    scopes: key.scopes.map((scope) => (key.userId === undefined ? scope : OF_PERSON + scope)).join(' '),
    limits: limitsText(key.limits),
    created_at: key.createdAt,
    expires_at: key.expiresAt ?? null,
    revoked_at: key.revokedAt ?? null,
    used_at: key.lastUsedAt ?? null,
    user_id: key.userId ?? null,
    created_by: key.createdBy ?? null,
  };
}

function limitsText(limits: OwnLimits | undefined): string | null {
  return limits === undefined ? null : JSON.stringify(limits);
}

function toStoredKey(row: ApiKeysTable): StoredKey {
  return { key: toKey(row), secretHash: row.secret_hash };
}

function toKey(row: ApiKeysTable): ApiKey {
  return {
    id: row.id,
    tenant: row.tenant_id,
    scopes: scopesIn(row),
    createdAt: row.created_at,
    ...(row.user_id !== null && { userId: row.user_id }),
    ...(row.created_by !== null && { createdBy: row.created_by }),
    ...(row.name !== null && { name: row.name }),
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
    ...(row.used_at !== null && { lastUsedAt: row.used_at }),
    ...(row.limits !== null && { limits: JSON.parse(row.limits) }),
  };
}

/** A person's key has no scope but those that are stored as such. */
function scopesIn({ scopes, user_id: userId }: ApiKeysTable): Scope[] {
  const stored = scopes.split(' ');
  if (userId === null) return stored as Scope[];
  const own = stored.filter((scope) => scope.startsWith(OF_PERSON));
  return own.map((scope) => scope.slice(OF_PERSON.length) as Scope);
}
