/** Ids are compared byte by byte, as in `tables.ts`. */
const ID = 'text collate "C" not null';

/** The tables of the household; see `tables.ts`. */
export const PEOPLE_TABLES = {
  people: {
    columns: [
      'tenant_id text not null',
      `id ${ID}`,
      'name text not null',
      // The name without case and accents.
      `name_key ${ID}`,
      // A PHC string.
      'password text not null',
      'role text not null',
      'created_at_ms bigint not null',
      // The link by which the person may set a new password: hash of its secret, its end, and who made it.
      'reset_hash text collate "C"',
      'reset_until_ms bigint',
      'reset_by text collate "C"',
      // When the password was set by a link, until the person has seen it.
      'reset_at_ms bigint',
      // 1 if the password signs in only together with a passkey.
      'asks_passkey integer',
    ],
    key: 'tenant_id, id',
    indexes: ['unique index people_by_name on people (tenant_id, name_key)'],
  },
  /** Only hashes of secrets are stored; the holder has the secret. */
  sessions: {
    columns: [
      `hash ${ID}`,
      'tenant_id text not null',
      `person_id ${ID}`,
      `id ${ID}`,
      'created_at_ms bigint not null',
      'seen_at_ms bigint not null',
      'expires_at_ms bigint not null',
      'device text',
      // When the person last proved who they are; null where that was the sign-in.
      'proved_at_ms bigint',
      // The account elsewhere by which the person signed in.
      'identity_id text collate "C"',
    ],
    key: 'hash',
    indexes: ['index sessions_by_person on sessions (tenant_id, person_id, seen_at_ms)'],
  },
  /** Invitations have an id; the link for the first owner has none. */
  join_links: {
    columns: [
      `hash ${ID}`,
      'tenant_id text not null',
      'role text not null',
      'expires_at_ms bigint not null',
      'id text collate "C"',
      'created_by text collate "C"',
    ],
    key: 'hash',
  },
  /** Accounts of other providers that people sign in with. */
  identities: {
    columns: [
      'tenant_id text not null',
      `issuer ${ID}`,
      `subject ${ID}`,
      `id ${ID}`,
      `person_id ${ID}`,
      'created_at_ms bigint not null',
    ],
    key: 'tenant_id, issuer, subject',
    indexes: ['index identities_by_person on identities (tenant_id, person_id, id)'],
  },
  /**
   * Public keys by which people sign in (WebAuthn), for the site `rp_id`. `challenged_at_ms` is the time of the newest challenge that was
   * answered: an older one counts no more, so none counts twice.
   */
  passkeys: {
    columns: [
      'tenant_id text not null',
      `credential_id ${ID}`,
      `id ${ID}`,
      `person_id ${ID}`,
      'name text not null',
      'rp_id text not null',
      'public_key text not null',
      'counter bigint not null',
      'transports text not null',
      'created_at_ms bigint not null',
      'challenged_at_ms bigint not null',
      'used_at_ms bigint',
    ],
    key: 'tenant_id, credential_id',
    indexes: ['index passkeys_by_person on passkeys (tenant_id, person_id, id)'],
  },
  /** Hashes of codes that each stand for a passkey once. */
  recovery_codes: {
    columns: ['tenant_id text not null', `person_id ${ID}`, `hash ${ID}`],
    key: 'tenant_id, person_id, hash',
  },
  /** Access of others to a person's diary; an empty `other_id` applies to everybody without a row. */
  sharing: {
    columns: ['tenant_id text not null', `person_id ${ID}`, `other_id ${ID}`, 'access text not null'],
    key: 'tenant_id, person_id, other_id',
  },
  /** Removed people whose data is being erased. */
  departures: {
    columns: ['tenant_id text not null', `person_id ${ID}`, 'left_at_ms bigint not null'],
    key: 'tenant_id, person_id',
  },
} as const;
