import { ConstraintError } from '@larder/core/errors.ts';
import { PEOPLE } from '../../access/key-store.ts';
import { type Queries, type Sql, sql } from '../../db/sql.ts';
import type { SqlDatabase } from '../../db/sql-database.ts';
import { type Statement, toStatement, type Writer } from '../../db/writer.ts';
import { MAX_PEOPLE, type NewPerson, type PersonRow, toPerson } from '../people-store.ts';
import { HOUSEHOLD, type Person } from '../person.ts';

/** Maximum accounts elsewhere by which one person signs in. */
const MAX_IDENTITIES = 10;

/** An account elsewhere by which a person signs in. Issuer and subject name it for good. */
export interface Identity {
  readonly id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly createdAtMs: number;
}

export interface FoundIdentity {
  readonly person: Person;
  readonly identityId: string;
}

interface IdentityRow {
  readonly id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly created_at_ms: number;
}

/** Stores by which accounts elsewhere the people of the household sign in. */
export class IdentityStore {
  readonly #db: Queries;
  readonly #writer: Writer;

  constructor({ db, writer }: SqlDatabase) {
    this.#db = db;
    this.#writer = writer;
  }

  async find(issuer: string, subject: string): Promise<FoundIdentity | undefined> {
    const row = await sql<PersonRow & { identity_id: string }>`
      select people.id, people.name, people.role, people.created_at_ms, identities.id as identity_id
      from identities join people on people.tenant_id = identities.tenant_id and people.id = identities.person_id
      where identities.tenant_id = ${HOUSEHOLD} and identities.issuer = ${issuer}
        and identities.subject = ${subject}`.first(this.#db);
    return row && { person: toPerson(row), identityId: row.identity_id };
  }

  /** Returns the identities of a person, the oldest first. */
  async list(personId: string): Promise<readonly Identity[]> {
    const rows = await sql<IdentityRow>`
      select id, issuer, subject, created_at_ms from identities
      where tenant_id = ${HOUSEHOLD} and person_id = ${personId} order by id limit ${MAX_IDENTITIES}`.all(
      this.#db,
    );
    return rows.map(({ id, issuer, subject, created_at_ms: ms }) => {
      return { id, issuer, subject, createdAtMs: Number(ms) };
    });
  }

  /** 'full' also where the person is gone; 'taken' where somebody has the identity. */
  async link(
    personId: string,
    { id, issuer, subject, createdAtMs }: Identity,
  ): Promise<'done' | 'taken' | 'full'> {
    const insertion = sql`
      insert into identities (tenant_id, issuer, subject, id, person_id, created_at_ms)
      select tenant_id, ${issuer}, ${subject}, ${id}, id, ${createdAtMs} from people
      where tenant_id = ${HOUSEHOLD} and id = ${personId} and (
        select count(*) from identities where tenant_id = ${HOUSEHOLD} and person_id = ${personId}) < ${MAX_IDENTITIES}`;
    try {
      const { changes } = await this.#writer.write({ statements: [toStatement(insertion)], lock: PEOPLE });
      return changes > 0 ? 'done' : 'full';
    } catch (error) {
      if (error instanceof ConstraintError) return 'taken';
      throw error;
    }
  }

  /**
   * Removes an identity, unless the person has neither a password nor another one nor a passkey, and ends the sessions that began with it but the one
   * with the hash `kept`. False where nothing was removed.
   */
  async unlink(personId: string, id: string, kept: string): Promise<boolean> {
    const removal = sql`
      delete from identities where tenant_id = ${HOUSEHOLD} and person_id = ${personId} and id = ${id} and (
        exists (select 1 from people where tenant_id = ${HOUSEHOLD} and id = ${personId} and password <> '')
        or exists (select 1 from identities as other
          where other.tenant_id = ${HOUSEHOLD} and other.person_id = ${personId} and other.id <> ${id})
        or exists (select 1 from passkeys where tenant_id = ${HOUSEHOLD} and person_id = ${personId}))`;
    const sessions = sql`
      delete from sessions where tenant_id = ${HOUSEHOLD} and person_id = ${personId}
        and identity_id = ${id} and hash <> ${kept}`;
    const { changes } = await this.#writer.write({
      statements: [toStatement(removal), toStatement(sessions)],
      firstDecides: true,
      lock: PEOPLE,
    });
    return changes > 0;
  }

  /**
   * Adds a person who signs in by an identity: with the role of a link, which ends with this, or without a link as a member of a
   * household that has people. Undefined where that is not possible: the link was used, the household is full, the name or the
   * identity is taken.
   */
  async join(
    { id, name, nameKey, password, createdAtMs }: NewPerson,
    identity: Identity,
    linkHash?: string,
  ): Promise<Person | undefined> {
    const columns = sql`tenant_id, id, name, name_key, password, role, created_at_ms`;
    const hasRoom = sql`(select count(*) from people where tenant_id = ${HOUSEHOLD}) < ${MAX_PEOPLE}`;
    const insertion: Sql<PersonRow> =
      linkHash === undefined
        ? sql`
          insert into people (${columns})
          select ${HOUSEHOLD}, ${id}, ${name}, ${nameKey}, ${password}, 'member', ${createdAtMs}
          where exists (select 1 from people where tenant_id = ${HOUSEHOLD}) and ${hasRoom}
          returning id, name, role, created_at_ms`
        : sql`
          insert into people (${columns})
          select tenant_id, ${id}, ${name}, ${nameKey}, ${password}, role, ${createdAtMs}
          from join_links where hash = ${linkHash} and expires_at_ms > ${createdAtMs} and ${hasRoom}
          returning id, name, role, created_at_ms`;
    const linking = sql`
      insert into identities (tenant_id, issuer, subject, id, person_id, created_at_ms)
      select tenant_id, ${identity.issuer}, ${identity.subject}, ${identity.id}, id, ${createdAtMs}
      from people where tenant_id = ${HOUSEHOLD} and id = ${id}`;
    const statements: [Statement, ...Statement[]] = [toStatement(insertion), toStatement(linking)];
    if (linkHash !== undefined) {
      // All links for a first owner end, as where somebody joins with a password.
      const removal = sql`
        delete from join_links where hash = ${linkHash} or expires_at_ms = ${Number.MAX_SAFE_INTEGER}`;
      statements.push(toStatement(removal));
    }
    try {
      const { rows } = await this.#writer.write<PersonRow>({ statements, firstDecides: true, lock: PEOPLE });
      return rows[0] && toPerson(rows[0]);
    } catch (error) {
      if (error instanceof ConstraintError) return undefined;
      throw error;
    }
  }
}
