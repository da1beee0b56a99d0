import { AppError, BusyError, OutageError } from '@larder/core/errors.ts';
import { LRUCache } from 'lru-cache';
import { type Pause, pause as pauseOnTimer } from '../base/pause.ts';
import type { ApiKey, Caller } from './api-key.ts';
import { hasChecksum, keyIdIn, matchesHash } from './key-format.ts';
import type { KeyStore, StoredKey } from './key-store.ts';

/**
 * Maximum age of a cached key. A revocation takes effect everywhere after at most this time and one look-up, well
 * within the promised second, without any thread or node notifying another.
 */
const MAX_AGE_MS = 500;
/** Maximum wait of a known key for a slow store before the earlier result may be used. */
const PATIENCE_MS = 250;
/**
 * Maximum age of an earlier result while the store is slow, and how long a failed store counts as away. Look-ups fail
 * before that.
 */
const SLOW_MS = 5_000;
/** Maximum age of an earlier result while the store is away. */
const AWAY_MS = 60_000;
const MAX_REMEMBERED = 10_000;

interface LatestAnswer {
  readonly stored: StoredKey;
  readonly answeredAtMs: number;
}

interface Remembered {
  /** Reset by a failed look-up, so that the next request asks again. */
  askedAtMs: number;
  readonly answer: Promise<StoredKey | undefined>;
  /** The store's latest result; undefined until there is one. */
  latest: LatestAnswer | undefined;
}

export interface AuthenticatorOptions {
  /** A look-up that fails with an `OutageError` other than a `BusyError` means that the store is down. */
  readonly store: Pick<KeyStore, 'find'>;
  readonly nowMs: () => number;
  readonly pause?: Pause;
}

/**
 * Identifies the holder of a key. One per API thread. Keys in use are cached for half a second by id, so that a
 * request costs one hash and no look-up. The secret is never kept.
 */
export class KeyAuthenticator {
  readonly #store: Pick<KeyStore, 'find'>;
  readonly #nowMs: () => number;
  readonly #pause: Pause;
  /** Time of the last failed look-up; undefined since the store responded. */
  #awayAtMs: number | undefined;
  readonly #remembered = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED });

  constructor({ store, nowMs, pause = pauseOnTimer }: AuthenticatorOptions) {
    this.#store = store;
    this.#nowMs = nowMs;
    this.#pause = pause;
  }

  /** The holder of a cached key; undefined for every other text, which `authenticate` accepts or refuses. */
  known(text: string): Caller | undefined {
    const id = keyIdIn(text);
    const stored = id === undefined ? undefined : this.#recall(id)?.latest?.stored;
    if (stored === undefined || !matchesHash(text, stored.secretHash)) return undefined;
    return this.#isLive(stored.key) ? callerWith(stored.key) : undefined;
  }

  /**
   * The holder of the key with this text. Rejects with `invalid_api_key`, always with the same message, for malformed, unknown and
   * revoked keys, and with `expired_api_key` for an expired one.
   */
  async authenticate(text: string): Promise<Caller> {
    const id = keyIdIn(text);
    const latest = id === undefined ? undefined : this.#recall(id)?.latest;
    if (latest !== undefined) return this.#check(text, latest.stored);
    if (id === undefined || !hasChecksum(text)) throw invalidKey();
    return this.#check(text, await this.#find(id));
  }

  /** A cached key, for one of its verified tokens; undefined for every other one. */
  knownKey(id: string): ApiKey | undefined {
    const key = this.#recall(id)?.latest?.stored.key;
    return key !== undefined && this.#isLive(key) ? key : undefined;
  }

  /** The key of this id, for one of its verified tokens. Rejects like `authenticate`. */
  async getLive(id: string): Promise<ApiKey> {
    const stored = this.#recall(id)?.latest?.stored ?? (await this.#find(id));
    if (stored === undefined) throw invalidKey();
    return this.#requireLive(stored.key);
  }

  #check(text: string, stored: StoredKey | undefined): Caller {
    if (stored === undefined || !matchesHash(text, stored.secretHash)) throw invalidKey();
    return callerWith(this.#requireLive(stored.key));
  }

  #isLive({ revokedAt = Infinity, expiresAt = Infinity }: ApiKey): boolean {
    return Math.min(revokedAt, expiresAt) > this.#nowMs() / 1000;
  }

  #requireLive(key: ApiKey): ApiKey {
    if (this.#isLive(key)) return key;
    const { revokedAt = Infinity, expiresAt = Infinity } = key;
    throw revokedAt <= this.#nowMs() / 1000 ? invalidKey() : expiredKey(expiresAt);
  }

  #recall(id: string): Remembered | undefined {
    const known = this.#remembered.get(id);
    return known !== undefined && this.#age(known.askedAtMs) < MAX_AGE_MS ? known : undefined;
  }

  #find(id: string): Promise<StoredKey | undefined> {
    const remembered = this.#recall(id);
    if (remembered !== undefined) return remembered.answer;
    const before = this.#remembered.get(id)?.latest;
    const asked = this.#ask(id);
    const answer = before === undefined ? asked : this.#orEarlier(asked, before);
    const entry: Remembered = { askedAtMs: this.#nowMs(), answer, latest: undefined };
    this.#remembered.set(id, entry);
    const forget = () => {
      if (this.#remembered.get(id) === entry) this.#remembered.delete(id);
    };
    // The earlier result is used until the store returns a newer one.
    answer.then(
      (stored) => {
        if (stored === before?.stored) entry.latest ??= before;
      },
      () => {
        if (before === undefined) return forget();
        entry.latest ??= before;
        entry.askedAtMs = Number.NEGATIVE_INFINITY;
      },
    );
    // Unknown ids are not kept, so that guesses cannot evict keys in use.
    asked.then(
      (stored) => {
        entry.latest = stored && { stored, answeredAtMs: this.#nowMs() };
        if (stored === undefined) forget();
      },
      () => undefined,
    );
    return answer;
  }

  async #ask(id: string): Promise<StoredKey | undefined> {
    try {
      const stored = await this.#store.find(id);
      this.#awayAtMs = undefined;
      return stored;
    } catch (error) {
      if (error instanceof OutageError && !(error instanceof BusyError)) this.#awayAtMs = this.#nowMs();
      throw error;
    }
  }

  /**
   * Returns the store's result, or the earlier one: at once while the store is down, after a wait while it is slow. If
   * the store is only busy with other requests, the earlier one is not used.
   */
  async #orEarlier(
    asked: Promise<StoredKey | undefined>,
    before: LatestAnswer,
  ): Promise<StoredKey | undefined> {
    const isBridged = () => this.#isAway && this.#age(before.answeredAtMs) < AWAY_MS;
    if (isBridged()) {
      asked.catch(() => {});
      return before.stored;
    }
    const orEarlier = asked.catch((error) => {
      if (isBridged()) return before.stored;
      throw error;
    });
    const patience = new AbortController();
    // The pause must not keep a process alive that is ending.
    const late = this.#pause(PATIENCE_MS, { signal: patience.signal, ref: false }).then(() =>
      this.#age(before.answeredAtMs) < SLOW_MS ? before.stored : orEarlier,
    );
    try {
      return await Promise.race([orEarlier, late]);
    } finally {
      patience.abort();
    }
  }

  get #isAway(): boolean {
    return this.#awayAtMs !== undefined && this.#age(this.#awayAtMs) < SLOW_MS;
  }

  /** After a clock change the age is unknown; the absolute difference is an upper estimate. */
  #age(atMs: number): number {
    return Math.abs(this.#nowMs() - atMs);
  }
}

function callerWith(key: ApiKey): Caller {
  return { tenant: key.tenant, scopes: key.scopes, key };
}

function invalidKey(): AppError {
  return new AppError({ code: 'invalid_api_key', message: 'The API key is not valid.' });
}

function expiredKey(expiresAt: number): AppError {
  return new AppError({
    code: 'expired_api_key',
    message: 'The API key has expired; ask whoever runs this service for a new one.',
    details: { expiredAt: new Date(expiresAt * 1000).toISOString() },
  });
}
