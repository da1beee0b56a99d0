import { z } from 'zod';
import { type Check, QUICK_MS } from '../check.ts';
import { diaryEntry, oauthError, token } from '../shapes.ts';

const DATE = '2020-02-29';
const WRONG_KEY = `lrd_${'0'.repeat(61)}`;

export const tokenChecks: readonly Check[] = [
  {
    name: 'a token reaches its own user alone',
    scopes: ['diary:read'],
    timeoutMs: QUICK_MS,
    async run(session) {
      const issue = (client_secret: string) =>
        session.ask('POST', '/v1/auth/token', {
          as: 'nobody',
          body: { client_secret, user_id: session.userId, scope: 'diary:read' },
        });
      const issued = (await issue(session.key)).expect(200);
      const { access_token: bearer, scope } = issued.read(token);
      issued.expectSame('scope', scope, 'diary:read');
      const unknown = (await issue(WRONG_KEY)).expect(401);
      unknown.expectSame('error', unknown.read(oauthError).error, 'invalid_client');

      const as = { bearer };
      const own = (await session.ask('GET', `${session.user}/diary?date=${DATE}`, { as })).expect(200);
      own.read(z.array(diaryEntry));
      const other = await session.ask('GET', `${session.user}-other/diary?date=${DATE}`, { as });
      other.expectError(403, 'forbidden');
      const write = await session.ask('DELETE', session.user, { as });
      write.expectError(403, 'forbidden');
      (await session.ask('GET', '/metrics', { as })).expectError(403, 'forbidden');
      const elsewhere = await session.ask('GET', '/foods/search?q=milk', {
        as: 'nobody',
        headers: { 'x-api-key': bearer },
      });
      elsewhere.expect(401);

      // One changed letter in the signature.
      const forged = bearer.slice(0, -2) + (bearer.at(-2) === 'A' ? 'B' : 'A') + bearer.at(-1);
      const refused = await session.ask('GET', `${session.user}/diary?date=${DATE}`, {
        as: { bearer: forged },
      });
      refused.expectError(401, 'invalid_token');
    },
  },
];
