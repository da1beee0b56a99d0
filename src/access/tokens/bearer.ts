import { decodeJwt } from 'jose/jwt/decode';
import { andThen, type MaybePromise } from '../../maybe-promise.ts';
import { type Caller, keyCaller } from '../caller.ts';
import type { KeyAuthenticator } from '../key-authenticator.ts';
import type { TokenVerifier } from './token-verifier.ts';
import { invalidToken } from './verified-tokens.ts';

export interface BearerPorts {
  readonly authenticator: Pick<KeyAuthenticator, 'authenticate'>;
  /** Verifies our own tokens. */
  readonly verifier: Pick<TokenVerifier, 'verify'>;
  /** Verifies tokens of another issuer, if configured. */
  readonly external?: { readonly issuer: string; readonly verify: (token: string) => MaybePromise<Caller> };
}

const THREE_PARTS = /^[^.]*\.[^.]*\.[^.]*$/;

/**
 * Identifies the caller of a bearer credential: with the three parts of a JWT it is an access token, otherwise a key.
 */
export function identifyBearer(credential: string, ports: BearerPorts): MaybePromise<Caller> {
  const { authenticator, verifier, external } = ports;
  if (!THREE_PARTS.test(credential)) return andThen(authenticator.authenticate(credential), keyCaller);
  try {
    if (external !== undefined && issuerOf(credential) === external.issuer)
      return external.verify(credential);
  } catch (refusal) {
    return Promise.reject(refusal);
  }
  return verifier.verify(credential);
}

/** The issuer claimed by the token, unverified: it only selects the verifier. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch (cause) {
    throw invalidToken(cause);
  }
}
