import { AppError } from '@larder/core/errors.ts';
import type { CryptoKey } from 'jose';
import * as errors from 'jose/errors';
import { jwtVerify } from 'jose/jwt/verify';
import { type Caller, isUserScope, type Scope } from '../api-key.ts';
import type { KeyAuthenticator } from '../key-authenticator.ts';
import { SIGNING_ALGORITHM, type SigningKeyRing, TOKEN_LIFETIME_SECONDS } from './signing-keys.ts';
import { TOKEN_AUDIENCE, TOKEN_ISSUER, TOKEN_TYPE } from './token-issuer.ts';
import {
  checkIssueTime,
  expiredToken,
  hasExpired,
  invalidToken,
  MAX_TOKEN_LENGTH,
  timeOptions,
  tokenError,
  VerifiedTokens,
} from './verified-tokens.ts';

/** The claims of a token whose signature was verified. */
interface Claims {
  readonly keyId: string;
  readonly userId: string;
  readonly scopes: readonly Scope[];
  /** Unix seconds. */
  readonly expiresAt: number;
}

export interface TokenVerifierOptions {
  readonly ring: SigningKeyRing;
  readonly authenticator: Pick<KeyAuthenticator, 'liveHolder' | 'knownHolder'>;
  readonly nowMs: () => number;
}

/** Finds the caller of our own access token. Expiry and key are checked each time, the signature once. */
export class TokenVerifier {
  readonly #ring: SigningKeyRing;
  readonly #authenticator: TokenVerifierOptions['authenticator'];
  readonly #nowMs: () => number;
  readonly #tokens = new VerifiedTokens<Claims>({ check: (token) => this.#check(token) });

  constructor({ ring, authenticator, nowMs }: TokenVerifierOptions) {
    this.#ring = ring;
    this.#authenticator = authenticator;
    this.#nowMs = nowMs;
  }

  /** The caller of a token that was verified before; undefined for every other one, which `verify` accepts or refuses. */
  known(token: string): Caller | undefined {
    const claims = token.length > MAX_TOKEN_LENGTH ? undefined : this.#tokens.known(token);
    if (claims === undefined || this.#hasExpired(claims)) return undefined;
    const holder = this.#authenticator.knownHolder(claims.keyId);
    return holder && callerOf(claims, holder);
  }

  /**
   * Rejects with `expired_token` for an expired token of ours, and with `invalid_token` otherwise, also if its key is revoked or
   * expired, or may not act as its user.
   */
  async verify(token: string): Promise<Caller> {
    if (token.length > MAX_TOKEN_LENGTH) throw invalidToken();
    const claims = await this.#tokens.claimsOf(token);
    if (this.#hasExpired(claims)) throw expiredToken(claims.expiresAt, this.#nowMs());
    try {
      const caller = callerOf(claims, await this.#authenticator.liveHolder(claims.keyId));
      if (caller !== undefined) return caller;
    } catch (cause) {
      throw cause instanceof AppError ? invalidToken(cause) : cause;
    }
    throw invalidToken();
  }

  #hasExpired({ expiresAt }: Claims): boolean {
    return hasExpired(expiresAt, this.#nowMs());
  }

  async #check(token: string): Promise<Claims> {
    const nowMs = this.#nowMs();
    try {
      const { payload } = await jwtVerify(token, async ({ kid }) => this.#publicKey(kid), {
        algorithms: [SIGNING_ALGORITHM],
        typ: TOKEN_TYPE,
        issuer: TOKEN_ISSUER,
        audience: TOKEN_AUDIENCE,
        requiredClaims: ['sub', 'exp', 'iat', 'client_id', 'scope'],
        ...timeOptions(nowMs),
      });
      checkIssueTime(payload, nowMs);
      // No token of the service lives longer, whoever signed it.
      if (payload.exp! - payload.iat! > TOKEN_LIFETIME_SECONDS)
        throw new errors.JWTInvalid('it lives too long');
      return {
        keyId: String(payload['client_id']),
        userId: payload.sub!,
        scopes: String(payload['scope']).split(' ').filter(isUserScope),
        expiresAt: payload.exp!,
      };
    } catch (cause) {
      throw tokenError(cause, nowMs);
    }
  }

  async #publicKey(kid: string | undefined): Promise<CryptoKey> {
    const key = kid === undefined ? undefined : await this.#ring.verifying(kid);
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  }
}

/** Undefined for a user for whom the key gives no tokens. */
function callerOf({ userId, scopes }: Claims, { tenant, key, shares }: Caller): Caller | undefined {
  return shares?.has(userId) ? undefined : { tenant, scopes, key, userId };
}
