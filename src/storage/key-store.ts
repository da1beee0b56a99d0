import type { Selectable } from 'kysely';
import type { ApiKey } from '../access/api-key.ts';
import type { KeyPage, KeyStore, StoredKey } from '../access/key-store.ts';
import type { Scope } from '../access/scope.ts';
import type { ApiKeysTable, QueryBuilder, SqlDatabase } from './sql-database.ts';

type ApiKeyRow = Selectable<ApiKeysTable>;

export class SqlKeyStore implements KeyStore {
  readonly #db: QueryBuilder;
  readonly #alone: SqlDatabase['alone'];

  constructor({ db, alone }: SqlDatabase) {
    this.#db = db;
    this.#alone = alone;
  }

  async add(stored: StoredKey): Promise<void> {
    await this.#db.insertInto('api_keys').values(toRow(stored)).execute();
  }

  async addFirst(stored: StoredKey): Promise<boolean> {
    const row = toRow(stored);
    const columns = Object.keys(row) as (keyof ApiKeyRow)[];
    const { numInsertedOrUpdatedRows } = await this.#alone('api_keys', (db) =>
      db
        .insertInto('api_keys')
        .columns(columns)
        .expression(
          db
            .selectNoFrom((eb) => columns.map((column) => eb.val(row[column]).as(column)))
            // The smallest is found by an index; whether any exists would be looked for in the table.
            .where((eb) =>
              eb(
                eb.selectFrom('api_keys').select((keys) => keys.fn.min('id').as('first')),
                'is',
                null,
              ),
            ),
        )
        .executeTakeFirstOrThrow(),
    );
    return numInsertedOrUpdatedRows === 1n;
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

  replace(id: string, revokedAt: number, successor: StoredKey): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await setRevoked(transaction, id, revokedAt).executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await transaction.insertInto('api_keys').values(toRow(successor)).execute();
      return true;
    });
  }
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
