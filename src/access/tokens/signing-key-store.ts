import type { JWK } from 'jose';
import type { Sealed, SealedSecrets } from '../../db/sealed-secrets.ts';
import { type Queries, sql } from '../../db/sql.ts';
import type { SealingDatabase } from '../../db/sql-database.ts';
import { toStatement, type Writer, writeOne } from '../../db/writer.ts';

/** A key that signs access tokens. Times are whole Unix seconds. */
export interface SigningKey {
  readonly kid: string;
  readonly createdAt: number;
  readonly privateJwk: JWK;
}

/** Private keys as sealed JSON Web Keys. */
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
  readonly #secrets: SealedSecrets;

  constructor({ db, writer, secrets }: SealingDatabase) {
    this.#db = db;
    this.#writer = writer;
    this.#secrets = secrets;
  }

  /** Sorted by age, newest first. Keys that were sealed by a secret that is gone are missing: nothing can be signed with them. */
  async list(): Promise<readonly SigningKey[]> {
    return (await this.#rows()).flatMap((row) => {
      const text = this.#secrets.open(row.private_jwk, nameOf(row.kid));
      return text === undefined
        ? []
        : { kid: row.kid, createdAt: row.created_at, privateJwk: JSON.parse(text) };
    });
  }

  #rows(): Promise<readonly SigningKeysTable[]> {
    return sql<SigningKeysTable>`select * from signing_keys order by created_at desc, kid`.all(this.#db);
  }

  /** Seals keys by the current secret, and removes those that no secret opens. Returns how many of each. */
  async seal(): Promise<Sealed> {
    const sealed = { sealed: 0, lost: 0 };
    for (const { kid, private_jwk: stored } of await this.#rows()) {
      if (this.#secrets.isCurrent(stored)) continue;
      const text = this.#secrets.open(stored, nameOf(kid));
      const row = sql`kid = ${kid} and private_jwk = ${stored}`;
      const change =
        text === undefined
          ? sql`delete from signing_keys where ${row}`
          : sql`update signing_keys set private_jwk = ${this.#secrets.seal(text, nameOf(kid))} where ${row}`;
      await this.#writer.write({ statements: [toStatement(change)], isErasure: true });
      sealed[text === undefined ? 'lost' : 'sealed']++;
    }
    return sealed;
  }

  /** Adds the key unless there is one created after `newest`; one of concurrent callers succeeds. */
  async addUnlessNewer({ kid, createdAt, privateJwk }: SigningKey, newest: number): Promise<boolean> {
    const insertion = sql`
      insert into signing_keys (kid, created_at, private_jwk)
      select ${kid}, ${createdAt}, ${this.#secrets.seal(JSON.stringify(privateJwk), nameOf(kid))}
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

function nameOf(kid: string): string {
  return `signing_keys ${kid} private_jwk`;
}
