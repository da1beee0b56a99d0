/**
 * Measures what a cluster costs.
 *
 *     npm run bench -- cluster [--rounds 20] [--only search]
 *
 * One node over PostgreSQL and Redis is compared with one process over a data folder, alternating on one
 * machine: search, barcode, a day's list, new diary entries and new scans, with one API thread and 32
 * connections. Both wait for the disk before they answer a write. Rates are compared round by round; so is
 * the processor time of the node's own process for a request, which other programs on the machine hardly
 * change.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { type DiaryEntryInput, Larder } from '#larder-client';
import { ensureCatalogue } from '../src/app/catalogue-store.ts';
import { createKeyIssuer, openKeyStore } from '../src/app/keys.ts';
import { openDatabase } from '../src/app/open-backend.ts';
import { readConfig } from '../src/config/config.ts';
import { freePort } from '../test/support/free-port.ts';
import { createDatabase, startPostgres, stopPostgres } from '../test/support/postgres-server.ts';
import { killRedis, startRedis } from '../test/support/redis-server.ts';
import { cpuSeconds } from './support/diary-service.ts';
import { firstProduct } from './support/first-product.ts';
import { type LoadResult, runLoad } from './support/raw-client.ts';

const CONNECTIONS = 32;
/** Short rounds, so that other programs disturb both alike. */
const ROUND_MS = 500;
const WARM_UP_MS = 2_000;
/** Goal for search and barcode. */
const GOAL = 0.95;
const NO_LIMIT = 1_000_000;
const OPERATIONS = ['search', 'barcode', 'diaryRead', 'diaryWrite', 'scanCreate'] as const;
const AMOUNTS = { calories: 100, protein: 1, carbs: 2, fat: 3 };
const ENTRY = JSON.stringify({ date: '2030-01-01', mealType: 'lunch', foodName: 'Soup', ...AMOUNTS });
const DAY: readonly DiaryEntryInput[] = Array.from({ length: 10 }, () => ({
  ...JSON.parse(ENTRY),
  date: '2030-01-02',
}));

const SCAN = JSON.stringify({ clientId: 'phone-1', contentType: 'image/jpeg' });

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '20' }, only: { type: 'string', default: '' } },
});
const rounds = Number(values.rounds);

interface Node {
  readonly port: number;
  readonly pid: number;
  readonly key: string;
  stop(): Promise<void>;
}

const postgres = startPostgres({ isDurable: true });
const redisPort = await freePort();
const redis = await startRedis(redisPort);
const embedded = await startNode({});
const cluster = await startNode({
  LARDER_DATABASE_URL: await createDatabase(postgres),
  LARDER_REDIS_URL: `redis://127.0.0.1:${redisPort}`,
  // The benchmark uses no objects.
  LARDER_S3_ENDPOINT: 'http://127.0.0.1:1',
  LARDER_S3_BUCKET: 'unused',
  LARDER_S3_ACCESS_KEY_ID: 'unused',
  LARDER_S3_SECRET_ACCESS_KEY: 'unused',
});
try {
  console.log(`${cpus()[0]!.model}, ${cpus().length} processors, Node ${process.version}`);
  console.log(`${CONNECTIONS} connections, ${rounds} rounds of ${ROUND_MS / 1000} s by turns, medians`);
  console.log(`load average before: ${loadavg()[0]!.toFixed(1)}\n`);
  const user = (at: number) => `/v1/users/user-${at}/diary`;
  for (const node of [embedded, cluster]) await fillDays(node);
  const product = await firstProduct(embedded);
  await compare(
    'search',
    (at) => ['GET', `/v1/foods/search?q=${['banana', 'ric', 'yog', 'bread'][at % 4]}`],
    GOAL,
  );
  await compare('barcode', () => ['GET', `/v1/foods/barcode/${product}`], GOAL);
  await compare("a day's list of 10", (at) => ['GET', `${user(at)}?date=2030-01-02`]);
  await compare('new entry', (at) => ['POST', user(at), ENTRY]);
  await compare('new scan', () => ['POST', '/v1/scan/image', SCAN]);
} finally {
  await Promise.all([embedded.stop(), cluster.stop(), killRedis(redis)]);
  stopPostgres(postgres);
}

async function startNode(settings: Record<string, string>): Promise<Node> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-bench-cluster-'));
  const env = {
    LARDER_DATA_DIR: folder,
    LARDER_PORT: '0',
    LARDER_THREADS: '1',
    LARDER_UNFINISHED_SCANS_PER_TENANT: '1000000',
    ...settings,
  };
  const config = readConfig(env);
  await ensureCatalogue(config);
  const database = await openDatabase(config);
  const { text: key } = await createKeyIssuer(openKeyStore(database)).create({
    tenant: 'bench',
    scopes: ['foods:read', 'diary:read', 'diary:write', 'scan'],
    limits: Object.fromEntries(OPERATIONS.map((operation) => [operation, NO_LIMIT])),
  });
  await database.close();
  const child = spawn(process.execPath, ['bin/larder.mjs', 'serve'], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return { key, pid: child.pid!, port: await portOf(child), stop: () => stop(child, folder) };
}

async function portOf(child: ChildProcess): Promise<number> {
  for await (const line of createInterface(child.stdout!)) {
    const { msg, url } = JSON.parse(line);
    if (msg !== 'listening') continue;
    child.stdout!.resume();
    return Number(new URL(url).port);
  }
  throw new Error('the service ended');
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
  rmSync(folder, { recursive: true });
}

async function fillDays({ port, key }: Node): Promise<void> {
  const larder = new Larder({ url: `http://127.0.0.1:${port}`, key });
  for (let at = 0; at < CONNECTIONS; at++) await larder.user(`user-${at}`).diary.add(DAY);
}

interface Figures extends LoadResult {
  /** Microseconds of processor time a request, all threads of the node together. */
  readonly cpuUs: number;
}

async function compare(
  name: string,
  request: (at: number) => [method: string, path: string, body?: string],
  goal?: number,
): Promise<void> {
  if (!name.includes(values.only)) return;
  const targets = [embedded, cluster].map(({ port, pid, key }) => ({
    port,
    pid,
    requests: Array.from({ length: CONNECTIONS }, (_, at) => toText(request(at), key)),
  }));
  const [alone, node]: [Figures[], Figures[]] = [[], []];
  for (const target of targets) await runLoad({ ...target, durationMs: WARM_UP_MS });
  for (let round = 0; round < rounds; round++) {
    alone.push(await measure(targets[0]!));
    node.push(await measure(targets[1]!));
  }
  const rates = alone.map(
    ({ requestsPerSecond }, round) => node[round]!.requestsPerSecond / requestsPerSecond,
  );
  const costs = alone.map(({ cpuUs }, round) => cpuUs / node[round]!.cpuUs);
  const verdict = goal === undefined ? '' : ` (goal ${goal}: ${median(rates) >= goal ? 'met' : 'missed'})`;
  console.log(
    `${name.padEnd(20)} embedded ${figures(alone)}   cluster ${figures(node)}   ` +
      `ratio ${median(rates).toFixed(2)}${verdict}, by processor time ${median(costs).toFixed(2)}`,
  );
}

async function measure(target: { port: number; pid: number; requests: string[] }): Promise<Figures> {
  const before = cpuSeconds(target.pid);
  const result = await runLoad({ ...target, durationMs: ROUND_MS });
  return { ...result, cpuUs: ((cpuSeconds(target.pid) - before) * 1e6) / result.latenciesUs.length };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
}

function figures(measured: readonly Figures[]): string {
  const at = (share: number) =>
    median(
      measured.map(({ latenciesUs }) => latenciesUs[Math.floor((latenciesUs.length - 1) * share)]! / 1000),
    );
  const rate = median(measured.map(({ requestsPerSecond }) => requestsPerSecond));
  const cost = median(measured.map(({ cpuUs }) => cpuUs));
  return `${rate.toFixed(0).padStart(6)}/s p50 ${at(0.5).toFixed(1)} ms p99 ${at(0.99).toFixed(1)} ms ${cost.toFixed(0)} us`;
}

function toText([method, path, body]: [string, string, string?], key: string): string {
  const head = `${method} ${path} HTTP/1.1\r\nHost: larder\r\nAuthorization: Bearer ${key}\r\n`;
  if (body === undefined) return `${head}\r\n`;
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
