import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WINDOW_SECONDS } from '../../src/counters/counters.ts';
import { createCounterMemory, SharedCounters } from '../../src/counters/memory/counters.ts';
import { RedisCounters } from '../../src/counters/redis/counters.ts';
import { freePort } from '../support/free-port.ts';
import { PATIENCE } from '../support/patience.ts';
import { killRedis, redisProgram, startRedis } from '../support/redis-server.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Time limits for tests in which Redis may be slow on a busy machine, and for those in which it does not respond. */
const LONG_MS = 60_000;
const SHORT_MS = 200;

describe.skipIf(redisProgram === undefined)('Counters with a Redis that fails and recovers', () => {
  let server: ChildProcess;
  let port: number;
  let bare: Redis | undefined;
  const opened: RedisCounters[] = [];
  const changes: string[] = [];

  beforeEach(async () => {
    port = await freePort();
    server = await startRedis(port);
    changes.length = 0;
  });
  afterEach(async () => {
    for (const counters of opened.splice(0)) counters.close();
    bare?.disconnect();
    bare = undefined;
    if (server.exitCode === null && server.signalCode === null) await killRedis(server);
  });

  async function open(timeoutMs = LONG_MS): Promise<RedisCounters> {
    const counters = new RedisCounters({
      url: `redis://127.0.0.1:${port}`,
      timeoutMs,
      local: new SharedCounters({ memory: createCounterMemory({ randomBytes, buckets: 16 }) }),
      onChange: (countedBy) => changes.push(countedBy),
    });
    opened.push(counters);
    await counters.connect();
    return counters;
  }
  /** Counters that soon treat an unresponsive Redis as unavailable; `changes` are those from here on. */
  async function openImpatient(): Promise<RedisCounters> {
    const counters = await open(SHORT_MS);
    await countedBy(counters, 'cluster');
    changes.length = 0;
    return counters;
  }
  const countedBy = (counters: RedisCounters, by: string) =>
    vi.waitFor(() => expect(counters.countedBy).toBe(by), PATIENCE);
  const take = async (counters: RedisCounters) => counters.take('a', 1, Date.now());

  test('exactly the limit passes of 5,000 requests from four nodes in one tick', async () => {
    const nodes = await Promise.all([open(), open(), open(), open()]);
    const asked = Array.from({ length: 5_000 }, (_, at) => nodes[at % 4]!.take('key', 777, Date.now()));
    const tallies = await Promise.all(asked);
    expect(tallies.filter(({ allowed }) => allowed)).toHaveLength(777);
    expect(changes).toEqual(['cluster', 'cluster', 'cluster', 'cluster']);
    expect(nodes.map(({ countedAlone }) => countedAlone)).toEqual([0, 0, 0, 0]);
  });

  test('a node counts by itself during an outage of Redis, and returns to Redis afterwards', async () => {
    const counters = await open();
    await killRedis(server);
    await countedBy(counters, 'node');
    expect(counters.takeNow('a', 1, Date.now())).toMatchObject({ allowed: true });
    expect(counters.takeNow('a', 1, Date.now())).toMatchObject({ allowed: false });
    expect(counters.countedAlone).toBe(2);
    server = await startRedis(port);
    await countedBy(counters, 'cluster');
    expect(await take(counters)).toMatchObject({ allowed: true });
    expect(changes).toEqual(['cluster', 'node', 'cluster']);
  });

  test('a missing Redis at the start is reported once and used when it becomes available', async () => {
    await killRedis(server);
    const counters = await open();
    expect(counters.takeNow('a', 1, Date.now())).toMatchObject({ allowed: true });
    server = await startRedis(port);
    await countedBy(counters, 'cluster');
    expect(changes).toEqual(['node', 'cluster']);
  });

  test('requests to an unresponsive Redis are counted by the node until Redis recovers', async () => {
    const counters = await openImpatient();
    server.kill('SIGSTOP');
    const waiting = await Promise.all([take(counters), take(counters)]);
    expect(waiting.map(({ allowed }) => allowed)).toEqual([true, false]);
    expect(changes).toEqual(['node']);
    server.kill('SIGCONT');
    await countedBy(counters, 'cluster');
  });

  test('a busy thread does not mistake its own delay for an outage of Redis', async () => {
    const counters = await openImpatient();
    const asked = take(counters);
    await new Promise(setImmediate);
    const until = performance.now() + 4 * SHORT_MS;
    while (performance.now() < until);
    expect(await asked).toMatchObject({ allowed: true });
    expect(changes).toEqual([]);
  });

  test('a restarted Redis gets the script again', async () => {
    const counters = await open();
    bare = new Redis(`redis://127.0.0.1:${port}`);
    await bare.script('FLUSH');
    expect(await take(counters)).toMatchObject({ allowed: true });
    expect(changes).toEqual(['cluster']);
  });

  test('a window ends in time although the clock was set back', async () => {
    const counters = await open();
    await take(counters);
    bare = new Redis(`redis://127.0.0.1:${port}`);
    const [key] = await bare.keys('*:a');
    await bare.expire(key!, 3_600);
    const { resetsAt } = await take(counters);
    expect(resetsAt).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + WINDOW_SECONDS);
    expect(await bare.ttl(key!)).toBeLessThanOrEqual(WINDOW_SECONDS);
  });

  test('a Redis Cluster counts many names in one call', async () => {
    await killRedis(server);
    using folder = tempFolder();
    const words = ['--cluster-enabled', 'yes', '--cluster-config-file', join(folder.path, 'nodes.conf')];
    // By default the cluster port is 10,000 above, which another program may use.
    server = await startRedis(port, [...words, '--cluster-port', String(await freePort())]);
    bare = new Redis(`redis://127.0.0.1:${port}`);
    await bare.cluster('ADDSLOTS', ...Array.from({ length: 16_384 }, (_, slot) => slot));
    const state = () => bare!.cluster('INFO');
    await vi.waitFor(async () => expect(await state()).toContain('cluster_state:ok'), PATIENCE);
    const counters = await open();
    await Promise.all(['a', 'b', 'c'].map((name) => counters.take(name, 1, Date.now())));
    expect([changes, counters.countedAlone]).toEqual([['cluster'], 0]);
  });

  test('a read-only Redis is reported once as unavailable until it is writable', async () => {
    bare = new Redis(`redis://127.0.0.1:${port}`);
    await bare.replicaof('127.0.0.1', await freePort());
    const counters = await open();
    expect(counters.takeNow('a', 1, Date.now())).toMatchObject({ allowed: true });
    await bare.replicaof('NO', 'ONE');
    await countedBy(counters, 'cluster');
    expect(changes).toEqual(['node', 'cluster']);
  });
});
