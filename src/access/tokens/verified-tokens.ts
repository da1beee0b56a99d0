import { hash } from 'node:crypto';
import { AppError } from '@larder/core/errors.ts';
import type { JWTPayload } from 'jose';
import * as errors from 'jose/errors';
import { LRUCache } from 'lru-cache';

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

  /** The claims of a token that was verified before; undefined for every other one. */
  known(token: string): Claims | undefined {
    return this.#remembered.get(nameOf(token));
  }

  /** Rejects with what `check` rejects with. Rejected tokens are not cached. */
  async claimsOf(token: string): Promise<Claims> {
    const name = nameOf(token);
    return this.#remembered.get(name) ?? this.#underWay.get(name) ?? this.#checkOnce(token, name);
  }

  #checkOnce(token: string, name: string): Promise<Claims> {
    const checked = this.#check(token)
      .then((claims) => {
        this.#remembered.set(name, claims);
        return claims;
      })
      .finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, checked);
    return checked;
  }
}

/** A hash, so that no token is kept. */
function nameOf(token: string): string {
  return hash('sha256', token, 'binary');
}

/** How far the clocks of an issuer and of this service may differ. */
const CLOCK_LEEWAY_SECONDS = 60;
/** Times that a Date can hold. */
const MAX_UNIX_SECONDS = 8_640_000_000_000;

/** Options of `jwtVerify` for the times of a token. */
export function timeOptions(nowMs: number): { currentDate: Date; clockTolerance: number } {
  return { currentDate: new Date(nowMs), clockTolerance: CLOCK_LEEWAY_SECONDS };
}

/** A token is valid until its expiry and the leeway of clocks. */
export function hasExpired(expiresAt: number, nowMs: number): boolean {
  return expiresAt + CLOCK_LEEWAY_SECONDS <= nowMs / 1000;
}

/** Throws `invalid_token` for a token of a later time than now. `jwtVerify` checks all claims but this one. */
export function checkIssueTime({ iat }: JWTPayload, nowMs: number): void {
  if (iat !== undefined && iat > nowMs / 1000 + CLOCK_LEEWAY_SECONDS) throw notYetValid('iat', iat, nowMs);
}

/** Returns the AppError for what `jwtVerify` throws, and any other error unchanged. */
export function tokenError(cause: unknown, nowMs: number): unknown {
  if (cause instanceof errors.JWTExpired) return expiredToken(cause.payload.exp!, nowMs);
  if (cause instanceof errors.JWTClaimValidationFailed && cause.claim === 'nbf') {
    const { nbf } = cause.payload;
    if (typeof nbf === 'number') return notYetValid('nbf', nbf, nowMs);
  }
  return cause instanceof errors.JOSEError ? invalidToken(cause) : cause;
}

export function invalidToken(cause?: unknown): AppError {
  return new AppError({ code: 'invalid_token', message: 'The access token is not valid.', cause });
}

export function expiredToken(expiresAt: number, nowMs: number): AppError {
  const message =
    `The access token expired at ${isoTime(expiresAt)}; the clock of this service says ${isoTime(nowMs / 1000)}. ` +
    'Ask for a new one.';
  return new AppError({ code: 'expired_token', message });
}

function notYetValid(claim: 'nbf' | 'iat', seconds: number, nowMs: number): AppError {
  const ahead = Math.ceil(seconds - nowMs / 1000);
  const message =
    `The access token is not valid yet: its ${claim} is ${isoTime(seconds)}, the clock of this service says ` +
    `${isoTime(nowMs / 1000)}. It is ${ahead} s ahead, and ${CLOCK_LEEWAY_SECONDS} s are allowed: set the clocks of the ` +
    'issuer and of this service by NTP, or send the token later.';
  return new AppError({ code: 'invalid_token', message });
}

function isoTime(unixSeconds: number): string {
  return Math.abs(unixSeconds) <= MAX_UNIX_SECONDS
    ? new Date(unixSeconds * 1000).toISOString()
    : `${unixSeconds} s since 1970`;
}
