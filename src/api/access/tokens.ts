import { z } from 'zod';
import type { SigningKeyRing } from '../../access/tokens/signing-keys.ts';
import type { TokenIssuer } from '../../access/tokens/token-issuer.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import { userIdText } from '../text-schemas.ts';

const tokenRequest = z
  .strictObject({
    grant_type: z.literal('client_credentials').optional(),
    client_id: z.string().optional().describe('Ignored: the key identifies the tenant.'),
    client_secret: z.string().optional().describe('An API key, unless it is sent by HTTP Basic.'),
    user_id: userIdText.describe('The user of your app for whom the token is.'),
    scope: z
      .string()
      .optional()
      .describe(
        'Separated by spaces; without it all that the key has but `foods:write`, which a token has only where it is asked ' +
          'for. Never `admin`, `metrics` or `operator`.',
      ),
  })
  .meta({ id: 'TokenInput' });

const tokenAnswer = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().describe('Seconds.'),
    scope: z.string(),
  })
  .meta({ id: 'Token' });

/** OAuth 2 client credentials (RFC 6749, 4.4). */
export const createToken = operation({
  method: 'POST',
  path: '/v1/auth/token',
  id: 'createToken',
  tag: 'Access',
  summary: 'Get an access token for one user',
  description:
    'As JSON, or as a form the way OAuth 2 clients send it (RFC 6749, 4.4). The key is `client_secret`, or the password of HTTP Basic; ' +
    'the name of the client may be any. Errors are those of RFC 6749, 5.2.',
  access: { credential: 'client-secret' },
  counts: 'token',
  body: {
    schema: tokenRequest,
    example: { client_secret: 'lrd_1xUf0O1ZNLc9…', user_id: 'ann', scope: 'diary:read diary:write' },
    limit: BODY_LIMITS.fields,
    form: true,
  },
  answer: {
    description: 'The token.',
    schema: tokenAnswer,
    example: { access_token: 'eyJ…', token_type: 'Bearer', expires_in: 900, scope: 'diary:read diary:write' },
    holdsSecret: true,
  },
  handle: async ({ caller, body: { user_id: userId, scope } }, { tokens }: { tokens: TokenIssuer }) => {
    const issued = await tokens.issue({
      key: caller.key,
      shares: caller.shares,
      userId,
      ...(scope !== undefined && { scope }),
    });
    return {
      value: {
        access_token: issued.token,
        token_type: 'Bearer',
        expires_in: issued.expiresInSeconds,
        scope: issued.scopes.join(' '),
      },
    };
  },
});

/** RFC 8037. */
const tokenKey = z
  .object({
    kty: z.string(),
    crv: z.string(),
    x: z.string(),
    kid: z.string(),
    alg: z.string(),
    use: z.string(),
  })
  .meta({ id: 'TokenKey', description: 'A public key as a JSON Web Key.' });

const MAX_AGE_SECONDS = 300;

export const getTokenKeys = operation({
  method: 'GET',
  path: '/.well-known/jwks.json',
  id: 'getTokenKeys',
  tag: 'Access',
  summary: 'Public keys that verify access tokens (JSON Web Key Set)',
  access: 'public',
  counts: 'other',
  answer: {
    description: 'The keys.',
    schema: z.object({ keys: z.array(tokenKey) }).meta({ id: 'TokenKeys' }),
    example: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: '…', kid: '…', alg: 'EdDSA', use: 'sig' }] },
  },
  handle: async (_request, { signingKeys }: { signingKeys: SigningKeyRing }) => ({
    headers: { 'cache-control': `public, max-age=${MAX_AGE_SECONDS}` },
    body: JSON.stringify(await signingKeys.publicJwks()),
  }),
});
