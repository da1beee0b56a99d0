import { z } from 'zod';
import type { SigningKeyRing } from '../../../access/tokens/signing-keys.ts';
import { operation } from '../../server/operation.ts';

const MAX_AGE_SECONDS = 300;

export const getTokenKeys = operation({
  method: 'GET',
  path: '/.well-known/jwks.json',
  id: 'getTokenKeys',
  tag: 'Access (v1)',
  summary: 'Public keys that verify access tokens (JSON Web Key Set)',
  access: 'public',
  counts: 'other',
  answer: {
    description: 'The keys.',
    schema: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).meta({ id: 'TokenKeys' }),
    example: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: '…', kid: '…', alg: 'EdDSA', use: 'sig' }] },
  },
  handle:
    ({ signingKeys }: { signingKeys: SigningKeyRing }) =>
    async () => ({
      headers: { 'cache-control': `public, max-age=${MAX_AGE_SECONDS}` },
      body: JSON.stringify(await signingKeys.publicJwks()),
    }),
});
