import { decodeJwt } from 'jose';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import type { Authenticator } from './authenticator.ts';
import { type Caller, keyCaller } from './caller.ts';
import { invalidToken } from './token-errors.ts';
import type { TokenVerifier } from './token-verifier.ts';

export interface BearerPorts {
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  /** Of tokens of our own. */
  readonly verifier: Pick<TokenVerifier, 'verify'>;
  /** Of tokens of another issuer, where one is configured. */
  readonly outside?: { readonly issuer: string; readonly verify: (token: string) => Promise<Caller> };
}

/** Tells who sends a bearer credential: an access token has the three parts of a JWT, anything else is a key or nothing. */
export function identifyBearer(credential: string, ports: BearerPorts): MaybePromise<Caller> {
  const { authenticator, verifier, outside } = ports;
  if (credential.split('.', 4).length !== 3)
    return andThen(authenticator.authenticate(credential), keyCaller);
  try {
    if (outside !== undefined && issuerOf(credential) === outside.issuer) return outside.verify(credential);
  } catch (refusal) {
    return Promise.reject(refusal);
  }
  return verifier.verify(credential);
}

/** Whose token it says it is: decides only who checks that. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch (cause) {
    throw invalidToken(cause);
  }
}
