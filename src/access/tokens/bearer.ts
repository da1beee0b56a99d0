import { decodeJwt } from 'jose/jwt/decode';
import type { MaybePromise } from '../../maybe-promise.ts';
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
 * Makes what identifies callers by their credential. Only a bearer credential may be an access token: where it has the three
 * parts of a JWT. All others are keys.
 */
export function createAuthentication({
  authenticator,
  verifier,
  external,
}: CredentialPorts): (credential: string, kind: string) => MaybePromise<Caller> {
  return (credential, kind) => {
    if (kind !== 'bearer' || !THREE_PARTS.test(credential)) return authenticator.authenticate(credential);
    try {
      if (external !== undefined && issuerOf(credential) === external.issuer)
        return external.verify(credential);
    } catch (refusal) {
      return Promise.reject(refusal);
    }
    return verifier.verify(credential);
  };
}

/** The issuer claimed by the token, unverified: it only selects the verifier. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch (cause) {
    throw invalidToken(cause);
  }
}
