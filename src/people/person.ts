import { createRequire } from 'node:module';
import { fold } from '@larder/core/words/tokenise.ts';
import { type Caller, DEFAULT_TENANT, type Rights, type Scope, USER_SCOPES } from '../access/api-key.ts';
import { PERSON_LIMITS } from '../limits/operations.ts';

/** The tenant of all people: that of the first key. */
export const HOUSEHOLD = DEFAULT_TENANT;

export const ROLES = ['owner', 'member'] as const;
export type Role = (typeof ROLES)[number];
/** Scopes of a session. */
const SCOPES_OF: Readonly<Record<Role, readonly Scope[]>> = {
  owner: [...USER_SCOPES, 'operator'],
  member: USER_SCOPES,
};

/** What others may do with the diary of a person. */
export const ACCESS = ['none', 'read', 'write'] as const;
export type Access = (typeof ACCESS)[number];
/** What members of the household may do with a diary whose person says nothing about it. */
export const DEFAULT_ACCESS: Access = 'read';

/** A member of the household. Times are Unix milliseconds. */
export interface Person {
  /** Also the id of the user whose diary is this person's. */
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly createdAtMs: number;
}

/** A signed-in browser of a person. */
export interface Session {
  readonly id: string;
  readonly createdAtMs: number;
  readonly seenAtMs: number;
  readonly expiresAtMs: number;
  /** When the person last proved who they are: by the sign-in, or since. */
  readonly provedAtMs: number;
  /** Browser and system, for people; absent where they are unknown. */
  readonly device?: string | undefined;
}

/** How long a session lasts after its last renewal. */
export const SESSION_MS = 90 * 86_400_000;
/** How long a session lasts at most, however often it is renewed. */
export const MAX_SESSION_MS = 365 * 86_400_000;
/** How often a session in use is renewed. */
export const RENEWAL_MS = 86_400_000;

/** Comparison key of a name: without case, accents, repeated spaces and invisible characters. */
export function nameKey(name: string): string {
  const seen = name.normalize('NFKC').replaceAll(/\p{Cf}/gu, '');
  return fold(seen).replaceAll('ς', 'σ').replaceAll(/\s+/g, ' ').trim();
}

/**
 * Whether two names look alike, also where letters of other scripts stand for each other (UTS 39, 4: skeletons). Capitals
 * have look-alikes that small letters do not have.
 */
export function looksLike(one: string, other: string): boolean {
  const [small, otherSmall] = [nameKey(one), nameKey(other)];
  return (
    skeleton(small) === skeleton(otherSmall) ||
    skeleton(small.toUpperCase()) === skeleton(otherSmall.toUpperCase())
  );
}

/** Loaded at the first use: its table takes 0.7 MB of each thread. */
const require = createRequire(import.meta.url);

function skeleton(text: string): string {
  const unhomoglyph = require('unhomoglyph') as (text: string) => string;
  return unhomoglyph(text.normalize('NFD')).normalize('NFD');
}

/** Characters that change the order of those around them. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/;

/** Whether the name has visible characters, and none that reorder text. */
export function isSeenName(name: string): boolean {
  return nameKey(name) !== '' && !REORDERING.test(name);
}

/** Returns the caller of a session. The key stands in for an API key: limits count by it and the user, and logs show it. */
export function callerOf(
  { person, rights }: { readonly person: Person; readonly rights: Rights },
  session: string,
): Caller {
  const scopes = SCOPES_OF[person.role];
  const key = { id: 'person', tenant: HOUSEHOLD, scopes, createdAt: 0, limits: PERSON_LIMITS };
  return { tenant: HOUSEHOLD, scopes, key, userId: person.id, isMember: true, session, rights };
}
