import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { parseKeyId } from '../../src/access/key-format.ts';
import { createKeyIssuer, openKeyStore } from '../../src/app/keys.ts';
import { clusterSettings } from '../support/cluster-settings.ts';
import { PATIENCE } from '../support/patience.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const AMOUNTS = { calories: 100, protein: 1, carbs: 2, fat: 3 };
const ENTRY = { date: '2030-01-01', mealType: 'lunch', foodName: 'Soup', ...AMOUNTS };
const DIARY = '/v1/users/ann/diary';

describe.skipIf(inject('cluster') === undefined)('a node whose connections are all in use', () => {
  let fixture: TestServer;
  let key: string;
  /** Blocks all writes to diaries. */
  let locker: pg.Client;
  beforeAll(async () => {
    const cluster = await clusterSettings();
    fixture = await openTestServer({
      cluster,
      settings: {
        LARDER_THREADS: '1',
        LARDER_DATABASE_CONNECTIONS: '2',
        LARDER_DATABASE_STATEMENT_TIMEOUT_MS: '120000',
      },
    });
    key = await fixture.createKey(['foods:read', 'diary:read', 'diary:write']);
    locker = new pg.Client(cluster['LARDER_DATABASE_URL']);
    await locker.connect();
  });
  afterAll(async () => {
    await locker.end();
    await fixture[Symbol.asyncDispose]();
  });

  const ask = (url: string, payload?: object, as = key) =>
    fixture.ask({
      url,
      ...(payload && { method: 'POST', payload }),
      headers: { authorization: `Bearer ${as}` },
    });
  /** Sends statements directly to the database, as the command line does. */
  const revoke = (text: string) =>
    createKeyIssuer(openKeyStore(fixture.database), fixture.database.nowMs).revoke(parseKeyId(text)!);
  const held = async () => {
    const waiting = "select 1 from pg_locks where relation = 'diary_entries'::regclass and not granted";
    return (await locker.query(waiting)).rowCount;
  };

  test('returns 503 after its time limit while search works, and finishes started requests', async () => {
    expect((await ask('/v1/foods/search?q=cola')).statusCode).toBe(200);
    await locker.query('begin; lock table diary_entries');
    const begun = [ask(DIARY, ENTRY), ask(DIARY, ENTRY)];
    await vi.waitFor(async () => expect(await held()).toBe(2), PATIENCE);

    const refused = await ask(`${DIARY}?date=2030-01-01`);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
    expect(refused.json().error).toMatchObject({
      code: 'unavailable',
      message: 'The database is busy with other requests; try again in a moment.',
      details: { reason: 'busy' },
    });
    expect((await ask('/v1/foods/search?q=cola')).statusCode).toBe(200);

    // Keys can still be looked up, including a key that this node has not seen.
    const other = await fixture.createKey(['foods:read']);
    const searchAs = async (as: string) => (await ask('/v1/foods/search?q=cola', undefined, as)).statusCode;
    expect(await searchAs(other)).toBe(200);
    await revoke(other);
    await vi.waitFor(async () => expect(await searchAs(other)).toBe(401), PATIENCE);

    await locker.query('commit');
    expect((await Promise.all(begun)).map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    expect((await ask(`${DIARY}?date=2030-01-01`)).json()).toHaveLength(2);
  });
});
