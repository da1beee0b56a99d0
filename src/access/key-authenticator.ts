import { AppError, BusyError, OutageError } from '../errors.ts';
import { andThen, attempt, type MaybePromise } from '../maybe-promise.ts';
import type { ApiKey } from './api-key.ts';
import { hasChecksum, keyIdIn, matchesHash } from './key-format.ts';
import type { KeyStore, StoredKey } from './key-store.ts';

/**
 * How old a remembered key may be. A revocation takes effect everywhere after at most this time and one look-up, well
 * within the promised second, without any thread or node notifying another.
 */
const MAX_AGE_MS = 500;
/** How long a key that was found before waits for a slow store before the earlier answer may be used. */
const PATIENCE_MS = 250;
/**
 * How old an earlier answer may be while the store is slow, and for how long a store that was away is taken to be so. A
 * look-up that gets no answer is given up before.
 */
const SLOW_MS = 5_000;
/** How old an earlier answer may be while the store is away. */
const AWAY_MS = 60_000;
const MAX_REMEMBERED = 10_000;

interface LatestAnswer {
  readonly stored: StoredKey;
  readonly answeredAtMs: number;
}

interface Remembered {
  /** Set back by a look-up that failed, so that the next request asks anew. */
  askedAtMs: number;
  readonly answer: Promise<StoredKey | undefined>;
  /** The store's latest answer; undefined until there is one. */
  latest: LatestAnswer | undefined;
}

export interface AuthenticatorPorts {
  /** A look-up that fails with an `OutageError` other than a `BusyError` tells that the store is away. */
  readonly store: Pick<KeyStore, 'find'>;
  readonly nowMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * Tells who holds a key. One per API thread. Keys in use are remembered for half a second by id, so that a request
 * costs one hash and no look-up; the secret itself is never kept.
 */
export class KeyAuthenticator {
  readonly #store: Pick<KeyStore, 'find'>;
  readonly #nowMs: () => number;
  readonly #sleep: (ms: number) => Promise<void>;
  /** When the store was last heard to be away; undefined since it answered. */
  #awayAtMs: number | undefined;
  /** Oldest first: a key is put at the end whenever it is looked up anew. */
  readonly #remembered = new Map<string, Remembered>();

  constructor({ store, nowMs, sleep }: AuthenticatorPorts) {
    this.#store = store;
    this.#nowMs = nowMs;
    this.#sleep = sleep;
  }

  /**
   * The key whose text this is; at once for a key in use. Rejects with `invalid_api_key` for a text that is no key and for
   * an unknown or revoked key, all in the same words, and with `expired_api_key` for an expired one.
   */
  authenticate(text: string): MaybePromise<ApiKey> {
    return attempt(() => {
      const id = keyIdIn(text);
      const remembered = id === undefined ? undefined : this.#recall(id);
      if (remembered?.latest !== undefined) return this.#check(text, remembered.latest.stored);
      if (id === undefined || !hasChecksum(text)) throw invalidKey();
      return this.#find(id).then((stored) => this.#check(text, stored));
    });
  }

  /** The key of this id, for a token of it whose signature was verified. Rejects as `authenticate` does. */
  getLive(id: string): MaybePromise<ApiKey> {
    return attempt(() =>
      andThen(this.#recall(id)?.latest?.stored ?? this.#find(id), (stored) => {
        if (stored === undefined) throw invalidKey();
        return this.#requireLive(stored.key);
      }),
    );
  }

  #check(text: string, stored: StoredKey | undefined): ApiKey {
    if (stored === undefined || !matchesHash(text, stored.secretHash)) throw invalidKey();
    return this.#requireLive(stored.key);
  }

  #requireLive(key: ApiKey): ApiKey {
    const nowSeconds = this.#nowMs() / 1000;
    if (key.revokedAt !== undefined && key.revokedAt <= nowSeconds) throw invalidKey();
    if (key.expiresAt !== undefined && key.expiresAt <= nowSeconds) throw expiredKey(key.expiresAt);
    return key;
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
    this.#remembered.delete(id);
    this.#remembered.set(id, entry);
    if (this.#remembered.size > MAX_REMEMBERED) {
      this.#remembered.delete(this.#remembered.keys().next().value!);
    }
    const forget = () => {
      if (this.#remembered.get(id) === entry) this.#remembered.delete(id);
    };
    // The earlier answer stands until the store has given a newer one.
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
    // Unknown ids are forgotten at once, so that guessing cannot push out keys in use.
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
   * The store's answer, or the earlier one: at once while the store is known to be away, and after some patience while it is
   * slow. A store that is busy with other requests is no reason to use the earlier one.
   */
  async #orEarlier(
    asked: Promise<StoredKey | undefined>,
    before: LatestAnswer,
  ): Promise<StoredKey | undefined> {
    const isYounger = (ms: number) => this.#age(before.answeredAtMs) < ms;
    const isBridged = () => this.#isAway && isYounger(AWAY_MS);
    if (isBridged()) {
      asked.catch(() => {});
      return before.stored;
    }
    const orEarlier = asked.catch((error) => {
      if (isBridged()) return before.stored;
      throw error;
    });
    const late = this.#sleep(PATIENCE_MS).then(() => (isYounger(SLOW_MS) ? before.stored : orEarlier));
    return Promise.race([orEarlier, late]);
  }

  get #isAway(): boolean {
    return this.#awayAtMs !== undefined && this.#age(this.#awayAtMs) < SLOW_MS;
  }

  /** Where the clock was set back, nobody knows how long ago it was. */
  #age(atMs: number): number {
    return Math.abs(this.#nowMs() - atMs);
  }
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
