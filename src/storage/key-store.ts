import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { ApiKey } from '../access/api-key.ts';
import type { KeyPage, KeyQuota, KeyStore, StoredKey } from '../access/key-store.ts';
import type { Scope } from '../access/scope.ts';
import type { ApiKeysTable, QueryBuilder, SqlDatabase } from './sql-database.ts';

type ApiKeyRow = Selectable<ApiKeysTable>;

export class SqlKeyStore implements KeyStore {
  readonly #db: QueryBuilder;
  readonly #alone: SqlDatabase['alone'];
  readonly #oneAtATime: SqlDatabase['oneAtATime'];
  readonly #allOneAtATime: SqlDatabase['allOneAtATime'];

  constructor({ db, alone, oneAtATime, allOneAtATime }: SqlDatabase) {
    this.#db = db;
    this.#alone = alone;
    this.#oneAtATime = oneAtATime;
    this.#allOneAtATime = allOneAtATime;
  }

  add(stored: StoredKey, quota?: KeyQuota): Promise<boolean> {
    return this.#oneAtATime(keysOf(stored), (db) => insertIf(hasRoom(stored, quota), db, stored));
  }

  async addFirst(stored: StoredKey): Promise<boolean> {
    // The smallest is found by an index; whether any exists would be looked for in the table.
    const first = sql<boolean>`(select min(id) from api_keys) is null`;
    return this.#alone('api_keys', (db) => insertIf(first, db, stored));
  }

  async find(id: string): Promise<StoredKey | undefined> {
    const row = await this.#db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst();
    return row && toStoredKey(row);
  }

  async findAll(ids: readonly string[]): Promise<readonly StoredKey[]> {
    const rows = await this.#db.selectFrom('api_keys').selectAll().where('id', 'in', ids).execute();
    return rows.map(toStoredKey);
  }

  async list({ tenant, after, limit }: KeyPage): Promise<readonly ApiKey[]> {
    let query = this.#db.selectFrom('api_keys').selectAll().orderBy('id').limit(limit);
    if (tenant !== undefined) query = query.where('tenant_id', '=', tenant);
    if (after !== undefined) query = query.where('id', '>', after);
    return (await query.execute()).map(toKey);
  }

  async revoke(id: string, revokedAt: number): Promise<ApiKey | undefined> {
    const row = await setRevoked(this.#db, id, revokedAt).returningAll().executeTakeFirst();
    return row === undefined ? undefined : toKey(row);
  }

  replace(id: string, revokedAt: number, successor: StoredKey, quota?: KeyQuota) {
    return this.#allOneAtATime(keysOf(successor), async (db) => {
      const isThere = sql<boolean>`exists (select 1 from api_keys where id = ${id})`;
      const condition = sql<boolean>`${isThere} and ${hasRoom(successor, quota, id)}`;
      if (await insertIf(condition, db, successor)) {
        await setRevoked(db, id, revokedAt).execute();
        return 'replaced';
      }
      const old = await db.selectFrom('api_keys').select('id').where('id', '=', id).executeTakeFirst();
      return old === undefined ? 'missing' : 'full';
    });
  }
}

function keysOf({ key }: StoredKey): string {
  return `keys of ${key.tenant}`;
}

async function insertIf(
  condition: RawBuilder<boolean>,
  db: QueryBuilder,
  stored: StoredKey,
): Promise<boolean> {
  const row = toRow(stored);
  const columns = Object.keys(row) as (keyof ApiKeyRow)[];
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('api_keys')
    .columns(columns)
    .expression(
      db.selectNoFrom((eb) => columns.map((column) => eb.val(row[column]).as(column))).where(condition),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Counts live keys no further than the quota, by the index `api_keys_by_end`. */
function hasRoom({ key }: StoredKey, quota: KeyQuota | undefined, replacedId = ''): RawBuilder<boolean> {
  if (quota === undefined) return sql`1 = 1`;
  return sql`(select count(*) from (
    select id from api_keys
    where tenant_id = ${key.tenant} and coalesce(revoked_at, expires_at, 9007199254740991) > ${quota.nowSeconds} and id <> ${replacedId}
    limit ${quota.keys}
  ) as live) < ${quota.keys}`;
}

function setRevoked(db: QueryBuilder, id: string, revokedAt: number) {
  return db
    .updateTable('api_keys')
    .set((eb) => ({
      revoked_at: eb
        .case()
        .when('revoked_at', '<', revokedAt)
        .then(eb.ref('revoked_at'))
        .else(revokedAt)
        .end(),
    }))
    .where('id', '=', id);
}

function toRow({ key, secretHash }: StoredKey): ApiKeyRow {
  return {
    id: key.id,
    tenant_id: key.tenant,
    name: key.name ?? null,
    secret_hash: secretHash,
    scopes: key.scopes.join(' '),
    limits: key.limits === undefined ? null : JSON.stringify(key.limits),
    created_at: key.createdAt,
    expires_at: key.expiresAt ?? null,
    revoked_at: key.revokedAt ?? null,
  };
}

function toStoredKey(row: ApiKeyRow): StoredKey {
  return { key: toKey(row), secretHash: row.secret_hash };
}

function toKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    tenant: row.tenant_id,
    scopes: row.scopes.split(' ') as Scope[],
    createdAt: row.created_at,
    ...(row.name !== null && { name: row.name }),
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
    ...(row.limits !== null && { limits: JSON.parse(row.limits) }),
  };
}
