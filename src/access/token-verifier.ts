import { hash } from 'node:crypto';
import { type CryptoKey, errors, jwtVerify } from 'jose';
import { AppError } from '../errors.ts';
import type { Authenticator } from './authenticator.ts';
import type { Caller } from './caller.ts';
import { isScope, type Scope } from './scope.ts';
import { SIGNING_ALGORITHM, type SigningKeyRing } from './signing-key-ring.ts';
import { TOKEN_AUDIENCE, TOKEN_ISSUER, TOKEN_TYPE } from './token-issuer.ts';

const MAX_TOKEN_LENGTH = 2_048;
/** Tokens whose signature was checked; so many users are active on one thread before one is checked again. */
const MAX_REMEMBERED = 20_000;

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
 * Tells who holds an access token. A signature is checked once for each token and thread and then remembered by the
 * token's hash; expiry and the key behind it are checked each time.
 */
export class TokenVerifier {
  readonly #ring: SigningKeyRing;
  readonly #authenticator: Pick<Authenticator, 'getLive'>;
  readonly #nowMs: () => number;
  readonly #remembered = new Map<string, Claims>();

  constructor({ ring, authenticator, nowMs }: TokenVerifierPorts) {
    this.#ring = ring;
    this.#authenticator = authenticator;
    this.#nowMs = nowMs;
  }

  /**
   * Throws `expired_token` for a token of ours whose time is over, and `invalid_token` for anything else that does
   * not hold, a revoked or expired key behind it included.
   */
  async verify(token: string): Promise<Caller> {
    const { keyId, userId, scopes, expiresAt } = await this.#claimsOf(token);
    if (expiresAt <= this.#nowMs() / 1000) throw expiredToken();
    const key = await this.#authenticator.getLive(keyId).catch((cause) => {
      throw cause instanceof AppError ? invalidToken(cause) : cause;
    });
    return { tenant: key.tenant, scopes, key, userId };
  }

  async #claimsOf(token: string): Promise<Claims> {
    if (token.length > MAX_TOKEN_LENGTH) throw invalidToken();
    const name = hash('sha256', token, 'base64');
    const known = this.#remembered.get(name);
    if (known !== undefined) return known;
    const claims = await this.#check(token);
    this.#remembered.set(name, claims);
    if (this.#remembered.size > MAX_REMEMBERED)
      this.#remembered.delete(this.#remembered.keys().next().value!);
    return claims;
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

function invalidToken(cause?: unknown): AppError {
  return new AppError({ code: 'invalid_token', message: 'The access token is not valid.', cause });
}

function expiredToken(): AppError {
  return new AppError({ code: 'expired_token', message: 'The access token has expired; ask for a new one.' });
}
