import { ConstraintError } from '@larder/core/errors.ts';
import { type Queries, type Sql, sql } from '../db/sql.ts';
import type { SqlDatabase } from '../db/sql-database.ts';
import { toStatement, type Writer, writeOne } from '../db/writer.ts';
import { HOUSEHOLD, type Person, type Role, type Session } from './person.ts';

/** Maximum sessions of a person; those that were not seen for longest end. */
const MAX_SESSIONS = 50;
/** Maximum sessions that one sign-in ends. */
const MAX_ENDED = 100;
/** The end of a link that is valid until it is used. */
const NEVER_MS = Number.MAX_SAFE_INTEGER;
const PEOPLE = { name: 'people' };

interface PersonRow {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly created_at_ms: number;
}

interface SessionRow extends PersonRow {
  readonly session_id: string;
  readonly session_created_at_ms: number;
  readonly seen_at_ms: number;
  readonly expires_at_ms: number;
}

export interface NewPerson {
  readonly id: string;
  readonly name: string;
  readonly nameKey: string;
  /** A PHC string. */
  readonly password: string;
  readonly createdAtMs: number;
}

/** A session with the hash of its value. */
export interface StoredSession extends Session {
  readonly hash: string;
  readonly personId: string;
}

export interface PersonWithPassword {
  readonly person: Person;
  readonly password: string;
}

export interface FoundSession {
  readonly person: Person;
  readonly session: Session;
}

/** Stores the people of the household, their sessions, and the links by which people join. */
export class PeopleStore {
  readonly #db: Queries;
  readonly #writer: Writer;

  constructor({ db, writer }: SqlDatabase) {
    this.#db = db;
    this.#writer = writer;
  }

  async hasPeople(): Promise<boolean> {
    const query = sql`select id from people where tenant_id = ${HOUSEHOLD} limit 1`;
    return (await query.first(this.#db)) !== undefined;
  }

  /** Adds a link that makes its holder an owner, unless there are people. */
  async addOwnerLink(hash: string): Promise<void> {
    const insertion = sql`
      insert into join_links (hash, tenant_id, role, expires_at_ms)
      select ${hash}, ${HOUSEHOLD}, 'owner', ${NEVER_MS}
      where not exists (select id from people where tenant_id = ${HOUSEHOLD})
      on conflict (hash) do nothing`;
    await writeOne(this.#writer, insertion, PEOPLE);
  }

  async hasLink(hash: string, nowMs: number): Promise<boolean> {
    const query = sql`select hash from join_links where hash = ${hash} and expires_at_ms > ${nowMs}`;
    return (await query.first(this.#db)) !== undefined;
  }

  /**
   * Adds a person with the role of the link, which ends with this, like all links for a first owner. Returns 'no-link' for a
   * link that was used, and 'name-taken'.
   */
  async addPerson(
    { id, name, nameKey, password, createdAtMs }: NewPerson,
    linkHash: string,
  ): Promise<Person | 'no-link' | 'name-taken'> {
    const insertion = sql<PersonRow>`
      insert into people (tenant_id, id, name, name_key, password, role, created_at_ms)
      select tenant_id, ${id}, ${name}, ${nameKey}, ${password}, role, ${createdAtMs}
      from join_links where hash = ${linkHash} and expires_at_ms > ${createdAtMs}
      returning id, name, role, created_at_ms`;
    const removal = sql`delete from join_links where hash = ${linkHash} or expires_at_ms = ${NEVER_MS}`;
    try {
      const { rows } = await this.#writer.write<PersonRow>({
        statements: [toStatement(insertion), toStatement(removal)],
        firstDecides: true,
        lock: PEOPLE,
      });
      return rows[0] === undefined ? 'no-link' : toPerson(rows[0]);
    } catch (error) {
      if (error instanceof ConstraintError) return 'name-taken';
      throw error;
    }
  }

  async findByName(nameKey: string): Promise<PersonWithPassword | undefined> {
    const row = await sql<PersonRow & { password: string }>`
      select id, name, role, created_at_ms, password from people
      where tenant_id = ${HOUSEHOLD} and name_key = ${nameKey}`.first(this.#db);
    return row && { person: toPerson(row), password: row.password };
  }

  async addSession(session: StoredSession): Promise<void> {
    const { hash, id, personId, createdAtMs, seenAtMs, expiresAtMs } = session;
    await this.#writer.write({
      statements: [
        toStatement(sql`
          insert into sessions (hash, tenant_id, person_id, id, created_at_ms, seen_at_ms, expires_at_ms)
          values (${hash}, ${HOUSEHOLD}, ${personId}, ${id}, ${createdAtMs}, ${seenAtMs}, ${expiresAtMs})`),
        toStatement(sql`
          delete from sessions where hash in (
            select hash from sessions where tenant_id = ${HOUSEHOLD} and person_id = ${personId}
            order by seen_at_ms desc limit ${MAX_ENDED} offset ${MAX_SESSIONS})`),
      ],
      lock: PEOPLE,
    });
  }

  /** Finds the session with this hash, also an expired one. */
  async findSession(hash: string): Promise<FoundSession | undefined> {
    const row = await sql<SessionRow>`
      select people.id, people.name, people.role, people.created_at_ms, sessions.id as session_id,
        sessions.created_at_ms as session_created_at_ms, sessions.seen_at_ms, sessions.expires_at_ms
      from sessions join people on people.tenant_id = sessions.tenant_id and people.id = sessions.person_id
      where sessions.hash = ${hash}`.first(this.#db);
    return row && { person: toPerson(row), session: toSession(row) };
  }

  async renewSession(hash: string, { seenAtMs, expiresAtMs }: Session): Promise<void> {
    const renewal = sql`
      update sessions set seen_at_ms = ${seenAtMs}, expires_at_ms = ${expiresAtMs} where hash = ${hash}`;
    await writeOne(this.#writer, renewal);
  }

  async removeSession(hash: string): Promise<void> {
    const removal: Sql = sql`delete from sessions where hash = ${hash}`;
    await writeOne(this.#writer, removal);
  }
}

function toPerson(row: PersonRow): Person {
  return { id: row.id, name: row.name, role: row.role, createdAtMs: Number(row.created_at_ms) };
}

function toSession(row: SessionRow): Session {
  return {
    id: row.session_id,
    createdAtMs: Number(row.session_created_at_ms),
    seenAtMs: Number(row.seen_at_ms),
    expiresAtMs: Number(row.expires_at_ms),
  };
}
