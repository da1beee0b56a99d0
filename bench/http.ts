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
import { createKeyIssuer, ensureCatalogue, openDatabase, openKeyStore } from '../src/compose.ts';
import { readConfig } from '../src/config.ts';
import { type LoadResult, runLoad } from './support/raw-client.ts';

const BARE_SERVER = new URL('./support/bare-server.ts', import.meta.url);
const CONNECTIONS = 32;
const ROUNDS = 5;
const ROUND_MS = 2_000;
const GOAL = 0.6;
const SENT_BY_NODE = new Set(['date', 'connection', 'keep-alive', 'content-length']);
const SEARCHES = ['banana', 'chick', 'chocolate mil', 'ric', 'oat mlik', 'apple juice', 'yog', 'bread'];

const dataDir = await mkdtemp(join(tmpdir(), 'larder-bench-'));
const children: ChildProcess[] = [];
try {
  const keys = await prepare();
  const service = Number(new URL(await startService()).port);
  console.log(`${cpus()[0]!.model}, ${cpus().length} processors, Node ${process.version}`);
  console.log(`${CONNECTIONS} connections, ${ROUNDS} rounds of ${ROUND_MS / 1000} s in turn, medians\n`);
  // Above the number of processors, other programs were in the way, and rates say little.
  console.log(`load average before: ${loadavg()[0]!.toFixed(1)}`);
  const product = await firstProduct(service, keys[0]!);
  for (const [name, prefix, credential] of [
    ['v1', '/v1', (key: string) => `Authorization: Bearer ${key}`],
    ['unversioned', '', (key: string) => `x-api-key: ${key}`],
  ] as const) {
    const ask = (path: string, i: number) =>
      `GET ${prefix}${path} HTTP/1.1\r\nHost: larder\r\n${credential(keys[i]!)}\r\n\r\n`;
    const barcode = keys.map((_, i) => ask(`/foods/barcode/${product}`, i));
    const [sameBytes, bodyAlone] = await startBareServers(
      service,
      `${prefix}/foods/barcode/${product}`,
      keys[0]!,
    );
    const search = keys.map((_, i) =>
      ask(`/foods/search?q=${encodeURIComponent(SEARCHES[i % SEARCHES.length]!)}`, i),
    );
    const [ours, same, body, searches] = await inTurn([
      { port: service, requests: barcode },
      { port: sameBytes!, requests: barcode },
      { port: bodyAlone!, requests: barcode },
      { port: service, requests: search },
    ]);
    print(`${name} barcode`, ours!);
    print('  bare, same bytes', same!, ours!);
    print('  bare, body and length alone', body!, ours!);
    print(`${name} search, 20 foods`, searches!);
  }
} finally {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')));
  rmSync(dataDir, { recursive: true });
}

async function prepare(): Promise<string[]> {
  const config = readConfig({ LARDER_DATA_DIR: dataDir });
  await ensureCatalogue(config);
  const database = await openDatabase(config);
  const issuer = createKeyIssuer(openKeyStore(database));
  const limits = { search: 1_000_000, barcode: 1_000_000 };
  // A key for each connection: even the largest allowance of one is too little for a benchmark.
  const keys = Array.from({ length: CONNECTIONS }, async () => {
    return (await issuer.create({ tenant: 'bench', scopes: ['foods:read'], limits })).text;
  });
  const texts = await Promise.all(keys);
  await database.destroy();
  return texts;
}

async function startService(): Promise<string> {
  const settings = { LARDER_PORT: '0', LARDER_DATA_DIR: dataDir, LARDER_THREADS: '1' };
  const line = await firstLine(['bin/larder.mjs', 'serve'], settings);
  return JSON.parse(line).url;
}

/** The bare servers' ports: with the headers of the service's own answer, and with almost none. */
async function startBareServers(service: number, path: string, key: string): Promise<number[]> {
  const answer = await fetch(`http://127.0.0.1:${service}${path}`, {
    headers: { authorization: `Bearer ${key}`, 'x-api-key': key },
  });
  const body = await answer.text();
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !SENT_BY_NODE.has(name)));
  const few = { 'content-type': headers['content-type'] };
  const start = async (given: object) =>
    Number(await firstLine([fileURLToPath(BARE_SERVER), JSON.stringify({ body, headers: given })], {}));
  return Promise.all([start(headers), start(few)]);
}

async function firstLine(args: readonly string[], settings: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  const [line] = await once(createInterface(child.stdout!), 'line');
  return line;
}

async function firstProduct(port: number, key: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/foods/search?q=chocolate&limit=100`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const foods = (await answer.json()) as { barcode?: string }[];
  return foods.find(({ barcode }) => barcode !== undefined)!.barcode!;
}

/** Each target once a round, so that whatever else the machine does meets them all. */
async function inTurn(
  targets: readonly { port: number; requests: readonly string[] }[],
): Promise<LoadResult[]> {
  for (const target of targets) await runLoad({ ...target, durationMs: ROUND_MS });
  const results = targets.map((): LoadResult[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, target] of targets.entries()) {
      results[i]!.push(await runLoad({ ...target, durationMs: ROUND_MS }));
    }
  }
  return results.map(
    (rounds) => rounds.sort((a, b) => a.requestsPerSecond - b.requestsPerSecond)[rounds.length >> 1]!,
  );
}

function print(what: string, { requestsPerSecond, latenciesUs }: LoadResult, ours?: LoadResult): void {
  const at = (share: number) => latenciesUs[Math.floor((latenciesUs.length - 1) * share)]!.toFixed(0);
  const ratio = ours === undefined ? undefined : ours.requestsPerSecond / requestsPerSecond;
  const verdict = ratio === undefined ? '' : `   we reach ${ratio.toFixed(2)} of it (goal ${GOAL})`;
  const rate = requestsPerSecond.toFixed(0).padStart(6);
  console.log(`${what.padEnd(30)} ${rate} requests/s   p50 ${at(0.5)} us   p99 ${at(0.99)} us${verdict}`);
}
