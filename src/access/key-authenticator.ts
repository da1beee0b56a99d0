import { AppError } from '@larder/core/errors.ts';
import { LRUCache } from 'lru-cache';
import type { Pause } from '../base/pause.ts';
import type { ApiKey, Caller, Shares } from './api-key.ts';
import { CachedLookUps } from './cached-look-ups.ts';
import { hasChecksum, keyIdIn, matchesHash } from './key-format.ts';
import type { KeyStore } from './key-store.ts';

export interface AuthenticatorOptions {
  /** A look-up that fails with an `OutageError` other than a `BusyError` means that the store is down. */
  readonly store: Pick<KeyStore, 'find'>;
  /** Keeps that a key is in use; called at most once an hour and key. A failure costs only that time. */
  readonly markUsed?: (id: string, nowSeconds: number, withinSeconds: number) => Promise<void>;
  /** `Caller.shares` of a key of a tenant; undefined where no person made it. */
  readonly sharesWith?: (key: ApiKey) => Promise<Shares | undefined>;
  readonly nowMs: () => number;
  readonly pause?: Pause;
}

/** The holder of a stored key. */
interface Holder {
  readonly caller: Caller;
  /** SHA-256 of the key's text. */
  readonly secretHash: Uint8Array;
}

/** How exact the time of the last use of a key is. */
const USE_SECONDS = 3_600;
/** Keys of which a thread knows that their use is kept. */
const MAX_MARKED = 10_000;

/**
 * Identifies the holder of a key. One per API thread. Keys in use are cached for half a second by id, so that a
 * request costs one hash and no look-up. The secret is never kept.
 */
export class KeyAuthenticator {
  readonly #lookUps: CachedLookUps<Holder>;
  readonly #nowMs: () => number;
  readonly #markUsed: AuthenticatorOptions['markUsed'];
  /** When the use of a key was kept last, in seconds. */
  readonly #marked = new LRUCache<string, number>({ max: MAX_MARKED });

  constructor({ store, nowMs, pause, markUsed, sharesWith }: AuthenticatorOptions) {
    this.#markUsed = markUsed;
    const find = async (id: string) => {
      const stored = await store.find(id);
      if (stored === undefined) return undefined;
      const { key, secretHash } = stored;
      const isMade = key.userId === undefined && key.createdBy !== undefined;
      const shares = isMade && sharesWith !== undefined ? await sharesWith(key) : undefined;
      return { caller: callerWith(key, shares), secretHash };
    };
    this.#lookUps = new CachedLookUps({ find, nowMs, ...(pause && { pause }) });
    this.#nowMs = nowMs;
  }

  /** The holder of a cached key; undefined for every other text, which `authenticate` accepts or refuses. */
  known(text: string): Caller | undefined {
    const id = keyIdIn(text);
    const holder = id === undefined ? undefined : this.#lookUps.recall(id);
    if (holder === undefined || !matchesHash(text, holder.secretHash)) return undefined;
    return this.#isLive(holder.caller.key) ? holder.caller : undefined;
  }

  /**
   * The holder of the key with this text. Rejects with `invalid_api_key`, always with the same message, for malformed, unknown and
   * revoked keys, and with `expired_api_key` for an expired one.
   */
  async authenticate(text: string): Promise<Caller> {
    const id = keyIdIn(text);
    const cached = id === undefined ? undefined : this.#lookUps.recall(id);
    if (cached !== undefined) return this.#check(text, cached);
    if (id === undefined || !hasChecksum(text)) throw invalidKey();
    return this.#check(text, await this.#lookUps.find(id));
  }

  /** The holder of a cached key, for one of its verified tokens; undefined for every other one. */
  knownHolder(id: string): Caller | undefined {
    const caller = this.#lookUps.recall(id)?.caller;
    return caller !== undefined && this.#isLive(caller.key) ? caller : undefined;
  }

  /** The holder of the key of this id, for one of its verified tokens. Rejects like `authenticate`. */
  async liveHolder(id: string): Promise<Caller> {
    const holder = this.#lookUps.recall(id) ?? (await this.#lookUps.find(id));
    if (holder === undefined) throw invalidKey();
    this.#used(this.#requireLive(holder.caller.key));
    return holder.caller;
  }

  /** Looks at the time of the last use only where the key was not in memory, some times a second at most. */
  #used(key: ApiKey): void {
    const nowSeconds = Math.floor(this.#nowMs() / 1000);
    const known = Math.max(key.lastUsedAt ?? 0, this.#marked.get(key.id) ?? 0);
    if (this.#markUsed === undefined || nowSeconds - known < USE_SECONDS) return;
    this.#marked.set(key.id, nowSeconds);
    this.#markUsed(key.id, nowSeconds, USE_SECONDS).catch(() => {});
  }

  #check(text: string, holder: Holder | undefined): Caller {
    if (holder === undefined || !matchesHash(text, holder.secretHash)) throw invalidKey();
    this.#used(this.#requireLive(holder.caller.key));
    return holder.caller;
  }

  #isLive({ revokedAt = Infinity, expiresAt = Infinity }: ApiKey): boolean {
    return Math.min(revokedAt, expiresAt) > this.#nowMs() / 1000;
  }

  #requireLive(key: ApiKey): ApiKey {
    if (this.#isLive(key)) return key;
    const { revokedAt = Infinity, expiresAt = Infinity } = key;
    throw revokedAt <= this.#nowMs() / 1000 ? invalidKey() : expiredKey(expiresAt);
  }
}

function callerWith(key: ApiKey, shares: Shares | undefined): Caller {
  const { tenant, scopes, userId } = key;
  if (userId !== undefined) return { tenant, scopes, key, userId, isMember: true };
  return { tenant, scopes, key, ...(shares && { shares }) };
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
