import type { JWK } from 'jose';
import { type Queries, sql } from '../../db/sql.ts';
import type { SqlDatabase } from '../../db/sql-database.ts';
import { type Writer, writeOne } from '../../db/writer.ts';

/** A key that signs access tokens. Times are whole Unix seconds. */
export interface SigningKey {
  readonly kid: string;
  readonly createdAt: number;
  readonly privateJwk: JWK;
}

/** Private keys as JSON Web Keys. They are why nobody but its owner may read the database file. */
export interface SigningKeysTable {
  readonly kid: string;
  readonly created_at: number;
  readonly private_jwk: string;
}

/**
 * Stores signing keys. Confirmed changes are durable and visible to every later call of any thread, process or node.
 */
export class SigningKeyStore {
  readonly #db: Queries;
  readonly #writer: Writer;

  constructor({ db, writer }: SqlDatabase) {
    this.#db = db;
    this.#writer = writer;
  }

  /** Sorted by age, newest first. */
  async list(): Promise<readonly SigningKey[]> {
    const query = sql<SigningKeysTable>`select * from signing_keys order by created_at desc, kid`;
    const rows = await query.all(this.#db);
    return rows.map((row) => ({
      kid: row.kid,
      createdAt: row.created_at,
      privateJwk: JSON.parse(row.private_jwk),
    }));
  }

  /** Adds the key unless there is one created after `newest`; one of concurrent callers succeeds. */
  async addUnlessNewer({ kid, createdAt, privateJwk }: SigningKey, newest: number): Promise<boolean> {
    const insertion = sql`
      insert into signing_keys (kid, created_at, private_jwk)
      select ${kid}, ${createdAt}, ${JSON.stringify(privateJwk)}
      where not exists (select kid from signing_keys where created_at > ${newest})`;
    const { changes } = await writeOne(this.#writer, insertion, { table: 'signing_keys' });
    return changes === 1;
  }

  /** Deletes keys created before `oldest`. */
  async removeOlder(oldest: number): Promise<void> {
    const removal = sql`delete from signing_keys where created_at < ${oldest}`;
    await writeOne(this.#writer, removal);
  }
}
