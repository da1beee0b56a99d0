/**
 * How fast are answers over HTTP, and what do we add to bare node:http? One API thread against one bare server that
 * answers the same bytes, taking turns in one run, under the same client. The bare server runs twice: with all headers
 * of the service, and with the two that no answer can do without.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Larder } from '#larder-client';
import { ensureCatalogue } from '../src/app/catalogue-store.ts';
import { createKeyIssuer, openKeyStore } from '../src/app/keys.ts';
import { openDatabase } from '../src/app/open-backend.ts';
import { readConfig } from '../src/config/config.ts';
import { cpuSeconds } from './support/diary-service.ts';
import { firstProduct } from './support/first-product.ts';
import { type LoadResult, runLoad } from './support/raw-client.ts';

const BARE_SERVER = new URL('./support/bare-server.ts', import.meta.url);
const CONNECTIONS = 32;
const ROUNDS = 5;
const ROUND_MS = 2_000;
const GOAL = 0.6;
const SENT_BY_NODE = new Set(['date', 'connection', 'keep-alive', 'content-length']);
/** Words whose pairs make more queries than any cache holds. */
const WORDS =
  'apple banana bread butter cheese chicken chocolate coffee cream egg fish honey juice milk oat'.split(' ');
const PREFIXES = [2, 3, 4, 5];
const SEARCHES = ['banana', 'chick', 'chocolate mil', 'ric', 'oat mlik', 'apple juice', 'yog', 'bread'];

const dataDir = await mkdtemp(join(tmpdir(), 'larder-bench-'));
const children: ChildProcess[] = [];
try {
  const { keys, ownersKeys } = await prepare();
  const service = await startService();
  await enterFood(service, ownersKeys[0]!);
  console.log(`${cpus()[0]!.model}, ${cpus().length} processors, Node ${process.version}`);
  console.log(`${CONNECTIONS} connections, ${ROUNDS} rounds of ${ROUND_MS / 1000} s in turn, medians\n`);
  // Above the number of processors, other programs interfere and rates mean little.
  console.log(`load average before: ${loadavg()[0]!.toFixed(1)}`);
  const product = await firstProduct({ ...service, key: keys[0]! });
  for (const [name, prefix, credential] of [
    ['v1', '/v1', (key: string) => `Authorization: Bearer ${key}`],
    ['unversioned', '', (key: string) => `x-api-key: ${key}`],
  ] as const) {
    const ask = (path: string, i: number, holders = keys) =>
      `GET ${prefix}${path} HTTP/1.1\r\nHost: larder\r\n${credential(holders[i]!)}\r\n\r\n`;
    const barcode = keys.map((_, i) => ask(`/foods/barcode/${product}`, i));
    const [sameBytes, bodyAlone] = await startBareServers(
      service,
      `${prefix}/foods/barcode/${product}`,
      keys[0]!,
    );
    const search = keys.map((_, i) =>
      ask(`/foods/search?q=${encodeURIComponent(SEARCHES[i % SEARCHES.length]!)}`, i),
    );
    const fresh = keys.map((_, i) => {
      let asked = i * 1_000;
      return () => ask(`/foods/search?q=${queryOf(asked++).replace(' ', '+')}`, i);
    });
    const unkept = keys.map((_, i) => ask(`/foods/barcode/${product}`, i, ownersKeys));
    const [ours, same, body, looked, searches, unknown] = await inTurn([
      { ...service, requests: barcode },
      { ...sameBytes!, requests: barcode },
      { ...bodyAlone!, requests: barcode },
      { ...service, requests: unkept },
      { ...service, requests: search },
      { ...service, requests: fresh },
    ]);
    print(`${name} barcode`, ours!);
    print('  bare, same bytes', same!, ours!);
    print('  bare, body and length alone', body!, ours!);
    print('  ours, looked up each time', looked!);
    print(`${name} search, asked before`, searches!);
    print(`${name} search, not asked before`, unknown!);
  }
} finally {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')));
  rmSync(dataDir, { recursive: true });
}

/** One key for each connection. Tenants with custom foods have uncached responses. */
async function prepare(): Promise<{ keys: string[]; ownersKeys: string[] }> {
  const config = readConfig({ LARDER_DATA_DIR: dataDir });
  await ensureCatalogue(config);
  const database = await openDatabase(config);
  const issuer = createKeyIssuer(openKeyStore(database));
  const limits = { search: 1_000_000, barcode: 1_000_000 };
  // Even the highest limit of one key is too low for a benchmark.
  const keysOf = (tenant: string) => {
    const create = async () =>
      (await issuer.create({ tenant, scopes: ['foods:read', 'foods:write'], limits })).text;
    return Promise.all(Array.from({ length: CONNECTIONS }, create));
  };
  const [keys, ownersKeys] = [await keysOf('bench'), await keysOf('owner')];
  await database.close();
  return { keys, ownersKeys };
}

async function enterFood({ port }: Contestant, key: string): Promise<void> {
  const food = {
    name: 'Plum jam of the house',
    servingSize: { value: 20, unit: 'g' },
    macros: { energy: 50, protein: 0.1, fat: 0, carbohydrates: 12 },
  };
  await new Larder({ url: `http://127.0.0.1:${port}`, key }).foods.add(food);
}

/** Every pair of words, the second unfinished, in a cycle. */
function queryOf(number: number): string {
  const first = WORDS[number % WORDS.length]!;
  const second = WORDS[Math.floor(number / WORDS.length) % WORDS.length]!;
  const length = PREFIXES[Math.floor(number / WORDS.length ** 2) % PREFIXES.length]!;
  const limit = 10 + (Math.floor(number / (WORDS.length ** 2 * PREFIXES.length)) % 20);
  return `${first} ${second.slice(0, length)}&limit=${limit}`;
}

interface Contestant {
  readonly port: number;
  readonly pid: number;
}

async function startService(): Promise<Contestant> {
  const settings = { LARDER_PORT: '0', LARDER_DATA_DIR: dataDir, LARDER_THREADS: '1' };
  const { line, pid } = await firstLine(['src/cli/main.ts', 'serve'], settings);
  return { port: Number(new URL(JSON.parse(line).url).port), pid };
}

/** The bare servers: with the headers of the service's response, and with almost none. */
async function startBareServers(service: Contestant, path: string, key: string): Promise<Contestant[]> {
  const larder = new Larder({ url: `http://127.0.0.1:${service.port}`, key });
  const answer = await larder.request(path, { headers: { 'x-api-key': key } });
  const body = await answer.text();
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !SENT_BY_NODE.has(name)));
  const few = { 'content-type': headers['content-type'] };
  const start = async (given: object) => {
    const { line, pid } = await firstLine(
      [fileURLToPath(BARE_SERVER), JSON.stringify({ body, headers: given })],
      {},
    );
    return { port: Number(line), pid };
  };
  return Promise.all([start(headers), start(few)]);
}

async function firstLine(args: readonly string[], settings: Record<string, string>) {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  const [line] = await once(createInterface(child.stdout!), 'line');
  return { line: String(line), pid: child.pid! };
}

interface Figures extends LoadResult {
  /** Microseconds of processor time a request, all threads of the server together. */
  readonly cpuUs: number;
}

/**
 * Each target runs once a round, so that other programs disturb all alike; the result is the median by
 * processor time.
 */
async function inTurn(
  targets: readonly (Contestant & { requests: readonly (string | (() => string))[] })[],
): Promise<Figures[]> {
  for (const target of targets) await runLoad({ ...target, durationMs: ROUND_MS });
  const results = targets.map((): Figures[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, target] of targets.entries()) {
      const before = cpuSeconds(target.pid);
      const result = await runLoad({ ...target, durationMs: ROUND_MS });
      const cpuUs = ((cpuSeconds(target.pid) - before) * 1e6) / result.latenciesUs.length;
      results[i]!.push({ ...result, cpuUs });
    }
  }
  return results.map((rounds) => rounds.sort((a, b) => a.cpuUs - b.cpuUs)[rounds.length >> 1]!);
}

function print(what: string, { requestsPerSecond, latenciesUs, cpuUs }: Figures, ours?: Figures): void {
  const at = (share: number) => latenciesUs[Math.floor((latenciesUs.length - 1) * share)]!.toFixed(0);
  const verdict =
    ours === undefined
      ? ''
      : `   we reach ${(ours.requestsPerSecond / requestsPerSecond).toFixed(2)} of its rate, ` +
        `${(cpuUs / ours.cpuUs).toFixed(2)} by processor time (goal ${GOAL})`;
  const rate = requestsPerSecond.toFixed(0).padStart(6);
  const cost = cpuUs.toFixed(1).padStart(6);
  console.log(
    `${what.padEnd(32)} ${rate} requests/s  ${cost} us of processor time  p50 ${at(0.5)} us  p99 ${at(0.99)} us${verdict}`,
  );
}
