import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, inject, test, vi } from 'vitest';
import { migrateDatabase } from '../../src/db/postgres/migrate.ts';
import { clusterSettings } from '../support/cluster-settings.ts';
import { DATABASE_LIMITS } from '../support/database-limits.ts';
import { freePort } from '../support/free-port.ts';
import { PATIENCE } from '../support/patience.ts';
import { createDatabase, silencePostgres, startPostgres, stopPostgres } from '../support/postgres-server.ts';
import { killRedis, startRedis } from '../support/redis-server.ts';
import { startServiceProcess } from '../support/service-process.ts';

const servers = inject('cluster');

describe.skipIf(servers === undefined)('larder serve as a node', () => {
  const emptyDatabase = () => createDatabase(servers!.postgres);

  test('nodes that start together on an empty database migrate it, and one creates the first key', async () => {
    const LARDER_DATABASE_URL = await emptyDatabase();
    const settings = { ...(await clusterSettings()), LARDER_DATABASE_URL, LARDER_THREADS: '1' };
    const start = () => startServiceProcess(settings, undefined, false);
    await using stack = new AsyncDisposableStack();
    const nodes = (await Promise.all([start(), start()])).map((node) => stack.use(node));
    const files = nodes.map(({ dataDir }) => join(dataDir, 'first-key.txt')).filter(existsSync);
    expect(files).toHaveLength(1);
    const headers = { authorization: `Bearer ${readFileSync(files[0]!, 'utf8').trim()}` };
    for (const { url } of nodes) {
      expect((await fetch(`${url}/v1/foods/search?q=banana`, { headers })).status).toBe(200);
    }
    const kept = await (await fetch(`${nodes[0]!.url}/v1/keys`, { headers })).json();
    expect(kept).toHaveLength(1);
  });

  test('a node older than the tables does not start and says why', async () => {
    const url = await emptyDatabase();
    await migrateDatabase(url, DATABASE_LIMITS);
    const client = new pg.Client(url);
    await client.connect();
    await client.query('update schema_version set version = version + 1');
    await client.end();
    const settings = { ...(await clusterSettings()), LARDER_DATABASE_URL: url };
    await expect(startServiceProcess(settings)).rejects.toThrow(/newer Larder has upgraded it/);
  });

  test('it starts without its bucket, and one line says what to do', async () => {
    const settings = {
      ...(await clusterSettings()),
      LARDER_S3_BUCKET: 'no-such-bucket',
      LARDER_THREADS: '1',
    };
    await using service = await startServiceProcess(settings, undefined, false);
    const said = () => service.out.filter((line) => line.includes('photos wait'));
    await expect
      .poll(said)
      .toEqual([
        expect.stringMatching(
          /the bucket cannot be used: .*the bucket does not exist; create it.*"LARDER_S3_BUCKET"|"LARDER_S3_BUCKET".*the bucket does not exist; create it/,
        ),
      ]);
  });

  test('it stops on request although PostgreSQL does not respond', async () => {
    const postgres = startPostgres();
    try {
      const LARDER_DATABASE_URL = await createDatabase(postgres);
      const service = await startServiceProcess({ ...(await clusterSettings()), LARDER_DATABASE_URL });
      using _silence = silencePostgres(postgres);
      await service[Symbol.asyncDispose]();
      expect(service.child.exitCode).toBe(0);
    } finally {
      stopPostgres(postgres);
    }
  });

  test('without Redis it answers, counts requests itself and reports it once; no log line contains a secret', async () => {
    const port = await freePort();
    const words = ['--requirepass', 'hushhush'];
    let redis = await startRedis(port, words);
    const LARDER_REDIS_URL = `redis://:hushhush@127.0.0.1:${port}`;
    const settings: Record<string, string> = { ...(await clusterSettings()), LARDER_REDIS_URL };
    await using service = await startServiceProcess({ ...settings, LARDER_THREADS: '2' });
    const headers = { authorization: `Bearer ${service.key}` };
    const countedBy = async () =>
      ((await (await fetch(`${service.url}/readyz`)).json()) as { limitsCountedBy: string }).limitsCountedBy;
    const metric = async (name: string) => {
      const text = await (await fetch(`${service.url}/metrics`, { headers })).text();
      return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
    };
    const saying = (words: string) => service.out.filter((line) => line.includes(words)).length;
    expect([await countedBy(), await metric('larder_limits_counted_by_node')]).toEqual(['cluster', 0]);

    await killRedis(redis);
    await vi.waitFor(async () => expect(await countedBy()).toBe('node'), PATIENCE);
    const search = await fetch(`${service.url}/v1/foods/search?q=banana`, { headers });
    expect([search.status, search.headers.get('x-ratelimit-limit')]).toEqual([200, '100']);
    expect(await metric('larder_limits_counted_by_node')).toBe(1);
    expect(await metric('larder_limits_counted_by_node_total')).toBeGreaterThan(0);
    await vi.waitFor(() => expect(saying('Redis is unavailable')).toBe(1), PATIENCE);

    redis = await startRedis(port, words);
    await vi.waitFor(async () => expect(await countedBy()).toBe('cluster'), PATIENCE);
    await killRedis(redis);
    await vi.waitFor(() => expect(saying('Redis is back')).toBe(1), PATIENCE);
    for (const secret of ['hushhush', settings['LARDER_S3_SECRET_ACCESS_KEY']!, service.key]) {
      expect(service.out.filter((line) => line.includes(secret))).toEqual([]);
    }
  });
});
