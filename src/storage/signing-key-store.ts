import type { SigningKey, SigningKeyStore } from '../access/signing-keys.ts';
import type { QueryBuilder, SqlDatabase } from './sql-database.ts';

export class SqlSigningKeyStore implements SigningKeyStore {
  readonly #db: QueryBuilder;
  readonly #alone: SqlDatabase['alone'];

  constructor({ db, alone }: SqlDatabase) {
    this.#db = db;
    this.#alone = alone;
  }

  async list(): Promise<readonly SigningKey[]> {
    const rows = await this.#db
      .selectFrom('signing_keys')
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('kid')
      .execute();
    return rows.map((row) => ({
      kid: row.kid,
      createdAt: row.created_at,
      privateJwk: JSON.parse(row.private_jwk),
    }));
  }

  async addUnlessNewer({ kid, createdAt, privateJwk }: SigningKey, newest: number): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#alone('signing_keys', (db) =>
      db
        .insertInto('signing_keys')
        .columns(['kid', 'created_at', 'private_jwk'])
        .expression(
          db
            .selectNoFrom((eb) => [
              eb.val(kid).as('kid'),
              eb.val(createdAt).as('created_at'),
              eb.val(JSON.stringify(privateJwk)).as('private_jwk'),
            ])
            .where((eb) =>
              eb.not(eb.exists(eb.selectFrom('signing_keys').select('kid').where('created_at', '>', newest))),
            ),
        )
        .executeTakeFirstOrThrow(),
    );
    return numInsertedOrUpdatedRows === 1n;
  }

  async removeOlder(oldest: number): Promise<void> {
    await this.#db.deleteFrom('signing_keys').where('created_at', '<', oldest).execute();
  }
}
