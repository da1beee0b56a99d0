import type { SigningKey, SigningKeyStore } from '../../access/signing-key-store.ts';
import type { Database } from './database.ts';

export class SqliteSigningKeyStore implements SigningKeyStore {
  readonly #db: Database;

  constructor({ db }: { db: Database }) {
    this.#db = db;
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

  /** One statement: SQLite lets nobody else write between the question and the insertion. */
  async addUnlessNewer({ kid, createdAt, privateJwk }: SigningKey, newest: number): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('signing_keys')
      .columns(['kid', 'created_at', 'private_jwk'])
      .expression(
        this.#db
          .selectNoFrom((eb) => [
            eb.val(kid).as('kid'),
            eb.val(createdAt).as('created_at'),
            eb.val(JSON.stringify(privateJwk)).as('private_jwk'),
          ])
          .where((eb) =>
            eb.not(eb.exists(eb.selectFrom('signing_keys').select('kid').where('created_at', '>', newest))),
          ),
      )
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  async removeOlder(oldest: number): Promise<void> {
    await this.#db.deleteFrom('signing_keys').where('created_at', '<', oldest).execute();
  }
}
