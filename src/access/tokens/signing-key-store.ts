import { type Queries, sql } from '../../db/sql.ts';
import type { SqlDatabase } from '../../db/sql-database.ts';
import { type Writer, writeOne } from '../../db/writer.ts';
import type { SigningKey, SigningKeyStore } from './signing-keys.ts';

/** Private keys as JSON Web Keys. They are why nobody but its owner may read the database file. */
export interface SigningKeysTable {
  readonly kid: string;
  readonly created_at: number;
  readonly private_jwk: string;
}

export class SqlSigningKeyStore implements SigningKeyStore {
  readonly #db: Queries;
  readonly #writer: Writer;

  constructor({ db, writer }: Pick<SqlDatabase, 'db' | 'writer'>) {
    this.#db = db;
    this.#writer = writer;
  }

  async list(): Promise<readonly SigningKey[]> {
    const query = sql<SigningKeysTable>`select * from signing_keys order by created_at desc, kid`;
    const rows = await query.all(this.#db);
    return rows.map((row) => ({
      kid: row.kid,
      createdAt: row.created_at,
      privateJwk: JSON.parse(row.private_jwk),
    }));
  }

  async addUnlessNewer({ kid, createdAt, privateJwk }: SigningKey, newest: number): Promise<boolean> {
    const insertion = sql`
      insert into signing_keys (kid, created_at, private_jwk)
      select ${kid}, ${createdAt}, ${JSON.stringify(privateJwk)}
      where not exists (select kid from signing_keys where created_at > ${newest})`;
    const { changes } = await writeOne(this.#writer, insertion, { table: 'signing_keys' });
    return changes === 1;
  }

  async removeOlder(oldest: number): Promise<void> {
    const removal = sql`delete from signing_keys where created_at < ${oldest}`;
    await writeOne(this.#writer, removal);
  }
}
