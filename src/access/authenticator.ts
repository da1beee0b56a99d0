import { AppError } from '../errors.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { ApiKey } from './api-key.ts';
import type { KeyStore, StoredKey } from './key-store.ts';
import { hasChecksum, keyIdIn, matchesHash } from './key-text.ts';

/**
 * How old a remembered key may be. Revocation is felt everywhere after at most this time and one look-up, well
 * within the second that is promised, without any thread or node telling another.
 */
const MAX_AGE_MS = 500;
const MAX_REMEMBERED = 10_000;

interface Remembered {
  readonly askedAtMs: number;
  readonly answer: Promise<StoredKey | undefined>;
  /** The answer, once it is there. */
  stored: StoredKey | undefined;
}

/**
 * Tells who holds a key. One per API thread. Keys in use are remembered for half a second by id, so that a request
 * costs one hash and no look-up; the secret itself is never kept.
 */
export class Authenticator {
  readonly #store: Pick<KeyStore, 'find'>;
  readonly #nowMs: () => number;
  /** Oldest first: a key is put at the end whenever it is looked up anew. */
  readonly #remembered = new Map<string, Remembered>();

  constructor({ store, nowMs }: { store: Pick<KeyStore, 'find'>; nowMs: () => number }) {
    this.#store = store;
    this.#nowMs = nowMs;
  }

  /**
   * The key whose text this is, at once for one in use. Rejects with `invalid_api_key` for a text that is none, an
   * unknown or a revoked key, all in the same words, and with `expired_api_key` for one whose time is over.
   */
  authenticate(text: string): MaybePromise<ApiKey> {
    const id = keyIdIn(text);
    const remembered = id === undefined ? undefined : this.#recall(id);
    try {
      if (remembered?.stored !== undefined) return this.#check(text, remembered.stored);
      if (id === undefined || !hasChecksum(text)) throw invalidKey();
    } catch (refusal) {
      return Promise.reject(refusal);
    }
    return this.#find(id).then((stored) => this.#check(text, stored));
  }

  /** The key of this id, for whoever has already shown to act for it. Throws as `authenticate` does. */
  async getLive(id: string): Promise<ApiKey> {
    const stored = await this.#find(id);
    if (stored === undefined) throw invalidKey();
    return this.#requireLive(stored.key);
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
    return known !== undefined && this.#nowMs() - known.askedAtMs < MAX_AGE_MS ? known : undefined;
  }

  #find(id: string): Promise<StoredKey | undefined> {
    const remembered = this.#recall(id);
    if (remembered !== undefined) return remembered.answer;
    const answer = this.#store.find(id);
    const entry: Remembered = { askedAtMs: this.#nowMs(), answer, stored: undefined };
    this.#remembered.delete(id);
    this.#remembered.set(id, entry);
    if (this.#remembered.size > MAX_REMEMBERED) {
      this.#remembered.delete(this.#remembered.keys().next().value!);
    }
    const forget = () => {
      if (this.#remembered.get(id) === entry) this.#remembered.delete(id);
    };
    // Unknown ids are forgotten at once, so that guessing cannot push out keys in use; so are failed look-ups.
    answer.then((stored) => {
      entry.stored = stored;
      if (stored === undefined) forget();
    }, forget);
    return answer;
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
