import type { Authenticator } from './authenticator.ts';
import { type Caller, keyCaller } from './caller.ts';
import type { TokenVerifier } from './token-verifier.ts';

export interface BearerPorts {
  readonly authenticator: Authenticator;
  readonly verifier: TokenVerifier;
}

/** Tells who sends a bearer credential: an access token has the three parts of a JWT, anything else is a key or nothing. */
export async function identifyBearer(
  credential: string,
  { authenticator, verifier }: BearerPorts,
): Promise<Caller> {
  if (credential.split('.', 4).length === 3) return verifier.verify(credential);
  return keyCaller(await authenticator.authenticate(credential));
}
