import { ConstraintError } from '@larder/core/errors.ts';
import type { Creator, Rights, Shares } from '../access/api-key.ts';
import { personIn } from '../access/creator.ts';
import { PEOPLE } from '../access/key-store.ts';
import { type Queries, raw, type Sql, sql } from '../db/sql.ts';
import type { SqlDatabase } from '../db/sql-database.ts';
import { toStatement, type Writer, writeOne } from '../db/writer.ts';
import { type Access, DEFAULT_ACCESS, HOUSEHOLD, type Person, type Role, type Session } from './person.ts';

/** Maximum sessions of a person; those that were not seen for longest end. */
const MAX_SESSIONS = 50;
/** Maximum sessions that one sign-in ends. */
const MAX_ENDED = 100;
/** Maximum people of the household. */
export const MAX_PEOPLE = 100;
/** The end of a link that is valid until it is used. */
const NEVER_MS = Number.MAX_SAFE_INTEGER;

export interface PersonRow {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly created_at_ms: number;
}

interface SessionColumns {
  readonly session_id: string;
  readonly session_created_at_ms: number;
  readonly seen_at_ms: number;
  readonly expires_at_ms: number;
  readonly proved_at_ms: number | null;
  readonly device: string | null;
}

export interface NewPerson {
  readonly id: string;
  readonly name: string;
  readonly nameKey: string;
  /** A PHC string; empty for a person who signs in elsewhere. */
  readonly password: string;
  readonly createdAtMs: number;
}

/** A session with the hash of its value. */
export interface StoredSession extends Omit<Session, 'provedAtMs'> {
  readonly hash: string;
  readonly personId: string;
  /** The account elsewhere or the passkey by which the person signed in. */
  readonly identityId?: string | undefined;
}

export interface PersonWithPassword {
  readonly person: Person;
  /** Absent for a person without one. */
  readonly password?: string | undefined;
  /** Whether the password signs in only together with a passkey. */
  readonly asksPasskey?: boolean | undefined;
}

export interface PasswordReplacement {
  readonly before: string;
  readonly password: string;
  readonly kept?: string;
  readonly also?: readonly Sql[];
}

/** A link by which a person may set a new password. */
export interface NewReset {
  readonly hash: string;
  readonly untilMs: number;
  readonly createdBy: Creator;
}

/** A password that was set by a link. */
export interface PasswordReset {
  readonly atMs: number;
  /** Who made the link. */
  readonly by: Creator;
}

export interface FoundSession {
  readonly person: Person;
  readonly session: Session;
  /** The access of this person to the diaries of others, by id; others are closed. */
  readonly rights: Rights;
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
   * link that was used or where the household is full, and 'name-taken'.
   */
  async addPerson(
    { id, name, nameKey, password, createdAtMs }: NewPerson,
    linkHash: string,
  ): Promise<Person | 'no-link' | 'name-taken'> {
    const insertion = sql<PersonRow>`
      insert into people (tenant_id, id, name, name_key, password, role, created_at_ms)
      select tenant_id, ${id}, ${name}, ${nameKey}, ${password}, role, ${createdAtMs}
      from join_links where hash = ${linkHash} and expires_at_ms > ${createdAtMs}
        and (select count(*) from people where tenant_id = ${HOUSEHOLD}) < ${MAX_PEOPLE}
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

  /** The names of all people. */
  async listNames(): Promise<readonly { readonly id: string; readonly name: string }[]> {
    return sql<{ id: string; name: string }>`
      select id, name from people where tenant_id = ${HOUSEHOLD} limit ${MAX_PEOPLE}`.all(this.#db);
  }

  findByName(nameKey: string): Promise<PersonWithPassword | undefined> {
    return this.#findPerson(sql`name_key = ${nameKey}`);
  }

  findPerson(id: string): Promise<PersonWithPassword | undefined> {
    return this.#findPerson(sql`id = ${id}`);
  }

  async #findPerson(condition: Sql): Promise<PersonWithPassword | undefined> {
    const row = await sql<PersonRow & { password: string; asks_passkey: number | null }>`
      select id, name, role, created_at_ms, password, asks_passkey from people
      where tenant_id = ${HOUSEHOLD} and ${condition}`.first(this.#db);
    if (row === undefined) return undefined;
    const password = row.password === '' ? undefined : row.password;
    return { person: toPerson(row), password, asksPasskey: row.asks_passkey === 1 };
  }

  /** Returns undefined where there is no such person, and 'name-taken'. */
  async rename(id: string, name: string, nameKey: string): Promise<Person | 'name-taken' | undefined> {
    const change = sql<PersonRow>`
      update people set name = ${name}, name_key = ${nameKey}
      where tenant_id = ${HOUSEHOLD} and id = ${id} returning id, name, role, created_at_ms`;
    try {
      const { rows } = await writeOne<PersonRow>(this.#writer, change);
      return rows[0] && toPerson(rows[0]);
    } catch (error) {
      if (error instanceof ConstraintError) return 'name-taken';
      throw error;
    }
  }

  /**
   * Replaces the password, where it is still `before`, and ends all sessions but the one with the hash `kept`, and what `also` ends.
   * False where the person is gone or has another password.
   */
  async changePassword(
    id: string,
    { before, password, kept = '', also = [] }: PasswordReplacement,
  ): Promise<boolean> {
    const change = sql`
      update people set password = ${password}, reset_hash = null, reset_until_ms = null
      where tenant_id = ${HOUSEHOLD} and id = ${id} and password = ${before}`;
    const removal = sql`
      delete from sessions where tenant_id = ${HOUSEHOLD} and person_id = ${id} and hash <> ${kept}`;
    const { changes } = await this.#writer.write({
      statements: [toStatement(change), toStatement(removal), ...also.map(toStatement)],
      firstDecides: true,
      lock: PEOPLE,
    });
    return changes > 0;
  }

  /** Adds a link for a member who has a password, in the place of an earlier one. False for others. */
  async addReset(id: string, { hash, untilMs, createdBy }: NewReset): Promise<boolean> {
    const change = sql`
      update people set reset_hash = ${hash}, reset_until_ms = ${untilMs}, reset_by = ${createdBy}
      where tenant_id = ${HOUSEHOLD} and id = ${id} and role = 'member' and password <> ''`;
    return (await writeOne(this.#writer, change, PEOPLE)).changes > 0;
  }

  /** The member whose link has this hash. */
  async findByReset(hash: string, nowMs: number): Promise<Person | undefined> {
    const row = await sql<PersonRow>`
      select id, name, role, created_at_ms from people
      where tenant_id = ${HOUSEHOLD} and reset_hash = ${hash} and reset_until_ms > ${nowMs} and role = 'member'`.first(
      this.#db,
    );
    return row && toPerson(row);
  }

  /** Sets the password by a link, which ends with that, and ends all sessions of the person. False for a link that is used up. */
  async resetPassword(id: string, hash: string, password: string, nowMs: number): Promise<boolean> {
    const change = sql`
      update people set password = ${password}, reset_hash = null, reset_until_ms = null, reset_at_ms = ${nowMs}
      where tenant_id = ${HOUSEHOLD} and id = ${id} and reset_hash = ${hash} and reset_until_ms > ${nowMs}
        and role = 'member'`;
    const removal = sql`delete from sessions where tenant_id = ${HOUSEHOLD} and person_id = ${id}`;
    const { changes } = await this.#writer.write({
      statements: [toStatement(change), toStatement(removal)],
      firstDecides: true,
      lock: PEOPLE,
    });
    return changes > 0;
  }

  /** The password that was set by a link, until the person has seen that. */
  async findUnseenReset(id: string): Promise<PasswordReset | undefined> {
    const row = await sql<{ reset_at_ms: number | null; reset_by: Creator }>`
      select reset_at_ms, reset_by from people where tenant_id = ${HOUSEHOLD} and id = ${id}`.first(this.#db);
    return row?.reset_at_ms ? { atMs: Number(row.reset_at_ms), by: row.reset_by } : undefined;
  }

  async noteResetSeen(id: string): Promise<void> {
    await writeOne(
      this.#writer,
      sql`update people set reset_at_ms = null where tenant_id = ${HOUSEHOLD} and id = ${id}`,
    );
  }

  /** Adds a session of a person. False where the person is gone, or has another password than `password`. */
  async addSession(session: StoredSession, password?: string): Promise<boolean> {
    const { hash, id, personId, createdAtMs, seenAtMs, expiresAtMs, device = null } = session;
    const { identityId = null } = session;
    const isSame = password === undefined ? sql`` : sql`and password = ${password}`;
    const { changes } = await this.#writer.write({
      statements: [
        toStatement(sql`
          insert into sessions
            (hash, tenant_id, person_id, id, created_at_ms, seen_at_ms, expires_at_ms, device, identity_id)
          select ${hash}, tenant_id, id, ${id}, ${createdAtMs}, ${seenAtMs}, ${expiresAtMs}, ${device}, ${identityId}
          from people where tenant_id = ${HOUSEHOLD} and id = ${personId} ${isSame}`),
        toStatement(sql`
          delete from sessions where hash in (
            select hash from sessions where tenant_id = ${HOUSEHOLD} and person_id = ${personId}
            order by seen_at_ms desc limit ${MAX_ENDED} offset ${MAX_SESSIONS})`),
      ],
      firstDecides: true,
      lock: PEOPLE,
    });
    return changes > 0;
  }

  /** Finds the session with this hash, also an expired one. */
  async findSession(hash: string): Promise<FoundSession | undefined> {
    const row = await sql<PersonRow & SessionColumns>`
      select people.id, people.name, people.role, people.created_at_ms, ${SESSION_COLUMNS}
      from sessions join people on people.tenant_id = sessions.tenant_id and people.id = sessions.person_id
      where sessions.hash = ${hash}`.first(this.#db);
    return row && { person: toPerson(row), session: toSession(row), rights: await this.rightsOf(row.id) };
  }

  /** Returns the access of a person to the diaries of others, as far as there is any. */
  async rightsOf(personId: string): Promise<Rights> {
    const shares = await this.#sharesWith(personId);
    return new Map([...shares].flatMap(([id, access]) => (access === 'none' ? [] : [[id, access]])));
  }

  /** Returns what the household shares with the person who made a credential of this tenant; undefined if no person made it. */
  async sharesWithMaker(tenant: string, createdBy: Creator | undefined): Promise<Shares | undefined> {
    const personId = tenant === HOUSEHOLD && createdBy !== undefined ? personIn(createdBy) : undefined;
    return personId === undefined ? undefined : this.#sharesWith(personId);
  }

  async #sharesWith(personId: string): Promise<Shares> {
    const rows = await sql<{ id: string; access: Access }>`
      select people.id, coalesce(named.access, general.access, ${DEFAULT_ACCESS}) as access from people
      left join sharing as named on named.tenant_id = people.tenant_id and named.person_id = people.id
        and named.other_id = ${personId}
      left join sharing as general on general.tenant_id = people.tenant_id and general.person_id = people.id
        and general.other_id = ''
      where people.tenant_id = ${HOUSEHOLD} and people.id <> ${personId} limit ${MAX_PEOPLE}`.all(this.#db);
    return new Map(rows.map(({ id, access }) => [id, access]));
  }

  /** Returns the sessions of a person that have not expired, those seen last first, with their hashes. */
  async listSessions(personId: string, nowMs: number): Promise<readonly (Session & { hash: string })[]> {
    const rows = await sql<SessionColumns & { hash: string }>`
      select hash, ${SESSION_COLUMNS} from sessions
      where tenant_id = ${HOUSEHOLD} and person_id = ${personId} and expires_at_ms > ${nowMs}
      order by seen_at_ms desc limit ${MAX_SESSIONS}`.all(this.#db);
    return rows.map((row) => ({ ...toSession(row), hash: row.hash }));
  }

  /** Returns the sessions of all people that have not expired, by person. */
  async listAllSessions(
    nowMs: number,
  ): Promise<readonly { person: Person; session: Session; hash: string }[]> {
    const rows = await sql<PersonRow & SessionColumns & { hash: string }>`
      select people.id, people.name, people.role, people.created_at_ms, hash, ${SESSION_COLUMNS}
      from sessions join people on people.tenant_id = sessions.tenant_id and people.id = sessions.person_id
      where sessions.tenant_id = ${HOUSEHOLD} and expires_at_ms > ${nowMs}
      order by sessions.person_id, seen_at_ms desc limit ${MAX_PEOPLE * MAX_SESSIONS}`.all(this.#db);
    return rows.map((row) => ({ person: toPerson(row), session: toSession(row), hash: row.hash }));
  }

  async renewSession(
    hash: string,
    { seenAtMs, expiresAtMs }: Pick<Session, 'seenAtMs' | 'expiresAtMs'>,
  ): Promise<void> {
    const renewal = sql`
      update sessions set seen_at_ms = ${seenAtMs}, expires_at_ms = ${expiresAtMs} where hash = ${hash}`;
    await writeOne(this.#writer, renewal);
  }

  /** Keeps that the person of a session has just proved who they are. */
  async proveSession(hash: string, provedAtMs: number): Promise<void> {
    await writeOne(this.#writer, sql`update sessions set proved_at_ms = ${provedAtMs} where hash = ${hash}`);
  }

  async removeSession(hash: string): Promise<void> {
    await writeOne(this.#writer, sql`delete from sessions where hash = ${hash}`);
  }

  /** Ends a session by its id. False where the person has none with this id. */
  async removeSessionOf(personId: string, id: string): Promise<boolean> {
    const removal = sql`
      delete from sessions where tenant_id = ${HOUSEHOLD} and person_id = ${personId} and id = ${id}`;
    return (await writeOne(this.#writer, removal)).changes > 0;
  }
}

export function toPerson(row: PersonRow): Person {
  return { id: row.id, name: row.name, role: row.role, createdAtMs: Number(row.created_at_ms) };
}

const SESSION_COLUMNS = raw(
  `sessions.id as session_id, sessions.created_at_ms as session_created_at_ms,
    sessions.seen_at_ms, sessions.expires_at_ms, sessions.proved_at_ms, sessions.device`,
);

function toSession(row: SessionColumns): Session {
  return {
    id: row.session_id,
    createdAtMs: Number(row.session_created_at_ms),
    seenAtMs: Number(row.seen_at_ms),
    expiresAtMs: Number(row.expires_at_ms),
    provedAtMs: Number(row.proved_at_ms ?? row.session_created_at_ms),
    ...(row.device !== null && { device: row.device }),
  };
}
