import { type Check, QUICK_MS } from '../check.ts';

/** A valid but unknown key. */
const WRONG_KEY = `lrd_${'0'.repeat(61)}`;

export const refusalChecks: readonly Check[] = [
  {
    name: 'unknown addresses and methods',
    scopes: undefined,
    timeoutMs: QUICK_MS,
    async run(session) {
      for (const path of [`/nowhere-${session.mark}`, `/v1/nowhere-${session.mark}`]) {
        (await session.ask('GET', path, { as: 'nobody' })).expectError(404, 'not_found');
      }
      const wrongMethod = await session.ask('DELETE', '/v1/foods/search', { as: 'nobody' });
      wrongMethod.expectError(405, 'method_not_allowed').expectHeader('allow', /\bGET\b/);
      const named = { as: 'nobody', headers: { 'x-request-id': session.mark } } as const;
      (await session.ask('GET', '/healthz', named)).expectHeader(
        'x-request-id',
        new RegExp(`^${session.mark}$`),
      );
    },
  },
  {
    name: 'no entry without a good key',
    scopes: undefined,
    timeoutMs: QUICK_MS,
    async run(session) {
      const doors = [
        ['GET', '/v1/foods/search?q=milk'],
        ['GET', '/foods/search?q=milk'],
        ['GET', `${session.user}/diary?date=2020-01-01`],
        ['GET', '/metrics'],
      ] as const;
      for (const [method, path] of doors) {
        const answer = await session.ask(method, path, { as: 'nobody' });
        answer.expectError(401, 'invalid_api_key').expectHeader('www-authenticate', /./);
      }
      const search = (headers: Record<string, string>, prefix: string) =>
        session.ask('GET', `${prefix}/foods/search?q=milk`, { as: 'nobody', headers });
      const wrong = [
        await search({ authorization: `Bearer ${WRONG_KEY}` }, '/v1'),
        await search({ 'x-api-key': WRONG_KEY }, ''),
      ];
      for (const answer of wrong) answer.expectError(401, 'invalid_api_key');
      (await search({ authorization: 'Bearer a.b.c' }, '/v1')).expectError(401, 'invalid_token');
    },
  },
];
