import { hash, randomBytes } from 'node:crypto';
import { AppError } from '@larder/core/errors.ts';
import type { Caller } from '../access/api-key.ts';
import { CachedLookUps } from '../access/cached-look-ups.ts';
import { createIds } from '../base/time-ordered-id.ts';
import type { FoundSession, PeopleStore } from './people-store.ts';
import { callerOf, MAX_SESSION_MS, type Person, RENEWAL_MS, SESSION_MS, type Session } from './person.ts';

const VALUE_BYTES = 32;

export interface SessionsOptions {
  readonly store: PeopleStore;
  readonly nowMs: () => number;
}

export interface SignInFacts {
  /** Browser and system. */
  readonly device?: string | undefined;
  /** The PHC string of the password that was compared. */
  readonly password?: string | undefined;
  /** The account elsewhere or the passkey by which the person signed in. */
  readonly identityId?: string | undefined;
  /** The session of the browser so far, which ends. */
  readonly before?: string | undefined;
}

/** A session by which a person acts. */
export interface ActingSession extends FoundSession {
  readonly value: string;
}

export interface ListedSession extends Session {
  readonly isCurrent: boolean;
}

/** Opens and identifies sessions by values of 256 random bits, of which only hashes are stored and cached. */
export class Sessions {
  readonly #store: PeopleStore;
  readonly #nowMs: () => number;
  readonly #lookUps: CachedLookUps<FoundSession>;

  constructor({ store, nowMs }: SessionsOptions) {
    this.#store = store;
    this.#nowMs = nowMs;
    this.#lookUps = new CachedLookUps({ find: (id) => store.findSession(id), nowMs });
  }

  /**
   * Returns the value of a new session. Rejects with `forbidden` where the person is gone or has another password than
   * `password`, by which they signed in.
   */
  async open(
    { id: personId }: Person,
    { device, password, identityId, before }: SignInFacts = {},
  ): Promise<string> {
    const nowMs = this.#nowMs();
    const value = newSecret();
    const [id] = createIds(1, nowMs, randomBytes);
    const times = { createdAtMs: nowMs, seenAtMs: nowMs, expiresAtMs: nowMs + SESSION_MS };
    const session = { id: id!, personId, hash: secretHash(value), device, identityId, ...times };
    if (await this.#store.addSession(session, password)) {
      if (before !== undefined) await this.end(before);
      return value;
    }
    throw new AppError({ code: 'forbidden', message: 'The name or the password is wrong.' });
  }

  /** Returns the caller of a cached session; undefined for every other value, which `authenticate` accepts or refuses. */
  known(value: string): Caller | undefined {
    const found = this.#lookUps.recall(secretHash(value));
    return found !== undefined && this.#isLive(found) ? callerOf(found, value) : undefined;
  }

  /** Rejects with `invalid_api_key` for a session that is unknown or has ended. */
  async authenticate(value: string): Promise<Caller> {
    const id = secretHash(value);
    const found = this.#lookUps.recall(id) ?? (await this.#lookUps.find(id));
    if (found !== undefined && this.#isLive(found)) return callerOf(found, value);
    throw new AppError({
      code: 'invalid_api_key',
      message: 'The session has ended; sign in again.',
      // Expired sessions stay in the table.
      details: { session: found === undefined ? 'ended' : 'expired' },
    });
  }

  /** Returns a live session, renewed where that is due. */
  async get(value: string): Promise<FoundSession | undefined> {
    const found = await this.#store.findSession(secretHash(value));
    if (found === undefined || !this.#isLive(found)) return undefined;
    const nowMs = this.#nowMs();
    if (nowMs - found.session.seenAtMs < RENEWAL_MS) return found;
    const latestMs = found.session.createdAtMs + MAX_SESSION_MS;
    const expiresAtMs = Math.min(nowMs + SESSION_MS, latestMs);
    const session = { ...found.session, seenAtMs: nowMs, expiresAtMs };
    await this.#store.renewSession(secretHash(value), session);
    return { ...found, session };
  }

  /** Returns the sessions of the person whose session this is, those seen last first. */
  async list({ person: { id } }: FoundSession, value: string): Promise<readonly ListedSession[]> {
    const own = secretHash(value);
    const found = await this.#store.listSessions(id, this.#nowMs());
    return found.map(({ hash: ofSession, ...session }) => ({ ...session, isCurrent: ofSession === own }));
  }

  /** Keeps that the person of this session has just proved who they are. */
  prove(value: string): Promise<void> {
    return this.#store.proveSession(secretHash(value), this.#nowMs());
  }

  /** Ends a session; it is refused within a second. */
  end(value: string): Promise<void> {
    return this.#store.removeSession(secretHash(value));
  }

  /** Ends a session of a person by its id. Rejects with `not_found`. */
  async endById({ id: personId }: Person, id: string): Promise<void> {
    if (await this.#store.removeSessionOf(personId, id)) return;
    throw new AppError({ code: 'session_not_found', message: 'You have no session with this id.' });
  }

  /** Returns the sessions of all people. `value` is that of the caller's, if it is one. */
  async listAll(value: string | undefined) {
    const own = value === undefined ? undefined : secretHash(value);
    const found = await this.#store.listAllSessions(this.#nowMs());
    return found.map(({ person, session, hash: ofSession }) => ({
      ...session,
      person: { id: person.id, name: person.name },
      isCurrent: ofSession === own,
    }));
  }

  /** Ends a session of anybody by its id. Rejects with `not_found`. */
  async endOfAnybody(id: string): Promise<void> {
    const found = await this.#store.listAllSessions(this.#nowMs());
    const person = found.find(({ session }) => session.id === id)?.person;
    if (person !== undefined && (await this.#store.removeSessionOf(person.id, id))) return;
    throw new AppError({ code: 'session_not_found', message: 'There is no session with this id.' });
  }

  #isLive({ session }: FoundSession): boolean {
    return Math.min(session.expiresAtMs, session.createdAtMs + MAX_SESSION_MS) > this.#nowMs();
  }
}

/** The form of values of sessions and links, as a pattern without anchors. */
export const SECRET_FORM = '[A-Za-z0-9_-]{43}';

export function newSecret(): string {
  return randomBytes(VALUE_BYTES).toString('base64url');
}

export function secretHash(value: string): string {
  return hash('sha256', value, 'base64url');
}
