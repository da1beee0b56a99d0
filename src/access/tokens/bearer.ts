import { AppError } from '@larder/core/errors.ts';
import { decodeJwt } from 'jose/jwt/decode';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Caller } from '../api-key.ts';
import type { KeyAuthenticator } from '../key-authenticator.ts';
import type { TokenVerifier } from './token-verifier.ts';
import { invalidToken } from './verified-tokens.ts';

export interface CredentialPorts {
  readonly authenticator: Pick<KeyAuthenticator, 'authenticate'>;
  /** Verifies our own tokens. */
  readonly verifier: Pick<TokenVerifier, 'verify'>;
  /** Verifies tokens of another issuer, if configured. */
  readonly external?:
    | { readonly issuer: string; readonly verify: (token: string) => MaybePromise<Caller> }
    | undefined;
}

const THREE_PARTS = /^[^.]*\.[^.]*\.[^.]*$/;

/**
 * Creates the function that identifies callers by their credential. A bearer credential with the three parts of a JWT
 * is an access token; any other credential is a key.
 */
export function createAuthentication({
  authenticator,
  verifier,
  external,
}: CredentialPorts): (credential: string, kind: string) => MaybePromise<Caller> {
  return (credential, kind) => {
    if (!THREE_PARTS.test(credential)) return authenticator.authenticate(credential);
    if (kind !== 'bearer') return Promise.reject(tokenInsteadOfKey());
    try {
      if (external !== undefined && issuerOf(credential) === external.issuer)
        return external.verify(credential);
    } catch (refusal) {
      return Promise.reject(refusal);
    }
    return verifier.verify(credential);
  };
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
