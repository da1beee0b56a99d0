import { z } from 'zod';
import { type Check, QUICK_MS } from '../check.ts';

const DESCRIBED = {
  '/openapi.json': [
    '/v1/foods/search',
    '/v1/foods/barcode/{upc}',
    '/v1/scan/image',
    '/v1/users/{userId}/diary',
  ],
  '/openapi-unversioned.json': ['/foods/search', '/foods/barcode/{upc}', '/scan/image'],
};

const openApi = z.object({
  openapi: z.string().regex(/^3\./),
  paths: z.record(z.string(), z.unknown()),
});

/** Public keys only: `d` would be the private half (RFC 8037, section 2). */
const keySet = z.object({
  keys: z.array(z.looseObject({ kid: z.string(), kty: z.string(), d: z.never().optional() })),
});

export const documentChecks: readonly Check[] = [
  {
    name: 'documents',
    scopes: undefined,
    timeoutMs: QUICK_MS,
    async run(session) {
      for (const [address, described] of Object.entries(DESCRIBED)) {
        const answer = (await session.ask('GET', address, { as: 'nobody' })).expect(200);
        const { paths } = answer.read(openApi);
        const missing = described.filter((path) => !(path in paths));
        if (missing.length > 0) answer.fail(`describes no ${missing.join(', ')}`);
      }
      const page = (await session.ask('GET', '/docs', { as: 'nobody' })).expect(200);
      page.expectHeader('content-type', /^text\/html/);
      (await session.ask('GET', '/.well-known/jwks.json', { as: 'nobody' })).expect(200).read(keySet);
    },
  },
];
