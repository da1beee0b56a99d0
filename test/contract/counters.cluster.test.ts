import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe } from 'vitest';
import { createCounterMemory, SharedCounters } from '../../src/counters/memory/counters.ts';
import { RedisCounters } from '../../src/counters/redis/counters.ts';
import { freePort } from '../support/free-port.ts';
import { killRedis, redisProgram, startRedis } from '../support/redis-server.ts';
import { countersContract, type OpenedCounters } from './counters.ts';

const local = () => new SharedCounters({ memory: createCounterMemory({ randomBytes, buckets: 16 }) });

describe.skipIf(redisProgram === undefined)('where Redis is installed', () => {
  let server: ChildProcess;
  let url: string;
  beforeAll(async () => {
    const port = await freePort();
    server = await startRedis(port);
    url = `redis://127.0.0.1:${port}`;
  });
  afterAll(() => killRedis(server));

  countersContract('Redis', async (): Promise<OpenedCounters> => {
    const open = () =>
      new RedisCounters({
        url,
        timeoutMs: 60_000,
        local: local(),
        onChange: (countedBy, cause) => {
          if (countedBy === 'node') throw cause;
        },
      });
    const [counters, other, bare] = [open(), open(), new Redis(url)];
    await Promise.all([counters.connect(), other.connect(), bare.flushall()]);
    return {
      counters,
      other,
      nowMs: Date.now,
      // Removes keys, as Redis does when they expire.
      endWindows: async () => {
        await bare.flushall();
      },
      close: () => {
        counters.close();
        other.close();
        bare.disconnect();
      },
    };
  });
});
