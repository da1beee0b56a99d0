import { type CryptoKey, errors, jwtVerify } from 'jose';
import { AppError } from '../errors.ts';
import { andThen, attempt, type MaybePromise } from '../maybe-promise.ts';
import type { Authenticator } from './authenticator.ts';
import type { Caller } from './caller.ts';
import { isScope, type Scope } from './scope.ts';
import { SIGNING_ALGORITHM, type SigningKeyRing } from './signing-key-ring.ts';
import { expiredToken, invalidToken } from './token-errors.ts';
import { TOKEN_AUDIENCE, TOKEN_ISSUER, TOKEN_TYPE } from './token-issuer.ts';
import { MAX_TOKEN_LENGTH, VerifiedTokens } from './verified-tokens.ts';

/** What a token says, once its signature is known to be ours. */
interface Claims {
  readonly keyId: string;
  readonly userId: string;
  readonly scopes: readonly Scope[];
  /** Unix seconds. */
  readonly expiresAt: number;
}

export interface TokenVerifierPorts {
  readonly ring: SigningKeyRing;
  readonly authenticator: Pick<Authenticator, 'getLive'>;
  readonly nowMs: () => number;
}

/**
 * Tells who holds an access token of our own. Expiry and the key behind it are checked each time, the signature once.
 */
export class TokenVerifier {
  readonly #ring: SigningKeyRing;
  readonly #authenticator: Pick<Authenticator, 'getLive'>;
  readonly #nowMs: () => number;
  readonly #tokens = new VerifiedTokens<Claims>({ check: (token) => this.#check(token) });

  constructor({ ring, authenticator, nowMs }: TokenVerifierPorts) {
    this.#ring = ring;
    this.#authenticator = authenticator;
    this.#nowMs = nowMs;
  }

  /**
   * At once for a token in use. Rejects with `expired_token` for a token of ours whose time is over, and `invalid_token` for anything else that does
   * not hold, a revoked or expired key behind it included.
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
        scopes: String(payload['scope']).split(' ').filter(isScope),
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
