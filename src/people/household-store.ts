import type { Creator } from '../access/api-key.ts';
import { personAsCreator } from '../access/creator.ts';
import { PEOPLE } from '../access/key-store.ts';
import { list, type Queries, type Sql, sql } from '../db/sql.ts';
import type { SqlDatabase } from '../db/sql-database.ts';
import { type Statement, toStatement, type Writer, writeOne } from '../db/writer.ts';
import { endMadeBy, handOver, removePasskeys } from './made-credentials.ts';
import { MAX_PEOPLE, type PersonRow, toPerson } from './people-store.ts';
import { ACCESS, type Access, DEFAULT_ACCESS, HOUSEHOLD, type Person, type Role } from './person.ts';

/** Maximum invitations that nobody has used. */
export const MAX_INVITATIONS = 20;

/** A link by which somebody can join, without its secret. */
export interface Invitation {
  readonly id: string;
  readonly role: Role;
  readonly expiresAtMs: number;
  /** Absent for those from before this was kept. */
  readonly createdBy?: Creator;
}

/** Who may do what with the diary of a person. */
export interface Sharing {
  /** For everybody whom `people` does not name. */
  readonly general: Access;
  /** By the id of the other person. */
  readonly people: ReadonlyMap<string, Access>;
}

/** Stores who belongs to the household: its people, invitations, departures, and who sees whose diary. */
export class HouseholdStore {
  readonly #db: Queries;
  readonly #writer: Writer;

  constructor({ db, writer }: SqlDatabase) {
    this.#db = db;
    this.#writer = writer;
  }

  /** Returns all people in the order in which they joined. */
  async listPeople(): Promise<readonly Person[]> {
    const rows = await sql<PersonRow>`
      select id, name, role, created_at_ms from people
      where tenant_id = ${HOUSEHOLD} order by created_at_ms, id limit ${MAX_PEOPLE}`.all(this.#db);
    return rows.map(toPerson);
  }

  /** Adds an invitation and removes expired ones. False where too many are open. */
  async addInvitation(hash: string, invitation: Invitation, nowMs: number): Promise<boolean> {
    const { id, role, expiresAtMs, createdBy = null } = invitation;
    const insertion = sql`
      insert into join_links (hash, tenant_id, role, expires_at_ms, id, created_by)
      select ${hash}, ${HOUSEHOLD}, ${role}, ${expiresAtMs}, ${id}, ${createdBy}
      where (select count(*) from join_links where tenant_id = ${HOUSEHOLD} and id is not null
        and expires_at_ms > ${nowMs}) < ${MAX_INVITATIONS}`;
    const removal = sql`delete from join_links where tenant_id = ${HOUSEHOLD} and expires_at_ms <= ${nowMs}`;
    const { changes } = await this.#writer.write({
      statements: [toStatement(insertion), toStatement(removal)],
      firstDecides: true,
      lock: PEOPLE,
    });
    return changes > 0;
  }

  /** Returns the invitations that are open, the oldest first. */
  async listInvitations(nowMs: number): Promise<readonly Invitation[]> {
    const rows = await sql<{ id: string; role: Role; expires_at_ms: number; created_by: Creator | null }>`
      select id, role, expires_at_ms, created_by from join_links
      where tenant_id = ${HOUSEHOLD} and id is not null and expires_at_ms > ${nowMs}
      order by id limit ${MAX_INVITATIONS}`.all(this.#db);
    return rows.map(({ id, role, expires_at_ms: ms, created_by: createdBy }) => ({
      id,
      role,
      expiresAtMs: Number(ms),
      ...(createdBy !== null && { createdBy }),
    }));
  }

  /** False where no invitation has this id. */
  async removeInvitation(id: string): Promise<boolean> {
    const removal = sql`delete from join_links where tenant_id = ${HOUSEHOLD} and id = ${id}`;
    return (await writeOne(this.#writer, removal, PEOPLE)).changes > 0;
  }

  async sharingOf(personId: string): Promise<Sharing> {
    const rows = await sql<{ other_id: string; access: Access }>`
      select other_id, access from sharing
      where tenant_id = ${HOUSEHOLD} and person_id = ${personId} limit ${MAX_PEOPLE + 1}`.all(this.#db);
    const people = new Map(rows.map((row) => [row.other_id, row.access]));
    const general = people.get('') ?? DEFAULT_ACCESS;
    people.delete('');
    return { general, people };
  }

  /** Replaces all that a person has said about sharing. Others who are gone are left out. */
  async setSharing(personId: string, { general, people }: Sharing): Promise<void> {
    const named = ACCESS.flatMap((access) => {
      const ids = [...people.keys()].filter((id) => people.get(id) === access);
      if (ids.length === 0) return [];
      return sql`
        insert into sharing (tenant_id, person_id, other_id, access)
        select tenant_id, ${personId}, id, ${access} from people
        where tenant_id = ${HOUSEHOLD} and id in (${list(ids)}) and id <> ${personId}`;
    });
    await this.#writer.write({
      statements: [
        toStatement(sql`delete from sharing where tenant_id = ${HOUSEHOLD} and person_id = ${personId}`),
        toStatement(sql`
          insert into sharing (tenant_id, person_id, other_id, access)
          select tenant_id, id, '', ${general} from people
          where tenant_id = ${HOUSEHOLD} and id = ${personId}`),
        ...named.map(toStatement),
      ],
      lock: PEOPLE,
    });
  }

  /**
   * Removes a person with all sessions, own keys and rights, and notes that the data of this user is to be erased. The keys and webhooks
   * of tenants that the person made end, too, or get another creator. False where that is nobody, or the last owner.
   */
  async removePerson(id: string, nowMs: number, handOverTo?: string): Promise<boolean> {
    // Members make nothing for others; a role that changes meanwhile settles this itself.
    const wasOwner = await this.#isOwner(id);
    const removal = sql`
      delete from people where tenant_id = ${HOUSEHOLD} and id = ${id} and (role <> 'owner' or ${otherOwner(id)})`;
    const { changes } = await this.#writer.write({
      statements: [
        toStatement(removal),
        toStatement(sql`delete from sessions where tenant_id = ${HOUSEHOLD} and person_id = ${id}`),
        toStatement(sql`delete from api_keys where tenant_id = ${HOUSEHOLD} and user_id = ${id}`),
        toStatement(sql`delete from identities where tenant_id = ${HOUSEHOLD} and person_id = ${id}`),
        ...removePasskeys(id).map(toStatement),
        toStatement(sql`delete from security_events where who = ${personAsCreator(id)}`),
        toStatement(sql`
          delete from sharing where tenant_id = ${HOUSEHOLD} and (person_id = ${id} or other_id = ${id})`),
        toStatement(sql`
          insert into departures (tenant_id, person_id, left_at_ms)
          values (${HOUSEHOLD}, ${id}, ${nowMs})`),
        ...(wasOwner ? this.#settle(id, nowMs, handOverTo) : []),
      ],
      firstDecides: true,
      lock: PEOPLE,
      isErasure: true,
    });
    return changes > 0;
  }

  /**
   * Gives a person another role. If an owner becomes a member, the credentials that the person made end, or get another creator; own keys
   * stay. False for an unknown person, and for the last owner.
   */
  async changeRole(id: string, role: Role, nowMs: number, handOverTo?: string): Promise<boolean> {
    const change = sql`
      update people set role = ${role} where tenant_id = ${HOUSEHOLD} and id = ${id}
        and (${role} = 'owner' or role <> 'owner' or ${otherOwner(id)})`;
    const { changes } = await this.#writer.write({
      statements: [toStatement(change), ...(role === 'owner' ? [] : this.#settle(id, nowMs, handOverTo))],
      firstDecides: true,
      lock: PEOPLE,
    });
    return changes > 0;
  }

  /** Ends credentials that a removed person made during the removal. */
  async endMadeBy(id: string, nowMs: number): Promise<void> {
    const [first, ...others] = endMadeBy(id, nowMs).map(toStatement) as [Statement, ...Statement[]];
    await this.#writer.write({ statements: [first, ...others], lock: PEOPLE });
  }

  async #isOwner(id: string): Promise<boolean> {
    return (await this.listPeople()).some((person) => person.id === id && person.role === 'owner');
  }

  #settle(id: string, nowMs: number, handOverTo: string | undefined): Statement[] {
    const settled = handOverTo === undefined ? endMadeBy(id, nowMs) : handOver(id, handOverTo);
    return settled.map(toStatement);
  }

  /** Returns some people who left before this time and whose data may be there. */
  async listDepartures(beforeMs: number, limit: number): Promise<readonly string[]> {
    const rows = await sql<{ person_id: string }>`
      select person_id from departures
      where tenant_id = ${HOUSEHOLD} and left_at_ms < ${beforeMs} order by person_id limit ${limit}`.all(
      this.#db,
    );
    return rows.map((row) => row.person_id);
  }

  /** Notes that the data of a person who left is erased, and removes the events of the removal itself. */
  async endDeparture(personId: string): Promise<void> {
    const removal = sql`delete from departures where tenant_id = ${HOUSEHOLD} and person_id = ${personId}`;
    const events = sql`delete from security_events where who = ${personAsCreator(personId)}`;
    await this.#writer.write({ statements: [toStatement(removal), toStatement(events)], isErasure: true });
  }
}

function otherOwner(id: string): Sql {
  return sql`exists (select 1 from people as other
    where other.tenant_id = ${HOUSEHOLD} and other.role = 'owner' and other.id <> ${id})`;
}
