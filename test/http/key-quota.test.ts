import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const KEYS = 5;

let fixture: TestServer;
beforeAll(async () => {
  fixture = await openTestServer({ settings: { LARDER_KEYS_PER_TENANT: String(KEYS) } });
});
afterAll(() => fixture[Symbol.asyncDispose]());

/** Uses its own tenant, which has one key. */
async function asTenant(tenant: string) {
  const key = await fixture.createKey(['foods:read', 'admin'], undefined, tenant);
  return (method: 'POST' | 'DELETE', path: string, payload?: object) =>
    fixture.ask({
      method,
      url: `/v1/keys${path}`,
      headers: { authorization: `Bearer ${key}` },
      ...(payload !== undefined && { payload }),
    });
}

test('a tenant cannot exceed its quota of keys with concurrent requests', async () => {
  const ask = await asTenant('acme');
  const answers = await Promise.all(
    Array.from({ length: 4 * KEYS }, () => ask('POST', '', { scopes: ['foods:read'] })),
  );
  const created = answers.filter(({ statusCode }) => statusCode === 201).map((answer) => answer.json().id);
  expect(created).toHaveLength(KEYS - 1);
  const refused = answers.find(({ statusCode }) => statusCode !== 201)!;
  expect([refused.statusCode, refused.json().error]).toEqual([
    403,
    expect.objectContaining({
      code: 'quota_exceeded',
      message: expect.stringContaining('revoke some'),
      details: { quota: 'keys', limit: KEYS, used: KEYS },
    }),
  ]);
  expect((await (await asTenant('other'))('POST', '', { scopes: ['admin'] })).statusCode).toBe(201);

  expect((await ask('DELETE', `/${created[0]}`)).statusCode).toBe(204);
  expect((await ask('POST', '', { scopes: ['foods:read'] })).statusCode).toBe(201);
  expect((await ask('POST', '', { scopes: ['foods:read'] })).statusCode).toBe(403);
});

test('a tenant at its quota can rotate its keys, with one overlap at a time', async () => {
  const ask = await asTenant('full');
  const ids: string[] = [];
  for (let at = 1; at < KEYS; at++) ids.push((await ask('POST', '', { scopes: ['foods:read'] })).json().id);
  expect((await ask('POST', `/${ids[0]}/rotate`, {})).statusCode).toBe(201);
  expect((await ask('POST', `/${ids[1]}/rotate`, { overlapSeconds: 60 })).statusCode).toBe(201);
  const refused = await ask('POST', `/${ids[2]}/rotate`, { overlapSeconds: 60 });
  expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'quota_exceeded']);
});
