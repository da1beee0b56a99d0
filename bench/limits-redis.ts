/**
 * How long does a limit check take against Redis on the loopback? One at a time, and with as many under way as a busy
 * API thread has; beside it a bare PING by turns, which is what any question to Redis costs at least.
 */
import { randomBytes } from 'node:crypto';
import { cpus, loadavg } from 'node:os';
import { Redis } from 'ioredis';
import { createCounterMemory, SharedCounters } from '../src/counters/memory/counters.ts';
import { RedisCounters } from '../src/counters/redis/counters.ts';
import { freePort } from '../test/support/free-port.ts';
import { killRedis, redisProgram, startRedis } from '../test/support/redis-server.ts';

const ROUNDS = 20;
const CHECKS_PER_ROUND = 2_000;
const GOAL_US = 1_000;
const CREDENTIALS = 1_000;
const LIMIT = 100;

if (redisProgram === undefined) throw new Error('Redis is not installed here');
const port = await freePort();
const server = await startRedis(port);
const url = `redis://127.0.0.1:${port}`;
const counters = new RedisCounters({
  url,
  timeoutMs: 200,
  local: new SharedCounters({ memory: createCounterMemory({ randomBytes }) }),
  onChange: (countedBy) => console.log(`counted by ${countedBy}`),
});
await counters.connect();
const bare = new Redis(url);
await bare.ping();

const check = (at: number) => counters.take(`search:${at % CREDENTIALS}`, LIMIT, Date.now());
const contestants = [1, 32].flatMap((underWay) => [
  { name: `PING, ${underWay} under way`, underWay, ask: () => bare.ping(), latenciesUs: [] as number[] },
  { name: `limit check, ${underWay} under way`, underWay, ask: check, latenciesUs: [] as number[] },
]);
console.log(`${cpus()[0]!.model}, ${cpus().length} processors, Node ${process.version}`);
console.log(`load average before: ${loadavg()[0]!.toFixed(1)}\n`);
for (let round = 0; round < ROUNDS; round++) for (const contestant of contestants) await measure(contestant);
for (const { name, latenciesUs } of contestants) {
  const sorted = latenciesUs.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!;
  const verdict = name.startsWith('limit')
    ? `   goal ${GOAL_US} us: ${at(0.99) <= GOAL_US ? 'met' : 'missed'}`
    : '';
  console.log(
    `${name.padEnd(26)} p50 ${at(0.5).toFixed(0).padStart(5)} us   p99 ${at(0.99).toFixed(0).padStart(5)} us${verdict}`,
  );
}
console.log(`counted on this node instead: ${counters.countedAlone}`);
counters.close();
bare.disconnect();
await killRedis(server);

async function measure({ underWay, ask, latenciesUs }: (typeof contestants)[number]): Promise<void> {
  let asked = 0;
  const askOn = async () => {
    while (asked < CHECKS_PER_ROUND) {
      const start = performance.now();
      await ask(asked++);
      latenciesUs.push((performance.now() - start) * 1000);
    }
  };
  await Promise.all(Array.from({ length: underWay }, askOn));
}
