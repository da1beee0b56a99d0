import type { SigningKey, SigningKeyStore } from '../access/tokens/signing-keys.ts';
import type { QueryBuilder, SqlDatabase } from './sql-database.ts';
import { type Writer, writeOne } from './writer.ts';

export class SqlSigningKeyStore implements SigningKeyStore {
  readonly #db: QueryBuilder;
  readonly #writer: Writer;

  constructor({ db, writer }: Pick<SqlDatabase, 'db' | 'writer'>) {
    this.#db = db;
    this.#writer = writer;
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
    const insertion = this.#db
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
      );
    const { changes } = await writeOne(this.#writer, insertion, { table: 'signing_keys' });
    return changes === 1;
  }

  async removeOlder(oldest: number): Promise<void> {
    const removal = this.#db.deleteFrom('signing_keys').where('created_at', '<', oldest);
    await writeOne(this.#writer, removal);
  }
}
