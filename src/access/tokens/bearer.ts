import { AppError } from '@larder/core/errors.ts';
import { decodeJwt } from 'jose/jwt/decode';
import type { Caller } from '../api-key.ts';
import type { KeyAuthenticator } from '../key-authenticator.ts';
import type { TokenVerifier } from './token-verifier.ts';
import { invalidToken } from './verified-tokens.ts';

type Verifier = Pick<TokenVerifier, 'known' | 'verify'>;

export interface CredentialOptions {
  readonly authenticator: Pick<KeyAuthenticator, 'known' | 'authenticate'>;
  /** Verifies our own tokens. */
  readonly verifier: Verifier;
  /** Verifies tokens of another issuer, if configured. */
  readonly external?: (Verifier & { readonly issuer: string }) | undefined;
}

const THREE_PARTS = /^[^.]*\.[^.]*\.[^.]*$/;

/**
 * Identifies callers by their credential. Only a bearer credential may be an access token: where it has the three parts of a
 * JWT. Without these it is a key.
 */
export class Authentication {
  readonly #options: CredentialOptions;

  constructor(options: CredentialOptions) {
    this.#options = options;
  }

  /** The caller if it is known without waiting; undefined also for a credential that `authenticate` refuses. */
  known(credential: string, kind: string): Caller | undefined {
    const { authenticator, verifier, external } = this.#options;
    if (!THREE_PARTS.test(credential)) return authenticator.known(credential);
    if (kind !== 'bearer') return undefined;
    return verifier.known(credential) ?? external?.known(credential);
  }

  /** Rejects with the AppError that refuses the credential. */
  async authenticate(credential: string, kind: string): Promise<Caller> {
    const { authenticator, verifier, external } = this.#options;
    if (!THREE_PARTS.test(credential)) return authenticator.authenticate(credential);
    if (kind !== 'bearer') throw tokenInsteadOfKey();
    if (external !== undefined && issuerOf(credential) === external.issuer)
      return external.verify(credential);
    return verifier.verify(credential);
  }
}

/**
 * The error for a token in the header of a key. It depends on the form only, so that it does not reveal whether the
 * token is valid.
 */
function tokenInsteadOfKey(): AppError {
  return new AppError({
    code: 'invalid_api_key',
    message:
      'This has the form of an access token, and here only an API key is taken. Send tokens to /v1, as "Authorization: Bearer <token>".',
  });
}

/** The issuer claimed by the token, unverified: it only selects the verifier. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch (cause) {
    throw invalidToken(cause);
  }
}
