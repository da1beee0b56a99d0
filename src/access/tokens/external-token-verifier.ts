import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { jwtVerify } from 'jose/jwt/verify';
import {
  type ApiKey,
  type Caller,
  DEFAULT_TENANT,
  isUserScope,
  type Scope,
  TENANT_PATTERN,
  USER_ID_PATTERN,
} from '../api-key.ts';
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

/** Only asymmetric algorithms are allowed: with a symmetric one, anybody who verifies tokens could sign them. */
const ALGORITHMS = [
  'EdDSA',
  'Ed25519',
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
];

/** An external OpenID issuer whose access tokens are accepted. */
export interface ExternalIssuer {
  readonly issuer: string;
  readonly audience: string;
  /** Name of the claim with the user. */
  readonly userClaim: string;
  /** Name of the claim with scopes, as an array or separated by spaces. */
  readonly scopeClaim: string;
  /** Name of the claim with the tenant; without it all users belong to tenant `default`. */
  readonly tenantClaim?: string | undefined;
}

export interface ExternalTokenVerifierOptions {
  readonly issuer: ExternalIssuer;
  /** The issuer's public keys; throws an AppError if the issuer does not answer. */
  readonly keys: JWTVerifyGetKey;
  readonly nowMs: () => number;
}

interface Claims {
  readonly caller: Caller;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/**
 * Finds the caller of an external issuer's access token. Such a token is valid until it expires and has user scopes
 * only.
 */
export class ExternalTokenVerifier {
  readonly #issuer: ExternalIssuer;
  readonly #keys: JWTVerifyGetKey;
  readonly #nowMs: () => number;
  readonly #tokens = new VerifiedTokens<Claims>({ check: (token) => this.#check(token) });

  constructor({ issuer, keys, nowMs }: ExternalTokenVerifierOptions) {
    this.#issuer = issuer;
    this.#keys = keys;
    this.#nowMs = nowMs;
  }

  /** The caller of a token that was verified before; undefined for every other one, which `verify` accepts or refuses. */
  known(token: string): Caller | undefined {
    const claims = token.length > MAX_TOKEN_LENGTH ? undefined : this.#tokens.known(token);
    return claims === undefined || this.#hasExpired(claims) ? undefined : claims.caller;
  }

  /** Rejects with `expired_token` or `invalid_token`, and with `unavailable` if the issuer's keys cannot be fetched. */
  async verify(token: string): Promise<Caller> {
    if (token.length > MAX_TOKEN_LENGTH) throw invalidToken();
    const claims = await this.#tokens.claimsOf(token);
    if (this.#hasExpired(claims)) throw expiredToken(claims.expiresAt, this.#nowMs());
    return claims.caller;
  }

  #hasExpired({ expiresAt }: Claims): boolean {
    return hasExpired(expiresAt, this.#nowMs());
  }

  async #check(token: string): Promise<Claims> {
    const nowMs = this.#nowMs();
    const { issuer, audience, userClaim } = this.#issuer;
    try {
      const { payload } = await jwtVerify(token, this.#keys, {
        algorithms: ALGORITHMS,
        issuer,
        audience,
        requiredClaims: [userClaim, 'exp'],
        ...timeOptions(nowMs),
      });
      checkIssueTime(payload, nowMs);
      return { caller: this.#toCaller(payload), expiresAt: payload.exp! };
    } catch (cause) {
      throw tokenError(cause, nowMs);
    }
  }

  #toCaller(payload: JWTPayload): Caller {
    const { issuer, userClaim, scopeClaim, tenantClaim } = this.#issuer;
    const userId = payload[userClaim];
    const tenant = tenantClaim === undefined ? DEFAULT_TENANT : payload[tenantClaim];
    if (typeof userId !== 'string' || !USER_ID_PATTERN.test(userId)) throw invalidToken();
    if (typeof tenant !== 'string' || !TENANT_PATTERN.test(tenant)) throw invalidToken();
    const scopes = toScopes(payload[scopeClaim]);
    // This takes the role of a key: limits count by it and the user, and logs show it.
    const key: ApiKey = { id: `${tenant}@${issuer}`, tenant, scopes, createdAt: payload.iat ?? 0 };
    return { tenant, scopes, key, userId };
  }
}

function toScopes(claim: unknown): readonly Scope[] {
  const words = Array.isArray(claim) ? claim.map(String) : String(claim ?? '').split(' ');
  return words.filter(isUserScope);
}
