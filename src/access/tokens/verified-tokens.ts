import { hash } from 'node:crypto';
import { AppError } from '@larder/core/errors.ts';
import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../../base/maybe-promise.ts';

/** Maximum tokens cached by one thread; the least recently used are evicted and verified again. */
const MAX_REMEMBERED = 20_000;
export const MAX_TOKEN_LENGTH = 4_096;

/**
 * The claims of verified tokens, by the tokens' hashes: each signature is verified once per thread, also for concurrent
 * requests with the same token.
 */
export class VerifiedTokens<Claims extends object> {
  readonly #check: (token: string) => Promise<Claims>;
  readonly #remembered = new LRUCache<string, Claims>({ max: MAX_REMEMBERED });
  readonly #underWay = new Map<string, Promise<Claims>>();

  constructor({ check }: { check: (token: string) => Promise<Claims> }) {
    this.#check = check;
  }

  /** Returns synchronously for a token verified before. Rejected tokens are not cached. */
  claimsOf(token: string): MaybePromise<Claims> {
    const name = hash('sha256', token, 'binary');
    return this.#remembered.get(name) ?? this.#underWay.get(name) ?? this.#checkOnce(token, name);
  }

  #checkOnce(token: string, name: string): Promise<Claims> {
    const checked = this.#check(token).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, checked);
    return checked.then((claims) => {
      this.#remembered.set(name, claims);
      return claims;
    });
  }
}

export function invalidToken(cause?: unknown): AppError {
  return new AppError({ code: 'invalid_token', message: 'The access token is not valid.', cause });
}

export function expiredToken(): AppError {
  return new AppError({ code: 'expired_token', message: 'The access token has expired; ask for a new one.' });
}
