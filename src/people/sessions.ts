import { hash, randomBytes } from 'node:crypto';
import { AppError } from '@larder/core/errors.ts';
import type { Caller } from '../access/api-key.ts';
import { CachedLookUps } from '../access/cached-look-ups.ts';
import { createIds } from '../base/time-ordered-id.ts';
import type { FoundSession, PeopleStore } from './people-store.ts';
import { callerOf, type Person, RENEWAL_MS, SESSION_MS } from './person.ts';

const VALUE_BYTES = 32;

export interface SessionsOptions {
  readonly store: PeopleStore;
  readonly nowMs: () => number;
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

  /** Returns the value of a new session. */
  async open({ id: personId }: Person): Promise<string> {
    const nowMs = this.#nowMs();
    const value = newSecret();
    const [id] = createIds(1, nowMs, randomBytes);
    const times = { createdAtMs: nowMs, seenAtMs: nowMs, expiresAtMs: nowMs + SESSION_MS };
    await this.#store.addSession({ id: id!, personId, hash: secretHash(value), ...times });
    return value;
  }

  /** Returns the caller of a cached session; undefined for every other value, which `authenticate` accepts or refuses. */
  known(value: string): Caller | undefined {
    const found = this.#lookUps.recall(secretHash(value));
    return found !== undefined && this.#isLive(found) ? callerOf(found.person, value) : undefined;
  }

  /** Rejects with `invalid_api_key` for a session that is unknown or has ended. */
  async authenticate(value: string): Promise<Caller> {
    const id = secretHash(value);
    const found = this.#lookUps.recall(id) ?? (await this.#lookUps.find(id));
    if (found !== undefined && this.#isLive(found)) return callerOf(found.person, value);
    throw new AppError({ code: 'invalid_api_key', message: 'The session has ended; sign in again.' });
  }

  /** Returns a live session, renewed where that is due. */
  async get(value: string): Promise<FoundSession | undefined> {
    const found = await this.#store.findSession(secretHash(value));
    if (found === undefined || !this.#isLive(found)) return undefined;
    const nowMs = this.#nowMs();
    if (nowMs - found.session.seenAtMs < RENEWAL_MS) return found;
    const session = { ...found.session, seenAtMs: nowMs, expiresAtMs: nowMs + SESSION_MS };
    await this.#store.renewSession(secretHash(value), session);
    return { ...found, session };
  }

  /** Ends a session; it is refused within a second. */
  end(value: string): Promise<void> {
    return this.#store.removeSession(secretHash(value));
  }

  #isLive({ session }: FoundSession): boolean {
    return session.expiresAtMs > this.#nowMs();
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
