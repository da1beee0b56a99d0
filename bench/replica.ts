/**
 * What does a read replica take off the primary, and what does it cost the reader? The diary store alone, over a primary
 * and over a streaming replica of it on the same machine, by turns in one run: a day's list of 10 and the totals of a
 * year, 1 and 16 at a time. Processor time is that of all processes of the primary.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { toReads, toSql } from '../src/db/postgres/database.ts';
import { DatabasePool } from '../src/db/postgres/database-pool.ts';
import { migrateDatabase } from '../src/db/postgres/migrate.ts';
import { ReplicaReads } from '../src/db/postgres/replica-reads.ts';
import { oneDay, parseDayRange } from '../src/diary/records/day.ts';
import { SqlDiaryStore } from '../src/diary/store/diary-store.ts';
import { newEntry } from '../test/support/diary-entries.ts';
import {
  createDatabase,
  onServer,
  startPostgres,
  startReplica,
  stopPostgres,
} from '../test/support/postgres-server.ts';

const ROUNDS = 3;
const ROUND_MS = 1_500;
const USERS = 16;
const YEAR = parseDayRange('2026-01-01', '2026-12-31');
const LIMITS = { waitTimeoutMs: 5_000, statementTimeoutMs: 10_000 };
/** Of `/proc`, in a second. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

interface Figures {
  readonly rate: number;
  readonly medianMs: number;
  readonly primaryUs: number;
}

const primary = startPostgres({ isDurable: true });
const replica = startReplica(primary);
try {
  const url = await createDatabase(primary);
  await migrateDatabase(url, LIMITS);
  const [pool, replicaPool] = [url, onServer(url, replica)].map(
    (each) => new DatabasePool({ url: each, connections: USERS, limits: LIMITS }),
  ) as [DatabasePool, DatabasePool];
  const alone = new SqlDiaryStore(toSql(pool));
  for (let at = 0; at < USERS; at++) await fill(alone, at);
  // The replica has the database by then.
  await sleep(2_000);
  const reads = await ReplicaReads.open({
    primary: pool,
    replica: replicaPool,
    nowMs: () => performance.now(),
    sleep,
    onChange: (isUsed, reason) => console.log(isUsed ? 'the replica is used' : `not used: ${reason}`),
  });
  const split = new SqlDiaryStore({ ...toSql(pool), lists: toReads(reads) });
  console.log(`${cpus()[0]!.model}, ${cpus().length} processors, Node ${process.version}`);
  console.log(
    `${ROUNDS} rounds of ${ROUND_MS / 1000} s by turns, medians; load ${loadavg()[0]!.toFixed(1)}\n`,
  );
  for (const atOnce of [1, USERS]) {
    await compare(`a day's list of 10, ${atOnce} at once`, atOnce, (store, at) =>
      store.listEntries(owner(at), { range: oneDay(YEAR.from), limit: 100 }),
    );
    await compare(`totals of a year, ${atOnce} at once`, atOnce, (store, at) =>
      store.sumDays(owner(at), YEAR),
    );
  }
  reads.close();
  await Promise.all([pool.end(), replicaPool.end()]);

  async function compare(
    name: string,
    atOnce: number,
    read: (store: SqlDiaryStore, at: number) => Promise<unknown>,
  ): Promise<void> {
    const results: Figures[][] = [[], []];
    for (const store of [alone, split]) await measure(atOnce, (at) => read(store, at), ROUND_MS / 3);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [way, store] of [alone, split].entries())
        results[way]!.push(await measure(atOnce, (at) => read(store, at), ROUND_MS));
    }
    const [one, other] = results.map((rounds) => rounds.toSorted((a, b) => a.rate - b.rate)[ROUNDS >> 1]!);
    console.log(`${name.padEnd(34)} primary ${show(one!)}   replica ${show(other!)}`);
  }
} finally {
  stopPostgres(replica);
  stopPostgres(primary);
}

function owner(at: number) {
  return { tenant: 'bench', userId: `user-${at}` };
}

async function fill(store: SqlDiaryStore, at: number): Promise<void> {
  const first = Date.parse(YEAR.from);
  for (let day = 0; day < 365; day++) {
    const date = new Date(first + day * 86_400_000).toISOString().slice(0, 10) as typeof YEAR.from;
    await store.addEntries(
      owner(at),
      Array.from({ length: 10 }, () => newEntry({ date })),
    );
  }
}

async function measure(atOnce: number, read: (at: number) => Promise<unknown>, ms: number): Promise<Figures> {
  const took: number[] = [];
  const [startedMs, startedTicks] = [performance.now(), primaryTicks()];
  const until = startedMs + ms;
  const client = async (at: number) => {
    while (performance.now() < until) {
      const before = performance.now();
      await read(at);
      took.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, at) => client(at)));
  const seconds = (performance.now() - startedMs) / 1000;
  return {
    rate: took.length / seconds,
    medianMs: took.toSorted((a, b) => a - b)[took.length >> 1]!,
    primaryUs: ((primaryTicks() - startedTicks) / TICKS / took.length) * 1e6,
  };
}

/** Processor time of the primary's processes so far. */
function primaryTicks(): number {
  const postmaster = readFileSync(join(primary, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]!;
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const fields = statOf(pid);
    // Its parent; its time in user and system mode.
    if (fields?.[1] === postmaster) ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks;
}

/** The fields after the name, which may hold spaces; undefined for a process that has ended. */
function statOf(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

function show({ rate, medianMs, primaryUs }: Figures): string {
  return `${rate.toFixed(0).padStart(5)}/s p50 ${medianMs.toFixed(2)} ms, ${primaryUs.toFixed(0)} us of the primary`;
}
