import { AppError } from '../errors.ts';
import type { ApiKey } from './api-key.ts';
import type { KeyStore, StoredKey } from './key-store.ts';
import { matchesHash, parseKeyId } from './key-text.ts';

/**
 * How old a remembered key may be. Revocation is felt everywhere after at most this time and one look-up, well
 * within the second that is promised, without any thread or node telling another.
 */
const MAX_AGE_MS = 500;
const MAX_REMEMBERED = 10_000;

interface Remembered {
  readonly askedAtMs: number;
  readonly answer: Promise<StoredKey | undefined>;
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
   * The key whose text this is. Throws `invalid_api_key` for a text that is none, an unknown or a revoked key, all
   * in the same words, and `expired_api_key` for one whose time is over.
   */
  async authenticate(text: string): Promise<ApiKey> {
    const id = parseKeyId(text);
    if (id === undefined) throw invalidKey();
    const stored = await this.#find(id);
    if (stored === undefined || !matchesHash(text, stored.secretHash)) throw invalidKey();
    return this.#requireLive(stored.key);
  }

  /** The key of this id, for whoever has already shown to act for it. Throws as `authenticate` does. */
  async getLive(id: string): Promise<ApiKey> {
    const stored = await this.#find(id);
    if (stored === undefined) throw invalidKey();
    return this.#requireLive(stored.key);
  }

  #requireLive(key: ApiKey): ApiKey {
    const nowSeconds = this.#nowMs() / 1000;
    if (key.revokedAt !== undefined && key.revokedAt <= nowSeconds) throw invalidKey();
    if (key.expiresAt !== undefined && key.expiresAt <= nowSeconds) throw expiredKey(key.expiresAt);
    return key;
  }

  #find(id: string): Promise<StoredKey | undefined> {
    const nowMs = this.#nowMs();
    const known = this.#remembered.get(id);
    if (known !== undefined && nowMs - known.askedAtMs < MAX_AGE_MS) return known.answer;

    const answer = this.#store.find(id);
    const entry = { askedAtMs: nowMs, answer };
    this.#remembered.delete(id);
    this.#remembered.set(id, entry);
    if (this.#remembered.size > MAX_REMEMBERED) {
      this.#remembered.delete(this.#remembered.keys().next().value!);
    }
    const forget = () => {
      if (this.#remembered.get(id) === entry) this.#remembered.delete(id);
    };
    // Unknown ids are forgotten at once, so that guessing cannot push out keys in use; so are failed look-ups.
    answer.then((stored) => stored === undefined && forget(), forget);
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
