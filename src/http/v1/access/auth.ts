import type { JWK } from 'jose';
import { z } from 'zod';
import type { ApiKey } from '../../../access/api-key.ts';
import type { IssuedToken, TokenRequest } from '../../../access/token-issuer.ts';
import { readBody } from '../../server/bodies.ts';
import { BODY_LIMITS } from '../../server/limits.ts';
import type { Route } from '../../server/route.ts';

const JWKS_MAX_AGE_SECONDS = 300;
const EXAMPLE_KEY = 'lrd_1xUf0O1ZNLc9…';

export interface AuthRoutesPorts {
  readonly issueToken: (request: TokenRequest & { key: ApiKey }) => Promise<IssuedToken>;
  readonly publicJwks: () => Promise<{ keys: JWK[] }>;
}

const tokenRequest = z.strictObject({
  grant_type: z.literal('client_credentials').optional(),
  client_id: z.string().optional().describe('Ignored; the key says whose it is.'),
  client_secret: z.string().describe('An API key.'),
  user_id: z.string().describe('The user of your app whom the token is for.'),
  scope: z
    .string()
    .optional()
    .describe(
      'Separated by spaces; without it all that the key has but `foods:write`, which a token has only where it is asked ' +
        'for. Never `admin` or `metrics`.',
    ),
});

const tokenAnswer = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int().describe('Seconds.'),
  scope: z.string(),
});

/** Access tokens for single users (OAuth 2 client credentials, RFC 6749 4.4), and the keys that verify them. */
export function authRoutes({ issueToken, publicJwks }: AuthRoutesPorts): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/auth/token',
      access: { credential: 'client-secret' },
      operation: 'token',
      acceptsForm: true,
      answersSecret: true,
      bodyLimit: BODY_LIMITS.fields,
      docs: {
        tag: 'Access (v1)',
        operationId: 'createToken',
        summary: 'Get an access token for one user',
        description: 'As JSON, or as a form the way OAuth 2 clients send it.',
        body: {
          schema: tokenRequest,
          example: { client_secret: EXAMPLE_KEY, user_id: 'ann', scope: 'diary:read diary:write' },
        },
        answer: {
          description: 'The token.',
          schema: tokenAnswer,
          example: {
            access_token: 'eyJ…',
            token_type: 'Bearer',
            expires_in: 900,
            scope: 'diary:read diary:write',
          },
        },
      },
      handle: async ({ caller, body }) => {
        const { user_id: userId, scope } = readBody(tokenRequest, body);
        const { token, expiresInSeconds, scopes } = await issueToken({
          key: caller!.key,
          userId,
          ...(scope !== undefined && { scope }),
        });
        return JSON.stringify({
          access_token: token,
          token_type: 'Bearer',
          expires_in: expiresInSeconds,
          scope: scopes.join(' '),
        });
      },
    },
    {
      method: 'GET',
      path: '/.well-known/jwks.json',
      access: 'public',
      operation: 'other',
      docs: {
        tag: 'Access (v1)',
        operationId: 'getTokenKeys',
        summary: 'Public keys that verify access tokens (JSON Web Key Set)',
        answer: {
          description: 'The keys.',
          schema: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
          example: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: '…', kid: '…', alg: 'EdDSA', use: 'sig' }] },
        },
      },
      handle: async (_request, reply) => {
        reply.header('cache-control', `public, max-age=${JWKS_MAX_AGE_SECONDS}`);
        return JSON.stringify(await publicJwks());
      },
    },
  ];
}
