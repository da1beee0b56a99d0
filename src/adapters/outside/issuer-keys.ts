import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { AppError } from '../../errors.ts';

const TIMEOUT_MS = 5_000;
const MAX_DOCUMENT_CHARACTERS = 100_000;
/** How often at most the keys are fetched anew when a token names an unknown one, and how long they are kept. */
const COOLDOWN_MS = 30_000;
const MAX_AGE_MS = 600_000;

/**
 * The public keys of an OpenID issuer, found by OpenID Connect Discovery 1.0 when they are first needed. Throws
 * `unavailable` while the issuer cannot be asked; the next request asks again.
 */
export function issuerKeys(issuer: string): JWTVerifyGetKey {
  let found: Promise<JWTVerifyGetKey> | undefined;
  return async (header, token) => {
    found ??= discover(issuer);
    try {
      const keys = await found;
      return await keys(header, token);
    } catch (cause) {
      if (cause instanceof errors.JWKSNoMatchingKey || cause instanceof errors.JWKSMultipleMatchingKeys)
        throw cause;
      found = undefined;
      throw unreachable(cause);
    }
  };
}

async function discover(issuer: string): Promise<JWTVerifyGetKey> {
  const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  });
  if (!response.ok) throw new Error(`the issuer's discovery document answers ${response.status}`);
  const text = await response.text();
  const document = text.length > MAX_DOCUMENT_CHARACTERS ? {} : JSON.parse(text);
  // Discovery 1.0, 4.3: "The issuer value returned MUST be identical to the Issuer URL".
  if (document.issuer !== issuer) throw new Error(`the discovery document is that of ${document.issuer}`);
  return createRemoteJWKSet(new URL(document.jwks_uri), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: MAX_AGE_MS,
  });
}

function unreachable(cause: unknown): AppError {
  return new AppError({
    code: 'unavailable',
    message: 'The issuer of this access token cannot be asked for its keys; try again in a moment.',
    cause,
  });
}
