/**
 * Measures what webhooks cost, and how soon and how fast they are delivered.
 *
 *     npm run bench -- webhooks [--writes 20000] [--rounds 5] [--deliveries 2000]
 *
 * Goal: an entry of a tenant without webhooks takes at most 1.15 times the processor time that it takes
 * without the feature.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Sqlite from 'better-sqlite3';
import { sql } from '../src/db/sql.ts';
import { openDatabase } from '../src/db/sqlite/database.ts';
import { WriteGroups } from '../src/db/sqlite/write-group.ts';
import { type Change, toStatement, type Write } from '../src/db/writer.ts';
import { cpuSeconds, startDiaryService } from './support/diary-service.ts';
import { inParallel } from './support/raw-http.ts';
import { timingOf, toText } from './support/search-figures.ts';
import { userName } from './support/stored-diary.ts';

const GROUP = 50;
const USERS = 500;
const CONNECTIONS = 32;
const ENTRY = {
  date: '2026-01-31',
  mealType: 'lunch',
  foodName: 'Soup',
  calories: 1,
  protein: 1,
  carbs: 1,
  fat: 1,
};

const { values } = parseArgs({
  options: {
    writes: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '5' },
    deliveries: { type: 'string', default: '2000' },
  },
});
const [writes, rounds, deliveries] = [values.writes, values.rounds, values.deliveries].map(Number) as [
  number,
  number,
  number,
];

await statements();
await service();

/** Processor time of the statement that looks up webhooks, in groups as a busy service commits them. */
async function statements(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-webhooks-'));
  const times: Record<string, number[]> = { none: [], other: [], one: [] };
  for (let round = 0; round < rounds; round++)
    for (const kind of Object.keys(times)) {
      const file = join(folder, `${kind}-${round}.db`);
      await (await openDatabase({ file })).close();
      times[kind]!.push(cpuOf(file, kind));
    }
  rmSync(folder, { recursive: true });
  const us = (kind: string) => `${((median(times[kind]!) * 1000) / writes).toFixed(1)} us`;
  console.log(
    `a logged write in SQLite, processor time: ${us('none')} without webhooks, ${us('other')} with one of another event, ` +
      `${us('one')} with one that is told (medians of ${rounds}, groups of ${GROUP})`,
  );
}

function cpuOf(file: string, kind: string): number {
  const sqlite = new Sqlite(file);
  sqlite.pragma('synchronous = OFF');
  const groups = new WriteGroups({ sqlite });
  if (kind !== 'none')
    sqlite.exec(`insert into webhooks (tenant_id, id, url, events, user_id, secret, base_url, created_at_ms)
      values ('bench', 'a', 'https://a.example/', '${kind === 'one' ? 'diary.changed' : 'scan.failed'}', '', 's', '', 0)`);
  const write = (at: number): Write => {
    const userId = userName(at % USERS);
    const goals = sql`
      insert into diary_goals (tenant_id, user_id, from_date, calories) values ('bench', ${userId}, ${`day-${at}`}, 1)`;
    const change: Change = { tenant: 'bench', userId, kind: 'entry', ids: [`id-${at}`] };
    return { statements: [toStatement(goals.prepared('bench-goals'))], change };
  };
  const before = process.cpuUsage();
  for (let at = 0; at < writes; at += GROUP)
    groups.commit(Array.from({ length: GROUP }, (_, index) => write(at + index)));
  const { user, system } = process.cpuUsage(before);
  sqlite.close();
  return (user + system) / 1000;
}

/** Measures what an entry costs with and without a webhook, and how fast deliveries follow. */
async function service(): Promise<void> {
  const arrivedAt: number[] = [];
  const delays: number[] = [];
  const receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text) => {
      body += text;
    });
    request.on('end', () => {
      const now = Date.now();
      arrivedAt.push(now);
      delays.push(now - Date.parse(JSON.parse(body).timestamp));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const running = await startDiaryService(2);
  const send = (method: string, path: string, users: number, count: number, body: object) =>
    inParallel(
      running.url,
      CONNECTIONS,
      Array.from({ length: count }, (_, at) => userName(at % users)).values(),
      async (connection, user) => {
        const { status } = await connection.send(
          method,
          path.replace('USER', user),
          running.headers,
          JSON.stringify(body),
        );
        if (status >= 300) throw new Error(`the answer is ${status}`);
      },
    );
  const post = (count: number) => send('POST', '/v1/users/USER/diary', USERS, count, ENTRY);
  const costOf = async (count: number) => {
    const before = cpuSeconds(running.pid);
    await post(count);
    return ((cpuSeconds(running.pid) - before) * 1e6) / count;
  };
  await post(2_000);
  const without = [await costOf(writes / 4), await costOf(writes / 4)];
  await send('POST', '/v1/webhooks', 1, 1, { url, events: ['diary.changed'] });
  const withOne = [await costOf(writes / 4), await costOf(writes / 4)];
  console.log(
    `POST of an entry, processor time of the service: ${median(without).toFixed(0)} us without webhooks, ` +
      `${median(withOne).toFixed(0)} us with one and its deliveries to ${USERS} users`,
  );
  await untilQuiet(arrivedAt);
  delays.length = 0;
  for (let at = 0; at < 200; at++) {
    const before = delays.length;
    await post(1);
    while (delays.length === before) await new Promise((resolve) => setTimeout(resolve, 2));
  }
  console.log(`from an entry alone to its delivery: ${toText(timingOf(delays))}`);
  arrivedAt.length = 0;
  const startedAt = Date.now();
  await send('PUT', '/v1/users/USER/goals', deliveries, deliveries, { calories: 2_000 });
  while (arrivedAt.length < deliveries) await new Promise((resolve) => setTimeout(resolve, 20));
  const seconds = (arrivedAt.at(-1)! - startedAt) / 1000;
  console.log(
    `${deliveries} users changed at once, to one webhook: ${(deliveries / seconds).toFixed(0)} deliveries a second`,
  );
  await running.stop();
  receiver.closeAllConnections();
  receiver.close();
}

async function untilQuiet(arrivedAt: readonly number[]): Promise<void> {
  for (let before = -1; before !== arrivedAt.length; ) {
    before = arrivedAt.length;
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[figures.length >> 1]!;
}
