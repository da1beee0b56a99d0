import { AppError } from '@larder/core/errors.ts';
import type { CryptoKey } from 'jose';
import * as errors from 'jose/errors';
import { jwtVerify } from 'jose/jwt/verify';
import { andThen, attempt, type MaybePromise } from '../../base/maybe-promise.ts';
import { type Caller, isUserScope, type Scope } from '../api-key.ts';
import type { KeyAuthenticator } from '../key-authenticator.ts';
import { SIGNING_ALGORITHM, type SigningKeyRing } from './signing-keys.ts';
import { TOKEN_AUDIENCE, TOKEN_ISSUER, TOKEN_TYPE } from './token-issuer.ts';
import { expiredToken, invalidToken, MAX_TOKEN_LENGTH, VerifiedTokens } from './verified-tokens.ts';

/** The claims of a token whose signature was verified. */
interface Claims {
  readonly keyId: string;
  readonly userId: string;
  readonly scopes: readonly Scope[];
  /** Unix seconds. */
  readonly expiresAt: number;
}

export interface TokenVerifierPorts {
  readonly ring: SigningKeyRing;
  readonly authenticator: Pick<KeyAuthenticator, 'getLive'>;
  readonly nowMs: () => number;
}

/** Finds the caller of our own access token. Expiry and key are checked each time, the signature once. */
export class TokenVerifier {
  readonly #ring: SigningKeyRing;
  readonly #authenticator: Pick<KeyAuthenticator, 'getLive'>;
  readonly #nowMs: () => number;
  readonly #tokens = new VerifiedTokens<Claims>({ check: (token) => this.#check(token) });

  constructor({ ring, authenticator, nowMs }: TokenVerifierPorts) {
    this.#ring = ring;
    this.#authenticator = authenticator;
    this.#nowMs = nowMs;
  }

  /**
   * Returns synchronously for a token verified before. Rejects with `expired_token` for an expired token of ours, and
   * with `invalid_token` otherwise, also if its key is revoked or expired.
   */
  verify(token: string): MaybePromise<Caller> {
    return attempt(() => {
      if (token.length > MAX_TOKEN_LENGTH) throw invalidToken();
      return andThen(this.#tokens.claimsOf(token), (claims) => this.#callerOf(claims));
    });
  }

  #callerOf({ keyId, userId, scopes, expiresAt }: Claims): MaybePromise<Caller> {
    if (expiresAt <= this.#nowMs() / 1000) throw expiredToken();
    const key = this.#authenticator.getLive(keyId);
    if (!(key instanceof Promise)) return { tenant: key.tenant, scopes, key, userId };
    return key.then(
      (live) => ({ tenant: live.tenant, scopes, key: live, userId }),
      (cause) => {
        throw cause instanceof AppError ? invalidToken(cause) : cause;
      },
    );
  }

  async #check(token: string): Promise<Claims> {
    try {
      const { payload } = await jwtVerify(token, async ({ kid }) => this.#publicKey(kid), {
        algorithms: [SIGNING_ALGORITHM],
        typ: TOKEN_TYPE,
        issuer: TOKEN_ISSUER,
        audience: TOKEN_AUDIENCE,
        requiredClaims: ['sub', 'exp', 'iat', 'client_id', 'scope'],
        currentDate: new Date(this.#nowMs()),
      });
      return {
        keyId: String(payload['client_id']),
        userId: payload.sub!,
        scopes: String(payload['scope']).split(' ').filter(isUserScope),
        expiresAt: payload.exp!,
      };
    } catch (cause) {
      if (cause instanceof errors.JWTExpired) throw expiredToken();
      if (cause instanceof errors.JOSEError) throw invalidToken(cause);
      throw cause;
    }
  }

  async #publicKey(kid: string | undefined): Promise<CryptoKey> {
    const key = kid === undefined ? undefined : await this.#ring.verifying(kid);
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  }
}
