import { afterAll, expect, it } from 'vitest';
import { openTestServer } from '../support/test-server.ts';

const fixture = await openTestServer();
afterAll(() => fixture[Symbol.asyncDispose]());
const acme = await fixture.createKey(
  ['admin', 'diary:write', 'diary:erase', 'foods:write'],
  undefined,
  'acme',
);
const other = await fixture.createKey(['admin', 'diary:write', 'diary:erase'], undefined, 'other');

function ask(key: string, method: string, url: string, payload?: object) {
  const headers = { authorization: `Bearer ${key}` };
  return fixture.ask({ method, url, headers, ...(payload && { payload }) });
}

const idsOf = async (key: string) =>
  (await ask(key, 'GET', '/v1/users')).json().map(({ id }: { id: string }) => id);

it('a tenant lists its own users with a diary, until they are erased', async () => {
  expect(await idsOf(acme)).toEqual([]);
  // A custom food of the tenant does not create a user.
  await ask(acme, 'POST', '/v1/foods', {
    name: 'Soup',
    servingSize: { value: 100, unit: 'g' },
    macros: { energy: 40, protein: 1, fat: 1, carbohydrates: 6 },
  });
  for (const id of ['cem', 'ann', 'b/o&b'])
    await ask(acme, 'PUT', `/v1/users/${encodeURIComponent(id)}/goals`, { calories: 2_000 });
  await ask(other, 'PUT', '/v1/users/dan/goals', { calories: 2_000 });
  expect((await idsOf(acme)).toSorted()).toEqual(['ann', 'b/o&b', 'cem']);
  expect(await idsOf(other)).toEqual(['dan']);
  await ask(acme, 'DELETE', '/v1/users/ann');
  expect((await idsOf(acme)).toSorted()).toEqual(['b/o&b', 'cem']);
});

it('pages continue after any id', async () => {
  const first = await ask(acme, 'GET', '/v1/users?limit=1');
  const next = /^<([^>]+)>/.exec(String(first.headers['link']))![1]!;
  const second = await ask(acme, 'GET', next);
  expect([...first.json(), ...second.json()].map(({ id }) => id).toSorted()).toEqual(['b/o&b', 'cem']);
});
