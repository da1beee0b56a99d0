import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { parseObjectKey } from '../../src/blobs/object-store.ts';
import { sql } from '../../src/db/sql.ts';
import { clusterSettings } from '../support/cluster-settings.ts';
import { PATIENCE } from '../support/patience.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const SCOPES = ['foods:read', 'foods:write', 'diary:read', 'diary:write', 'diary:erase'] as const;
const AMOUNTS = { calories: 100, protein: 1, carbs: 2, fat: 3 };
const ENTRY = { date: '2030-01-01', mealType: 'lunch', foodName: 'Soup', ...AMOUNTS };

describe.skipIf(inject('cluster') === undefined)('two nodes', () => {
  let here: TestServer;
  let there: TestServer;
  let key: string;
  beforeAll(async () => {
    const cluster = await clusterSettings();
    [here, there] = await Promise.all([
      openTestServer({ cluster, limited: true }),
      openTestServer({ cluster, limited: true }),
    ]);
    key = await here.createKey(SCOPES);
  });
  afterAll(() => Promise.all([here, there].map((node) => node[Symbol.asyncDispose]())));

  const ask = (
    node: TestServer,
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    { payload, credential = key, name }: { payload?: object; credential?: string; name?: string } = {},
  ) =>
    node.ask({
      method,
      url,
      ...(payload && { payload }),
      headers: { authorization: `Bearer ${credential}`, ...(name && { 'idempotency-key': name }) },
    });

  async function enterFood(name: string): Promise<void> {
    const macros = { energy: 250, protein: 3, fat: 10, carbohydrates: 35 };
    const payload = { name, servingSize: { value: 100, unit: 'g' }, macros };
    expect((await ask(here, 'POST', '/v1/foods', { payload })).statusCode).toBe(201);
  }
  const foundThere = async (name: string) => {
    const credential = await here.createKey(SCOPES);
    await vi.waitFor(async () => {
      const answer = await ask(there, 'GET', `/v1/foods/search?q=${encodeURIComponent(name)}`, {
        credential,
      });
      expect(answer.json()).toMatchObject([{ name }]);
    }, PATIENCE);
  };

  test('exactly 100 of 5,000 concurrent searches on both are allowed', async () => {
    const credential = await here.createKey(SCOPES);
    const search = (_: unknown, at: number) =>
      ask(at % 2 === 0 ? here : there, 'GET', '/v1/foods/search?q=cola', { credential });
    const answers = await Promise.all(Array.from({ length: 5_000 }, search));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(100);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(4_900);
  });

  test('a food created on one node is found on the other', async () => {
    await enterFood('Plum pie');
    await foundThere('Plum pie');
  });

  test('a food is found without a notification', async () => {
    await sql`alter table live_foods disable trigger live_food_changed`.all(here.database.db);
    await enterFood('Quince jelly');
    await foundThere('Quince jelly');
    await sql`alter table live_foods enable trigger live_food_changed`.all(here.database.db);
  });

  test('a food is found after the listening connections were cut', async () => {
    const saidSo = () =>
      there.log.filter((line) => line.includes('listening for writes of other nodes')).length;
    const before = saidSo();
    const cut = sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'larder-listener'`;
    expect(await cut.all(here.database.db)).toHaveLength(2);
    await enterFood('Rhubarb crumble');
    await foundThere('Rhubarb crumble');
    await vi.waitFor(() => expect(saidSo()).toBeGreaterThan(before), PATIENCE);
    await enterFood('Sour cherries');
    await foundThere('Sour cherries');
  });

  test("a user's foods are found on the other node by that user only, and by nobody after the user is erased", async () => {
    const cay = await tokenOf('cay');
    const macros = { energy: 250, protein: 3, fat: 10, carbohydrates: 35 };
    const payload = { name: 'Damson cheese', servingSize: { value: 100, unit: 'g' }, macros };
    const { id } = (await ask(here, 'POST', '/v1/foods', { payload, credential: cay })).json();
    const found = async (credential: string) => {
      const url = '/v1/foods/search?q=damson%20cheese';
      return (await ask(there, 'GET', url, { credential })).json().map((food: { id: string }) => food.id);
    };
    const dan = await tokenOf('dan');
    await vi.waitFor(async () => expect(await found(cay)).toEqual([id]), PATIENCE);
    for (const credential of [dan, key]) expect(await found(credential)).toEqual([]);
    expect((await ask(here, 'DELETE', '/v1/users/cay', { credential: cay })).statusCode).toBe(204);
    await vi.waitFor(async () => expect(await found(cay)).toEqual([]), PATIENCE);
    expect((await ask(there, 'GET', `/v1/foods/${id}`)).statusCode).toBe(404);
  });

  async function tokenOf(user: string): Promise<string> {
    const payload = { client_secret: key, user_id: user, scope: SCOPES.join(' ') };
    return (await ask(here, 'POST', '/v1/auth/token', { payload })).json().access_token;
  }

  test('a key revoked on one node is rejected on the other', async () => {
    const credential = await here.createKey([...SCOPES, 'admin']);
    const search = () => ask(there, 'GET', '/v1/foods/search?q=cola', { credential });
    expect((await search()).statusCode).toBe(200);
    const { id } = (await ask(here, 'GET', '/v1/keys?limit=100', { credential }))
      .json()
      .find(({ scopes }: { scopes: string[] }) => scopes.includes('admin'));
    expect((await ask(here, 'DELETE', `/v1/keys/${id}`, { credential })).statusCode).toBe(204);
    await vi.waitFor(async () => expect((await search()).statusCode).toBe(401), PATIENCE);
  });

  test('a cached day on one node is read again after a change on the other', async () => {
    const url = '/v1/users/ann/diary';
    const day = async () => (await ask(there, 'GET', `${url}?date=${ENTRY.date}`)).json();
    const total = async () => (await ask(there, 'GET', `${url}/totals?date=${ENTRY.date}`)).json().calories;
    expect([await day(), await total()]).toEqual([[], 0]);
    for (let count = 1; count <= 3; count++) {
      const { id } = (await ask(here, 'POST', url, { payload: ENTRY })).json();
      expect([(await day()).at(-1).id, await total()]).toEqual([id, count * 100]);
    }
  });

  test('concurrent repetitions on both nodes are executed once with the same response', async () => {
    const url = '/v1/users/twins/diary';
    const post = (_: unknown, at: number) =>
      ask(at % 2 === 0 ? here : there, 'POST', url, { payload: ENTRY, name: 'twins' });
    const answers = await Promise.all(Array.from({ length: 10 }, post));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect((await ask(there, 'GET', `${url}?date=${ENTRY.date}`)).json()).toHaveLength(1);
  });

  test('an object stored by one node is read by the other, and with a signed URL of the store', async () => {
    const key = parseObjectKey('images/shared');
    const body = Buffer.from('not really a photo');
    const size = { maxBytes: body.length };
    await here.objects.put({ key, contentType: 'image/png', body: Readable.from([body]), size });
    expect(await there.objects.find(key)).toMatchObject({ contentType: 'image/png', sizeBytes: body.length });
    const address = await there.objects.readAddress({ key, expiresAtMs: Date.now() + 60_000 });
    expect(address).toContain(inject('cluster')!.s3Endpoint);
    expect(await (await fetch(address)).text()).toBe(body.toString());
  });

  test('a token created by one node is accepted by the other', async () => {
    const payload = { client_secret: key, user_id: 'ann', scope: 'diary:read' };
    const { access_token: credential } = (await ask(here, 'POST', '/v1/auth/token', { payload })).json();
    const answer = await ask(there, 'GET', '/v1/users/ann/diary?date=2030-01-02', { credential });
    expect([answer.statusCode, answer.json()]).toEqual([200, []]);
  });
});
