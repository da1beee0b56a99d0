import { AppError } from '@larder/core/errors.ts';
import { SignJWT } from 'jose/jwt/sign';
import {
  type ApiKey,
  DEFAULT_USER_SCOPES,
  isUserScope,
  type Scope,
  type Shares,
  USER_ID_PATTERN,
} from '../api-key.ts';
import { SIGNING_ALGORITHM, type SigningKeyRing, TOKEN_LIFETIME_SECONDS } from './signing-keys.ts';

/** The `typ` that distinguishes an access token from other JWTs (RFC 9068, 2.1). */
export const TOKEN_TYPE = 'at+jwt';
export const TOKEN_ISSUER = 'larder';
export const TOKEN_AUDIENCE = 'larder';

export interface TokenRequest {
  readonly key: ApiKey;
  /** `Caller.shares` of the key. */
  readonly shares?: Shares | undefined;
  readonly userId: string;
  /** Scopes separated by spaces; by default all of the key that are in `DEFAULT_USER_SCOPES`. */
  readonly scope?: string;
}

export interface IssuedToken {
  readonly token: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly Scope[];
}

/** Issues short-lived tokens for one user from a key of the user's tenant. */
export class TokenIssuer {
  readonly #ring: SigningKeyRing;
  readonly #nowMs: () => number;

  constructor({ ring, nowMs }: { ring: SigningKeyRing; nowMs: () => number }) {
    this.#ring = ring;
    this.#nowMs = nowMs;
  }

  /**
   * Throws `invalid_request` for a malformed user id and for scopes that the key cannot give, and `forbidden` for a person's key, and
   * for another person than the one who made the key: a token is its user, whatever the user shares.
   */
  async issue({ key, shares, userId, scope }: TokenRequest): Promise<IssuedToken> {
    if (key.userId !== undefined) {
      throw new AppError({
        code: 'forbidden',
        message: 'The key of a person gives no tokens; send the key itself as "Authorization: Bearer <key>".',
      });
    }
    if (shares?.has(userId)) {
      throw new AppError({
        code: 'forbidden',
        message:
          'This user is another person of the household than the one who made this key. Send the key itself for what they share, or a key that they made.',
      });
    }
    if (!USER_ID_PATTERN.test(userId)) {
      throw invalidField('user_id', 'user_id is 1 to 128 printable ASCII characters without spaces.');
    }
    const scopes = narrow(key, scope);
    const signing = await this.#ring.signing();
    const nowSeconds = Math.floor(this.#nowMs() / 1000);
    const expiresAt = Math.min(
      nowSeconds + TOKEN_LIFETIME_SECONDS,
      key.expiresAt ?? Number.POSITIVE_INFINITY,
    );
    const token = await new SignJWT({ client_id: key.id, scope: scopes.join(' ') })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: TOKEN_TYPE, kid: signing.kid })
      .setIssuer(TOKEN_ISSUER)
      .setAudience(TOKEN_AUDIENCE)
      .setSubject(userId)
      .setIssuedAt(nowSeconds)
      .setExpirationTime(expiresAt)
      .sign(signing.key);
    return { token, expiresInSeconds: expiresAt - nowSeconds, scopes };
  }
}

/** The scopes of the token: the requested ones, or the default ones of the key. */
function narrow(key: ApiKey, scope: string | undefined): readonly Scope[] {
  const grantable: readonly Scope[] = key.scopes.filter(isUserScope);
  if (scope === undefined) return grantable.filter((held) => DEFAULT_USER_SCOPES.includes(held));
  const wanted = scope.split(' ').filter((word) => word !== '');
  const refused = wanted.filter((word) => !isUserScope(word) || !grantable.includes(word));
  if (refused.length > 0 || wanted.length === 0) {
    throw invalidField(
      'scope',
      `"scope" must be out of what this key can give a token: ${grantable.join(' ') || 'nothing'}.`,
    );
  }
  return grantable.filter((held) => wanted.includes(held));
}

function invalidField(field: string, message: string): AppError {
  return new AppError({ code: 'invalid_request', message, details: { fields: [field] } });
}
