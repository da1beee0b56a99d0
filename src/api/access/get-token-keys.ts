import { z } from 'zod';
import type { SigningKeyRing } from '../../access/tokens/signing-keys.ts';
import { operation } from '../operation.ts';

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
