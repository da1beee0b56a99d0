import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLE_NEW_FOOD } from '../../src/api/foods/food-input.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const SCOPES = ['foods:read', 'foods:write', 'diary:read', 'diary:write', 'diary:erase'] as const;
const NAMES = ['Quince jelly', 'Quince jelly, dark', 'Quince jelly, home made'];

let fixture: TestServer;
let key: string;
const ids = new Map<string, string>();
beforeAll(async () => {
  fixture = await openTestServer();
  key = await fixture.createKey(SCOPES, undefined, 'acme');
  for (const name of NAMES) {
    const payload = { ...EXAMPLE_NEW_FOOD, name, barcode: undefined, aliases: [] };
    ids.set(name, (await send('POST', '/v1/foods', { payload })).json().id);
  }
});
afterAll(() => fixture[Symbol.asyncDispose]());

function send(
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  { as = key, payload = undefined as unknown } = {},
) {
  return fixture.ask({
    method,
    url,
    headers: { authorization: `Bearer ${as}` },
    ...(payload !== undefined && { payload: payload as object }),
  });
}

const eat = (userId: string, ...names: readonly string[]) =>
  send('POST', `/v1/users/${userId}/diary/batch`, {
    payload: names.map((name) => ({
      date: '2026-01-31',
      mealType: 'breakfast',
      foodId: ids.get(name),
      quantity: 1,
      unit: 'serving',
    })),
  });

async function found(query: string, as = key): Promise<string[]> {
  const answer = await send('GET', `/v1/foods/search?${query}`, { as });
  expect(answer.statusCode).toBe(200);
  return answer.json().map(({ name }: { name: string }) => name);
}

async function tokenFor(userId: string): Promise<string> {
  const payload = { grant_type: 'client_credentials', client_secret: key, user_id: userId };
  return (await fixture.ask({ method: 'POST', url: '/v1/auth/token', payload })).json().access_token;
}

describe('search with userId', () => {
  it('ranks foods that the user eats first, by frequency, and follows the diary', async () => {
    expect(await found('q=quince%20jelly&userId=nobody')).toEqual(await found('q=quince%20jelly'));
    await eat('anna', NAMES[2]!);
    expect((await found('q=quince&userId=anna'))[0]).toBe(NAMES[2]);
    await eat('anna', NAMES[1]!, NAMES[1]!);
    expect(await found('q=quin&userId=anna')).toEqual([NAMES[1], NAMES[2], NAMES[0]]);
    expect((await found('q=quince%20jelly'))[0]).toBe(NAMES[0]);
    await send('DELETE', '/v1/users/anna');
    expect(await found('q=quin&userId=anna')).toEqual(await found('q=quin'));
  });

  it('returns only foods that match the query', async () => {
    await eat('ben', NAMES[1]!);
    expect(await found('q=hazelnut%20spread&userId=ben')).not.toContain(NAMES[1]);
  });

  it('rejects tokens of other users and hides the diary from other tenants', async () => {
    await eat('cora', NAMES[2]!);
    expect((await found('q=quince&userId=cora', await tokenFor('cora')))[0]).toBe(NAMES[2]);
    const stranger = await send('GET', '/v1/foods/search?q=quince&userId=cora', {
      as: await tokenFor('dan'),
    });
    expect([stranger.statusCode, stranger.json().error.code]).toEqual([403, 'forbidden']);
    const other = await fixture.createKey(SCOPES, undefined, 'other');
    expect(await found('q=quince&userId=cora', other)).toEqual([]);
  });

  it('needs the scope diary:read', async () => {
    const as = await fixture.createKey(['foods:read'], undefined, 'acme');
    const refused = await send('GET', '/v1/foods/search?q=quince&userId=cora', { as });
    expect([refused.statusCode, refused.json().error.details]).toEqual([403, { scope: 'diary:read' }]);
    expect((await send('GET', '/v1/foods/search?q=quince', { as })).statusCode).toBe(200);
  });

  it.each(['userId=', 'userId=a%20b', 'userId=a&userId=b'])('rejects %s', async (query) => {
    const refused = await send('GET', `/v1/foods/search?q=quince&${query}`);
    expect([refused.statusCode, refused.json().error.details]).toEqual([400, { parameter: 'userId' }]);
  });
});
