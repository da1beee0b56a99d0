import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RedisCounters } from '../../src/adapters/cluster/counters.ts';
import { createCounterMemory } from '../../src/adapters/embedded/counter-memory.ts';
import { SharedCounters } from '../../src/adapters/embedded/counters.ts';
import { freePort, killRedis, redisProgram, startRedis } from '../support/redis-server.ts';

describe.skipIf(redisProgram === undefined)('Counters over Redis', () => {
  let server: ChildProcess;
  let port: number;
  const opened: RedisCounters[] = [];
  const changes: string[] = [];

  beforeEach(async () => {
    port = await freePort();
    server = await startRedis(port);
    changes.length = 0;
  });
  afterEach(async () => {
    for (const counters of opened.splice(0)) counters.close();
    if (server.exitCode === null && server.signalCode === null) await killRedis(server);
  });

  async function open(): Promise<RedisCounters> {
    const counters = new RedisCounters({
      url: `redis://127.0.0.1:${port}`,
      local: new SharedCounters({ memory: createCounterMemory({ randomBytes, buckets: 16 }) }),
      onChange: (countedIn) => changes.push(countedIn),
    });
    opened.push(counters);
    await counters.connect();
    return counters;
  }

  test('of one window exactly the limit passes, and what is left is told', async () => {
    const counters = await open();
    const tallies = [];
    for (let asked = 0; asked < 5; asked++) tallies.push(await counters.take('a', 3, Date.now()));
    expect(tallies.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false]);
    expect(tallies.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0, 0]);
    expect(new Set(tallies.map(({ resetsAt }) => resetsAt)).size).toBe(1);
    expect(await counters.take('b', 3, Date.now())).toMatchObject({ allowed: true, remaining: 2 });
    expect(await counters.take('a', 2, Date.now())).toMatchObject({ allowed: false, remaining: 0 });
  });

  test('of 5,000 requests that four nodes make, a hundred at once, exactly the allowed number passes', async () => {
    const nodes = await Promise.all([open(), open(), open(), open()]);
    let passed = 0;
    for (let round = 0; round < 50; round++) {
      const asked = Array.from({ length: 100 }, (_, at) => nodes[at % 4]!.take('key', 777, Date.now()));
      for (const { allowed } of await Promise.all(asked)) passed += allowed ? 1 : 0;
    }
    expect(changes).toEqual(['redis', 'redis', 'redis', 'redis']);
    expect(passed).toBe(777);
  });

  test('while Redis is away this process counts alone, and returns to it by itself', async () => {
    const counters = await open();
    await killRedis(server);
    await vi.waitFor(() => expect(counters.countedIn).toBe('local'));
    expect(counters.take('a', 1, Date.now())).toMatchObject({ allowed: true });
    expect(counters.take('a', 1, Date.now())).toMatchObject({ allowed: false });
    server = await startRedis(port);
    await vi.waitFor(() => expect(counters.countedIn).toBe('redis'), 5_000);
    expect(await counters.take('a', 1, Date.now())).toMatchObject({ allowed: true });
    expect(changes).toEqual(['redis', 'local', 'redis']);
  });
});
