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
  readonly outside?: { readonly issuer: string; readonly verify: (token: string) => MaybePromise<Caller> };
}

/** Tells who sends a bearer credential: an access token has the three parts of a JWT, anything else is a key or nothing. */
export function identifyBearer(credential: string, ports: BearerPorts): MaybePromise<Caller> {
  const { authenticator, verifier, outside } = ports;
  if (!hasThreeParts(credential)) return andThen(authenticator.authenticate(credential), keyCaller);
  try {
    if (outside !== undefined && issuerOf(credential) === outside.issuer) return outside.verify(credential);
  } catch (refusal) {
    return Promise.reject(refusal);
  }
  return verifier.verify(credential);
}

function hasThreeParts(credential: string): boolean {
  const first = credential.indexOf('.');
  if (first === -1) return false;
  const second = credential.indexOf('.', first + 1);
  return second !== -1 && !credential.includes('.', second + 1);
}

/** Whose token it says it is: decides only who checks that. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch (cause) {
    throw invalidToken(cause);
  }
}
