/**
 * Is the diary fast enough, and does a slow disk hold anybody up?
 *
 *     npm run bench -- diary [--part replay|list|slow-sync|stored] [--days 51374] [--singles 60000] [--entries 10000000]
 *
 * Goals: 3,000 entries/s in batches and 1,500/s singly over HTTP; 500 single writes/s with a sync of 10 ms while reads
 * keep their latency; under 1 ms at p99 for a day's list and totals with 10 M entries; a day's list over HTTP within
 * 1.6 times a bare node:http answer of the same bytes.
 */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SQLITE } from '../src/db/dialect.ts';
import { ThreadReads } from '../src/db/sqlite/reads.ts';
import { oneDay, parseDay } from '../src/diary/records/day.ts';
import { DiaryStore } from '../src/diary/store/diary-store.ts';
import { newEntry } from '../test/support/diary-entries.ts';
import { openDiary } from '../test/support/open-diary.ts';
import { cpuSeconds, startDiaryService } from './support/diary-service.ts';
import { readNhanesDays } from './support/nhanes-days.ts';
import { inParallel, RawConnection } from './support/raw-http.ts';
import { timingOf, toText } from './support/search-figures.ts';
import { SLOW_SYNC_MS } from './support/slow-sync.ts';
import { ensureStoredDiary, userName } from './support/stored-diary.ts';

const CONNECTIONS = 32;
const LIST_REQUESTS = 20_000;
const LIST_DAYS = 4_000;
const LIST_ROUNDS = 5;
const STORED_QUERIES = 20_000;
const SLOW_SYNC = new URL('./support/slow-sync.ts', import.meta.url).href;
const SLOW_SYNC_SECONDS = 5;
const SLOW_SYNC_WRITERS = 64;

const { values } = parseArgs({
  options: {
    part: { type: 'string' },
    days: { type: 'string', default: '51374' },
    singles: { type: 'string', default: '60000' },
    entries: { type: 'string', default: '10000000' },
  },
});
const parts = { replay, list, 'slow-sync': slowSync, stored };
for (const [name, run] of Object.entries(parts)) {
  if (values.part === undefined || values.part === name) await run();
}

async function replay(): Promise<void> {
  const days = readNhanesDays().slice(0, Number(values.days));
  const service = await startDiaryService(2);
  const post = async (connection: RawConnection, userId: string, body: string) => {
    const { status, body: answer } = await connection.send(
      'POST',
      `/v1/users/${userId}/diary${body.startsWith('[') ? '/batch' : ''}`,
      service.headers,
      body,
    );
    if (status !== 201) throw new Error(`${status} ${answer.toString()}`);
  };

  const batches = days.flatMap(({ userId, entries }) =>
    chunks(entries, 100).map((chunk) => ({ userId, count: chunk.length, body: JSON.stringify(chunk) })),
  );
  await measure(
    `replay in batches of a user-day (${days.length} user-days)`,
    { pid: service.pid, entries: batches.reduce((sum, { count }) => sum + count, 0) },
    () =>
      inParallel(service.url, CONNECTIONS, batches.values(), (connection, { userId, body }) =>
        post(connection, userId, body),
      ),
  );

  const singles = days
    .flatMap(({ userId, entries }) =>
      entries.map((entry) => ({ userId: `${userId}-s`, body: JSON.stringify(entry) })),
    )
    .slice(0, Number(values.singles));
  await measure('replay one by one', { pid: service.pid, entries: singles.length }, () =>
    inParallel(service.url, CONNECTIONS, singles.values(), (connection, { userId, body }) =>
      post(connection, userId, body),
    ),
  );
  await service.stop();
}

async function measure(
  what: string,
  { pid, entries }: { pid: number; entries: number },
  run: () => Promise<number[]>,
): Promise<void> {
  const cpuBefore = cpuSeconds(pid);
  const startedAt = performance.now();
  const milliseconds = await run();
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(
    `${what}: ${entries} entries in ${seconds.toFixed(1)} s = ${Math.round(entries / seconds)} entries/s, ` +
      `${Math.round(((cpuSeconds(pid) - cpuBefore) * 1e6) / entries)} us of the service's processor time each; ` +
      `ms a request p50, p95, p99, max: ${toText(timingOf(milliseconds))}`,
  );
}

/**
 * Compares one API thread with one thread of node:http that returns the same bytes. Rounds alternate and the
 * best counts. Uses processor time, which is reliable on a busy machine.
 */
async function list(): Promise<void> {
  const service = await startDiaryService(1);
  const days = readNhanesDays().slice(0, LIST_DAYS);
  const path = ({ userId }: { userId: string }) => `/v1/users/${userId}/diary`;
  await inParallel(service.url, CONNECTIONS, days.values(), async (connection, day) => {
    await connection.send(
      'POST',
      `${path(day)}/batch`,
      service.headers,
      JSON.stringify(day.entries.slice(0, 100)),
    );
  });
  const first = days[0]!;
  const today = `${path(first)}?date=${first.date}`;
  const connection = await RawConnection.open(service.url);
  const bytes = (await connection.send('GET', today, service.headers)).body.toString();
  connection.close();
  const bare = await startBareServer(bytes);

  const costOf = async ({ url, pid }: { url: string; pid: number }, addresses: readonly string[]) => {
    const before = cpuSeconds(pid);
    await inParallel(url, CONNECTIONS, addresses.values(), async (client, address) => {
      const { status } = await client.send('GET', address, service.headers);
      if (status !== 200) throw new Error(String(status));
    });
    return ((cpuSeconds(pid) - before) * 1e6) / addresses.length;
  };
  const again = Array<string>(LIST_REQUESTS).fill(today);
  const best = {
    unread: Number.POSITIVE_INFINITY,
    again: Number.POSITIVE_INFINITY,
    bare: Number.POSITIVE_INFINITY,
  };
  for (let round = 0; round < LIST_ROUNDS; round++) {
    // A range that was not requested before is read from the database.
    const unread = days.map(
      (day) => `${path(day)}?from=${day.date.slice(0, 8)}01&to=${day.date.slice(0, 8)}${28 - round}`,
    );
    best.unread = Math.min(best.unread, await costOf(service, unread));
    best.again = Math.min(best.again, await costOf(service, again));
    best.bare = Math.min(best.bare, await costOf(bare, again));
  }
  const ratio = (cost: number) => `${cost.toFixed(0)} us (${(cost / best.bare).toFixed(1)} times)`;
  console.log(
    `list of a day over HTTP (about ${bytes.length} bytes), processor time a request: ` +
      `bare node:http ${best.bare.toFixed(0)} us, unchanged since it was read ${ratio(best.again)}, ` +
      `from the database ${ratio(best.unread)}`,
  );
  bare.stop();
  await service.stop();
}

async function startBareServer(bytes: string): Promise<{ pid: number; url: string; stop: () => void }> {
  const program = `
    const body = process.env.BODY;
    const server = require('node:http').createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) });
      response.end(body);
    });
    server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ['-e', program], {
    env: { BODY: bytes },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<string>((resolve) =>
    child.stdout.once('data', (text) => resolve(String(text).trim())),
  );
  return { pid: child.pid!, url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

/**
 * Runs in a separate process, whose writing thread loads `slow-sync.ts` first. Reads are timed on the thread
 * that also sends the writes, as on an API thread.
 */
async function slowSync(): Promise<void> {
  if (!process.execArgv.includes(SLOW_SYNC)) {
    const program = [fileURLToPath(import.meta.url), '--part', 'slow-sync'];
    spawnSync(process.execPath, ['--import', SLOW_SYNC, ...program], { stdio: 'inherit' });
    return;
  }
  const opened = await openDiary();
  const owner = { tenant: 'bench', userId: 'reader' };
  await opened.store.addEntries(
    owner,
    Array.from({ length: 15 }, () => newEntry()),
  );
  const idle = await timeReads(opened.store, owner);
  let written = 0;
  let writing = true;
  const writers = Array.from({ length: SLOW_SYNC_WRITERS }, async (_, writer) => {
    for (; writing; written++)
      await opened.store.addEntries({ tenant: 'bench', userId: `w${writer}` }, [newEntry()]);
  });
  const startedAt = performance.now();
  const loaded = await timeReads(opened.store, owner);
  writing = false;
  const rate = written / ((performance.now() - startedAt) / 1000);
  await Promise.all(writers);
  console.log(
    `sync made ${SLOW_SYNC_MS} ms slower: ${Math.round(rate)} single writes/s from ${SLOW_SYNC_WRITERS} writers; ` +
      `ms to read a day p50, p95, p99, max: idle${toText(idle)}, while writing${toText(loaded)}`,
  );
  await opened.close();
}

async function timeReads(store: DiaryStore, owner: { tenant: string; userId: string }) {
  const milliseconds: number[] = [];
  const range = oneDay(parseDay('2026-01-31'));
  const end = performance.now() + SLOW_SYNC_SECONDS * 1000;
  while (performance.now() < end) {
    const startedAt = performance.now();
    await store.listEntries(owner, { range, limit: 100 });
    milliseconds.push(performance.now() - startedAt);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return timingOf(milliseconds);
}

async function stored(): Promise<void> {
  const { file, users, days } = await ensureStoredDiary(Number(values.entries));
  const reads = ThreadReads.open({ file });
  const writer = { write: () => Promise.reject(new Error('read only')) };
  const store = new DiaryStore({ dialect: SQLITE, db: reads, writer });
  const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!;
  const lists: number[] = [];
  const totals: number[] = [];
  for (let query = 0; query < STORED_QUERIES; query++) {
    const owner = { tenant: 'bench', userId: userName(Math.floor(Math.random() * users)) };
    const range = oneDay(pick(days));
    const startedAt = performance.now();
    const entries = await store.listEntries(owner, { range, limit: 100 });
    const listedAt = performance.now();
    const sums = await store.sumDays(
      { ...owner, userId: userName(Math.floor(Math.random() * users)) },
      range,
    );
    totals.push(performance.now() - listedAt);
    lists.push(listedAt - startedAt);
    if (entries.length === 0 || sums.length === 0) throw new Error('a day is empty');
  }
  console.log(`${values.entries} entries stored, random user and day, ms p50, p95, p99, max:`);
  console.log(`  list   ${toText(timingOf(lists))}`);
  console.log(`  totals ${toText(timingOf(totals))}`);
  reads.close();
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
}
