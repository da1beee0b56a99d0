import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { clusterSettings } from '../support/cluster-settings.ts';
import { PATIENCE } from '../support/patience.ts';
import { findPgbouncer, type Pgbouncer, startPgbouncer } from '../support/pgbouncer.ts';
import { createDatabase } from '../support/postgres-server.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const SCOPES = ['foods:read', 'foods:write', 'diary:read', 'diary:write', 'scan'] as const;
const AMOUNTS = { calories: 100, protein: 1, carbs: 2, fat: 3 };
const ENTRY = { date: '2030-01-01', mealType: 'lunch', foodName: 'Soup', ...AMOUNTS };
const servers = inject('cluster');

describe.skipIf(servers === undefined || findPgbouncer() === undefined)('nodes behind pgbouncer', () => {
  let pgbouncer: Pgbouncer;
  /** This node listens to PostgreSQL directly. */
  let listening: TestServer;
  /** This node only has the address of pgbouncer. */
  let pooled: TestServer;
  let key: string;
  beforeAll(async () => {
    pgbouncer = await startPgbouncer(servers!.postgres);
    const direct = await createDatabase(servers!.postgres);
    const LARDER_DATABASE_URL = pgbouncer.through(direct);
    const cluster = { ...(await clusterSettings()), LARDER_DATABASE_URL };
    // Both migrate the same empty database.
    [listening, pooled] = await Promise.all([
      openTestServer({ cluster: { ...cluster, LARDER_DATABASE_LISTEN_URL: direct } }),
      openTestServer({ cluster }),
    ]);
    key = await listening.createKey(SCOPES);
  });
  afterAll(async () => {
    await Promise.all([listening, pooled].map((node) => node[Symbol.asyncDispose]()));
    await pgbouncer.close();
  });

  const ask = (node: TestServer, method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
    node.ask({
      method,
      url,
      ...(payload && { payload }),
      headers: { authorization: `Bearer ${key}` },
    });
  const saying = (node: TestServer, words: string) => node.log.filter((line) => line.includes(words));

  async function enterFood(node: TestServer, name: string): Promise<void> {
    const macros = { energy: 250, protein: 3, fat: 10, carbohydrates: 35 };
    const payload = { name, servingSize: { value: 100, unit: 'g' }, macros };
    expect((await ask(node, 'POST', '/v1/foods', payload)).statusCode).toBe(201);
  }
  const isFound = async (node: TestServer, name: string) => {
    const answer = await ask(node, 'GET', `/v1/foods/search?q=${encodeURIComponent(name)}`);
    expect(answer.json()).toMatchObject([{ name }]);
  };

  test('one node reports that it listens, the other reports once why it cannot', () => {
    expect(saying(listening, 'listening for writes of other nodes')).toHaveLength(1);
    expect(saying(pooled, 'listening for writes of other nodes')).toEqual([]);
    const lines = saying(pooled, 'polling for writes of other nodes');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('its address leads to a pooler');
    expect(lines[0]).toContain('LARDER_DATABASE_LISTEN_URL');
  });

  test('foods created on either node are found on the other', async () => {
    await enterFood(listening, 'Plum pie');
    await vi.waitFor(() => isFound(pooled, 'Plum pie'), PATIENCE);
    await enterFood(pooled, 'Quince jelly');
    await vi.waitFor(() => isFound(listening, 'Quince jelly'), PATIENCE);
  });

  test('concurrent requests on pooled sessions get their own results', async () => {
    const users = Array.from({ length: 40 }, (_, at) => `user-${at}`);
    const node = (at: number) => (at % 2 === 0 ? listening : pooled);
    const created = await Promise.all(
      users.map((user, at) =>
        ask(node(at), 'POST', `/v1/users/${user}/diary`, { ...ENTRY, foodName: `Soup of ${user}` }),
      ),
    );
    expect(created.map(({ statusCode }) => statusCode)).toEqual(users.map(() => 201));
    const read = await Promise.all(
      users.map((user, at) => ask(node(at + 1), 'GET', `/v1/users/${user}/diary?date=${ENTRY.date}`)),
    );
    expect(read.map((answer) => answer.json().map(({ foodName }: { foodName: string }) => foodName))).toEqual(
      users.map((user) => [`Soup of ${user}`]),
    );
  });

  test('a scan created on one node is found on the other, and both can create tokens', async () => {
    const payload = { clientId: 'phone', imageType: 'photo', contentType: 'image/jpeg' };
    const created = await ask(listening, 'POST', '/v1/scan/image', payload);
    expect(created.statusCode).toBe(201);
    const found = await ask(pooled, 'GET', `/v1/scan/image/${created.json().jobId}`);
    expect(found.json()).toMatchObject({ status: 'upload_pending' });
    const minted = await Promise.all(
      [listening, pooled].map((node) =>
        ask(node, 'POST', '/v1/auth/token', { client_secret: key, user_id: 'ann' }),
      ),
    );
    expect(minted.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  });

  test('both nodes recover by themselves when pgbouncer is available again', async () => {
    const url = '/v1/users/back/diary';
    await pgbouncer.halt();
    for (const node of [listening, pooled]) {
      const answer = await ask(node, 'POST', url, ENTRY);
      expect([answer.statusCode, answer.json().error.code]).toEqual([503, 'unavailable']);
      await isFound(node, 'Plum pie');
    }
    await pgbouncer.resume();
    for (const node of [listening, pooled]) {
      await vi.waitFor(
        async () => expect((await ask(node, 'POST', url, ENTRY)).statusCode).toBe(201),
        PATIENCE,
      );
    }
    expect((await ask(pooled, 'GET', `${url}?date=${ENTRY.date}`)).json()).toHaveLength(2);
  });
});
