import { personAsCreator } from '../access/creator.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import { HOUSEHOLD } from './person.ts';

// Statements about the credentials that a person has made. Each runs in the transaction of its cause: a removal, another role,
// another password.

const LIVE = raw('coalesce(revoked_at, 9007199254740991)');

/** Ends the keys of tenants and webhooks that a person made, and their invitations and links for passwords. */
export function endMadeBy(personId: string, nowMs: number): readonly Sql[] {
  const creator = personAsCreator(personId);
  return [
    revoke(sql`created_by = ${creator} and user_id is null`, nowMs),
    sql`delete from webhook_deliveries where webhook_id in (select id from webhooks where created_by = ${creator})`,
    sql`delete from webhooks where created_by = ${creator}`,
    endInvitationsOf(personId),
    endResetsOf(personId),
  ];
}

/** Makes another person the creator of keys and webhooks. Invitations and links for passwords end: who made them knows them. */
export function handOver(personId: string, toPersonId: string): readonly Sql[] {
  const [from, to] = [personAsCreator(personId), personAsCreator(toPersonId)];
  return [
    sql`update api_keys set created_by = ${to} where created_by = ${from} and user_id is null`,
    sql`update webhooks set created_by = ${to} where created_by = ${from}`,
    endInvitationsOf(personId),
    endResetsOf(personId),
  ];
}

function endResetsOf(personId: string): Sql {
  return sql`update people set reset_hash = null, reset_until_ms = null
    where tenant_id = ${HOUSEHOLD} and reset_hash is not null and reset_by = ${personAsCreator(personId)}`;
}

/** Ends the keys that act for this person alone. */
export function endOwnKeys(personId: string, nowMs: number): Sql {
  return revoke(sql`tenant_id = ${HOUSEHOLD} and user_id = ${personId}`, nowMs);
}

/** Ends the sign-in by accounts elsewhere, and the sessions that began with one but the one with the hash `kept`. */
export function unlinkAll(personId: string, kept: string): readonly Sql[] {
  return [
    sql`delete from identities where tenant_id = ${HOUSEHOLD} and person_id = ${personId}`,
    sql`delete from sessions where tenant_id = ${HOUSEHOLD} and person_id = ${personId}
      and identity_id is not null and hash <> ${kept}`,
  ];
}

/** Ends the sign-in by passkeys, the sessions that began with one but the one with the hash `kept`, and recovery codes. */
export function endPasskeys(personId: string, kept: string): readonly Sql[] {
  return [
    sql`delete from sessions where tenant_id = ${HOUSEHOLD} and person_id = ${personId} and hash <> ${kept}
      and identity_id in (select id from passkeys where tenant_id = ${HOUSEHOLD} and person_id = ${personId})`,
    ...removePasskeys(personId),
    askNoPasskey(personId),
  ];
}

/** Lets a password sign in alone. */
export function askNoPasskey(personId: string): Sql {
  return sql`update people set asks_passkey = 0 where tenant_id = ${HOUSEHOLD} and id = ${personId}`;
}

export function removePasskeys(personId: string): readonly Sql[] {
  return ['passkeys', 'recovery_codes'].map(
    (table) => sql`delete from ${raw(table)} where tenant_id = ${HOUSEHOLD} and person_id = ${personId}`,
  );
}

/** Invitations from before creators were kept may be those of any owner. */
function endInvitationsOf(personId: string): Sql {
  return sql`delete from join_links where tenant_id = ${HOUSEHOLD} and id is not null
    and coalesce(created_by, ${personAsCreator(personId)}) = ${personAsCreator(personId)}`;
}

function revoke(which: Sql, nowMs: number): Sql {
  const seconds = Math.floor(nowMs / 1000);
  return sql`update api_keys set revoked_at = ${seconds} where ${which} and ${LIVE} > ${seconds}`;
}
