import { ConstraintError } from '@larder/core/errors.ts';
import { PEOPLE } from '../../access/key-store.ts';
import { type Queries, type Sql, sql } from '../../db/sql.ts';
import type { SqlDatabase } from '../../db/sql-database.ts';
import { type Statement, toStatement, type Writer, writeOne } from '../../db/writer.ts';
import { type PersonRow, toPerson } from '../people-store.ts';
import { HOUSEHOLD, type Person } from '../person.ts';

/** Maximum passkeys of a person. */
export const MAX_PASSKEYS = 20;

/** A public key by which a person signs in at one site. */
export interface Passkey {
  readonly id: string;
  /** Made by the authenticator, base64url. */
  readonly credentialId: string;
  readonly personId: string;
  readonly name: string;
  /** The name of the site, which browsers bind it to. */
  readonly rpId: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  /** Of signatures; always 0 where authenticators share a key. */
  readonly counter: number;
  readonly transports: readonly string[];
  readonly createdAtMs: number;
  readonly usedAtMs?: number;
}

export interface FoundPasskey {
  readonly passkey: Passkey;
  readonly person: Person;
}

/** How a passkey was used. */
export interface PasskeyUse {
  readonly challengedAtMs: number;
  readonly counter: number;
  readonly nowMs: number;
}

export interface PasskeyState {
  /** Whether the password signs in only together with a passkey. */
  readonly isRequired: boolean;
  readonly recoveryCodes: number;
}

interface PasskeyRow {
  readonly passkey_id: string;
  readonly credential_id: string;
  readonly person_id: string;
  readonly passkey_name: string;
  readonly rp_id: string;
  readonly public_key: string;
  readonly counter: number;
  readonly transports: string;
  readonly passkey_created_at_ms: number;
  readonly used_at_ms: number | null;
}

const COLUMNS = sql`
  passkeys.id as passkey_id, credential_id, person_id, passkeys.name as passkey_name, rp_id, public_key, counter, transports,
  passkeys.created_at_ms as passkey_created_at_ms, used_at_ms`;

/** Stores passkeys and recovery codes of the people of the household. */
export class PasskeyStore {
  readonly #db: Queries;
  readonly #writer: Writer;

  constructor({ db, writer }: SqlDatabase) {
    this.#db = db;
    this.#writer = writer;
  }

  /** Whether anybody has a passkey. */
  async hasAny(): Promise<boolean> {
    const query = sql`select id from passkeys where tenant_id = ${HOUSEHOLD} limit 1`;
    return (await query.first(this.#db)) !== undefined;
  }

  /** 'full' also where the person is gone; 'taken' where it is stored already. */
  async add(passkey: Passkey, challengedAtMs: number): Promise<'done' | 'full' | 'taken'> {
    const { credentialId, id, personId, name, rpId, publicKey, counter, transports, createdAtMs } = passkey;
    const insertion = sql`
      insert into passkeys (tenant_id, credential_id, id, person_id, name, rp_id, public_key, counter, transports,
        created_at_ms, challenged_at_ms)
      select tenant_id, ${credentialId}, ${id}, id, ${name}, ${rpId}, ${publicKey}, ${counter}, ${transports.join(' ')},
        ${createdAtMs}, ${challengedAtMs}
      from people where tenant_id = ${HOUSEHOLD} and id = ${personId} and (
        select count(*) from passkeys where tenant_id = ${HOUSEHOLD} and person_id = ${personId}) < ${MAX_PASSKEYS}`;
    try {
      return (await writeOne(this.#writer, insertion, PEOPLE)).changes > 0 ? 'done' : 'full';
    } catch (error) {
      if (error instanceof ConstraintError) return 'taken';
      throw error;
    }
  }

  async find(credentialId: string): Promise<FoundPasskey | undefined> {
    const row = await sql<PasskeyRow & PersonRow>`
      select ${COLUMNS}, people.id, people.name, people.role, people.created_at_ms
      from passkeys join people on people.tenant_id = passkeys.tenant_id and people.id = passkeys.person_id
      where passkeys.tenant_id = ${HOUSEHOLD} and credential_id = ${credentialId}`.first(this.#db);
    return row && { passkey: toPasskey(row), person: toPerson(row) };
  }

  /** Returns the passkeys of a person, the oldest first. */
  async list(personId: string): Promise<readonly Passkey[]> {
    const query = sql<PasskeyRow>`
      select ${COLUMNS} from passkeys
      where tenant_id = ${HOUSEHOLD} and person_id = ${personId} order by passkeys.id limit ${MAX_PASSKEYS}`;
    return (await query.all(this.#db)).map(toPasskey);
  }

  async stateOf(personId: string): Promise<PasskeyState> {
    const row = await sql<{ asks_passkey: number | null; codes: number }>`
      select asks_passkey, (
        select count(*) from recovery_codes where tenant_id = ${HOUSEHOLD} and person_id = ${personId}) as codes
      from people where tenant_id = ${HOUSEHOLD} and id = ${personId}`.first(this.#db);
    return { isRequired: row?.asks_passkey === 1, recoveryCodes: Number(row?.codes ?? 0) };
  }

  /** Keeps a use. False where a challenge of this time or a later one was answered, or the passkey is gone. */
  async use(credentialId: string, { challengedAtMs, counter, nowMs }: PasskeyUse): Promise<boolean> {
    const change = sql`
      update passkeys set challenged_at_ms = ${challengedAtMs}, counter = ${counter}, used_at_ms = ${nowMs}
      where tenant_id = ${HOUSEHOLD} and credential_id = ${credentialId} and challenged_at_ms < ${challengedAtMs}`;
    return (await writeOne(this.#writer, change)).changes > 0;
  }

  /**
   * Removes a passkey, unless it is the last way to sign in, and ends the sessions that began with it but the one with the hash `kept`.
   * With the last one, passkeys are no longer asked for, and recovery codes end. False where nothing was removed.
   */
  async remove(personId: string, id: string, kept: string): Promise<boolean> {
    const removal = sql`
      delete from passkeys where tenant_id = ${HOUSEHOLD} and person_id = ${personId} and id = ${id} and (
        exists (select 1 from people where tenant_id = ${HOUSEHOLD} and id = ${personId} and password <> '')
        or exists (select 1 from identities where tenant_id = ${HOUSEHOLD} and person_id = ${personId})
        or exists (select 1 from passkeys as other
          where other.tenant_id = ${HOUSEHOLD} and other.person_id = ${personId} and other.id <> ${id}))`;
    const isLast = sql`not exists (
      select 1 from passkeys where tenant_id = ${HOUSEHOLD} and person_id = ${personId})`;
    return this.#write(removal, [
      sql`delete from sessions where tenant_id = ${HOUSEHOLD} and person_id = ${personId}
        and identity_id = ${id} and hash <> ${kept}`,
      sql`update people set asks_passkey = 0 where tenant_id = ${HOUSEHOLD} and id = ${personId} and ${isLast}`,
      sql`delete from recovery_codes where tenant_id = ${HOUSEHOLD} and person_id = ${personId} and ${isLast}`,
    ]);
  }

  /** False where the person has no passkey. */
  async require(personId: string, isRequired: boolean): Promise<boolean> {
    return this.#write(sql`
      update people set asks_passkey = ${isRequired ? 1 : 0}
      where tenant_id = ${HOUSEHOLD} and id = ${personId} and ${hasPasskey(personId)}`);
  }

  /** Removes the password of a person who has a passkey. False if the person has none. */
  async removePassword(personId: string): Promise<boolean> {
    return this.#write(sql`
      update people set password = '', asks_passkey = 0
      where tenant_id = ${HOUSEHOLD} and id = ${personId} and ${hasPasskey(personId)}`);
  }

  async replaceCodes(personId: string, hashes: readonly string[]): Promise<void> {
    const removal = sql`delete from recovery_codes where tenant_id = ${HOUSEHOLD} and person_id = ${personId}`;
    const insertions = hashes.map(
      (hash) => sql`
        insert into recovery_codes (tenant_id, person_id, hash)
        select tenant_id, id, ${hash} from people where tenant_id = ${HOUSEHOLD} and id = ${personId}`,
    );
    const statements: [Statement, ...Statement[]] = [toStatement(removal), ...insertions.map(toStatement)];
    await this.#writer.write({ statements, lock: PEOPLE });
  }

  /** Uses a code up. False where the person has no such code. */
  async useCode(personId: string, hash: string): Promise<boolean> {
    return this.#write(sql`
      delete from recovery_codes where tenant_id = ${HOUSEHOLD} and person_id = ${personId} and hash = ${hash}`);
  }

  async #write(first: Sql, others: readonly Sql[] = []): Promise<boolean> {
    const statements: [Statement, ...Statement[]] = [toStatement(first), ...others.map(toStatement)];
    return (await this.#writer.write({ statements, firstDecides: true, lock: PEOPLE })).changes > 0;
  }
}

function hasPasskey(personId: string): Sql {
  return sql`exists (select 1 from passkeys where tenant_id = ${HOUSEHOLD} and person_id = ${personId})`;
}

function toPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.passkey_id,
    credentialId: row.credential_id,
    personId: row.person_id,
    name: row.passkey_name,
    rpId: row.rp_id,
    publicKey: row.public_key,
    counter: Number(row.counter),
    transports: row.transports === '' ? [] : row.transports.split(' '),
    createdAtMs: Number(row.passkey_created_at_ms),
    ...(row.used_at_ms !== null && { usedAtMs: Number(row.used_at_ms) }),
  };
}
