/**
 * Measures what idle scan streams cost a service with one API thread: memory, processor time while nothing
 * happens, and the delay of a change while all of them are open. The streams are of different jobs, over
 * separate connections.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { Larder } from '#larder-client';
import { openCatalogueStore } from '../src/app/catalogue-store.ts';
import { createKeyIssuer, openKeyStore } from '../src/app/keys.ts';
import { openDatabase } from '../src/app/open-backend.ts';
import { readConfig } from '../src/config/config.ts';
import { addFoods } from '../src/foods/import/complete-foods.ts';
import { COLA, SPREAD } from '../test/support/foods.ts';
import { cpuSeconds } from './support/diary-service.ts';
import { createScan } from './support/scan-client.ts';

const STREAMS = Number(process.argv[2] ?? 5_000);
const WARM_UP_STREAMS = Math.min(300, STREAMS);
const AT_ONCE = 50;
/** Longer than one heartbeat. */
const IDLE_MS = 20_000;
const SAMPLES = 10;
const NO_LIMIT = 1_000_000;
const MAIN = join(import.meta.dirname, '../src/cli/main.ts');

const folder = mkdtempSync(join(tmpdir(), 'larder-bench-streams-'));
const env = {
  LARDER_DATA_DIR: folder,
  LARDER_PORT: '0',
  LARDER_THREADS: '1',
  LARDER_LOG_LEVEL: 'warn',
  LARDER_UNFINISHED_SCANS_PER_TENANT: '1000000',
};
const key = await prepare();
const child = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
const url = new URL(await listeningAddress(child));
const pid = child.pid!;

const jobs = await inBatches(STREAMS, createJob);
for (const socket of await inBatches(WARM_UP_STREAMS, (at) => openStream(jobs[at]!))) socket.destroy();
const before = await idle();
const sockets = await inBatches(STREAMS, (at) => openStream(jobs[at]!));
const during = await idle();
const delaysMs: number[] = [];
for (let at = 0; at < Math.min(50, STREAMS); at++) delaysMs.push(await untilEnded(sockets[at]!, jobs[at]!));
for (const socket of sockets) socket.destroy();
const after = await idle();

console.log(`streams                          ${STREAMS}`);
console.log(`resident memory without          ${before.mb.toFixed(0)} MB`);
console.log(`with all of them open and idle   ${during.mb.toFixed(0)} MB`);
console.log(`added                            ${(during.mb - before.mb).toFixed(0)} MB`);
console.log(`after they are closed            ${after.mb.toFixed(0)} MB`);
console.log(`processor without, with          ${before.cpu.toFixed(1)} %, ${during.cpu.toFixed(1)} % of one`);
console.log(
  `a deleted job's stream ends      p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms after the request`,
);
const ended = new Promise((resolve) => child.once('exit', resolve));
child.kill('SIGTERM');
await ended;
rmSync(folder, { recursive: true });

async function prepare(): Promise<string> {
  const config = readConfig(env);
  const database = await openDatabase(config);
  const { text } = await createKeyIssuer(openKeyStore(database)).create({
    tenant: 'bench',
    scopes: ['scan'],
    limits: { scanCreate: NO_LIMIT, stream: NO_LIMIT, other: NO_LIMIT },
  });
  await database.close();
  const catalogueStore = openCatalogueStore(config);
  const foods = [SPREAD, COLA];
  await addFoods({
    catalogueStore,
    origin: 'off',
    sources: ['bench'],
    foods,
    known: [],
    nowMs: Date.now,
  });
  return text;
}

async function createJob(): Promise<string> {
  return (await createScan(url.origin, key)).jobId;
}

/** Resolves at its first message. */
function openStream(job: string): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname);
  socket.write(
    `GET /v1/scan/image/${job}/stream HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  );
  return new Promise((resolve, reject) => {
    let text = '';
    socket.once('error', reject);
    socket.on('data', (chunk) => {
      if (text.length > 2_000) return;
      text += chunk;
      if (text.includes('\ndata: ')) resolve(socket);
      else if (!text.startsWith('HTTP/1.1 200')) reject(new Error(text));
    });
  });
}

async function untilEnded(socket: Socket, job: string): Promise<number> {
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const startedMs = performance.now();
  await new Larder({ url, key }).scans.remove(job);
  await closed;
  return performance.now() - startedMs;
}

/** Memory (median) and processor time of the idle service. */
async function idle(): Promise<{ readonly mb: number; readonly cpu: number }> {
  await setTimeout(IDLE_MS);
  const [cpuBefore, startedMs] = [cpuSeconds(pid), performance.now()];
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    samples.push(residentMb());
    await setTimeout(1_000);
  }
  const cpu = ((cpuSeconds(pid) - cpuBefore) / (performance.now() - startedMs)) * 100_000;
  return { mb: samples.toSorted((a, b) => a - b)[SAMPLES / 2]!, cpu };
}

/** From Linux's /proc. */
function residentMb(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024;
}

async function inBatches<T>(count: number, make: (at: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  while (made.length < count) {
    const size = Math.min(AT_ONCE, count - made.length);
    made.push(...(await Promise.all(Array.from({ length: size }, (_, at) => make(made.length + at)))));
  }
  return made;
}

function quantile(share: number): string {
  const sorted = delaysMs.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(1);
}

function listeningAddress(service: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    service.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
    createInterface({ input: service.stderr! }).on('line', (line) => {
      const address = /listens on (http\S+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
      else if (/error|warn/.test(line)) console.error(line);
    });
  });
}
