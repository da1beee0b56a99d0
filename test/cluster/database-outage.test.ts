import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { clusterSettings } from '../support/cluster-settings.ts';
import { PATIENCE } from '../support/patience.ts';
import {
  createDatabase,
  haltPostgres,
  resumePostgres,
  startPostgres,
  stopPostgres,
} from '../support/postgres-server.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

/** Longer than the time for which threads cache a key. */
const LOAD_MS = 1_500;
const AMOUNTS = { calories: 100, protein: 1, carbs: 2, fat: 3 };
const ENTRY = { date: '2030-01-01', mealType: 'lunch', foodName: 'Soup', ...AMOUNTS };
const DIARY = '/v1/users/ann/diary';

describe.skipIf(inject('cluster') === undefined)('during an outage of PostgreSQL', () => {
  let postgres: string;
  let fixture: TestServer;
  let key: string;
  beforeAll(async () => {
    postgres = startPostgres();
    const cluster = { ...(await clusterSettings()), LARDER_DATABASE_URL: await createDatabase(postgres) };
    fixture = await openTestServer({ cluster });
    key = await fixture.createKey(['foods:read', 'diary:read', 'diary:write']);
  });
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]();
    stopPostgres(postgres);
  });

  const ask = (url: string, payload?: object) =>
    fixture.ask({
      url,
      ...(payload && { method: 'POST', payload }),
      headers: {
        authorization: `Bearer ${key}`,
        'x-api-key': key,
        ...(payload && { 'idempotency-key': 'k' }),
      },
    });
  const search = async () => (await ask('/v1/foods/search?q=cola')).statusCode;
  const readiness = async (query = '') => {
    const answer = await fixture.ask({ url: `/readyz${query}` });
    return [answer.statusCode, answer.json().database ?? answer.json().error.details];
  };
  const barcode = async () => (await ask('/foods/barcode/5449000000996')).statusCode;

  test('search and barcodes work, diaries are unavailable, and everything recovers by itself', async () => {
    expect([await search(), (await ask(DIARY, ENTRY)).statusCode]).toEqual([200, 201]);
    const found = await barcode();
    for (const query of ['', '?require=database'])
      await vi.waitFor(async () => expect(await readiness(query)).toEqual([200, 'reachable']), PATIENCE);

    haltPostgres(postgres);
    const until = performance.now() + LOAD_MS;
    while (performance.now() < until) {
      expect([await search(), await barcode()]).toEqual([200, found]);
      // Responses from memory alone would starve timers.
      await new Promise(setImmediate);
    }
    await vi.waitFor(async () => expect(await readiness()).toEqual([200, 'unreachable']), PATIENCE);
    expect(await readiness('?require=database')).toEqual([503, { database: 'unreachable' }]);
    for (const answer of [await ask(`${DIARY}?date=2030-01-01`), await ask(DIARY, ENTRY)]) {
      expect([answer.statusCode, answer.json().error.code]).toEqual([503, 'unavailable']);
    }
    const saidSo = () =>
      fixture.log.filter((line) => line.includes('new writes of custom foods cannot be read'));
    await vi.waitFor(() => expect(saidSo()).not.toEqual([]), PATIENCE);

    resumePostgres(postgres);
    await vi.waitFor(
      async () => expect((await ask(`${DIARY}?date=2030-01-01`)).statusCode).toBe(200),
      PATIENCE,
    );
    expect((await ask(`${DIARY}?date=2030-01-01`)).json()).toHaveLength(1);
    expect((await ask(DIARY, ENTRY)).headers['idempotency-replayed']).toBe('true');
    await vi.waitFor(async () => expect(await readiness()).toEqual([200, 'reachable']), PATIENCE);
    expect(await search()).toBe(200);
    expect(saidSo()).toHaveLength(1);
  });
});
