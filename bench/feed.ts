/**
 * What does the feed of changes cost?
 *
 *     npm run bench -- feed [--entries 10000000] [--writes 40000] [--rounds 5]
 *
 * Goals: a page of 100 changes p99 5 ms with 10 M entries, first pages and later ones; a write with its row in the log at most 1.15 times
 * the processor time of a write without.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Sqlite from 'better-sqlite3';
import { changeObject } from '../src/api/changes/feed-json.ts';
import { ChangeLog } from '../src/changes/change-log.ts';
import { ChangeWatch } from '../src/changes/change-watch.ts';
import { readEpoch } from '../src/changes/epoch.ts';
import { ChangeHints } from '../src/db/change-hints.ts';
import { SQLITE } from '../src/db/dialect.ts';
import { openDatabase } from '../src/db/sqlite/database.ts';
import { ThreadReads } from '../src/db/sqlite/reads.ts';
import { WriteGroups } from '../src/db/sqlite/write-group.ts';
import type { Write, Writer } from '../src/db/writer.ts';
import { FeedPages } from '../src/diary/feed/feed-pages.ts';
import { UserFeed } from '../src/diary/feed/user-feed.ts';
import { DiaryStore } from '../src/diary/store/diary-store.ts';
import { CustomFoodStore } from '../src/foods/custom/custom-food-store.ts';
import { newEntry } from '../test/support/diary-entries.ts';
import { cpuSeconds, startDiaryService } from './support/diary-service.ts';
import { inParallel } from './support/raw-http.ts';
import { timingOf, toText } from './support/search-figures.ts';
import { ensureStoredDiary, userName } from './support/stored-diary.ts';

const PAGES = 5_000;
const PAGE = 100;
const GROUP = 50;
const USERS = 500;
const CONNECTIONS = 32;
const REQUESTS = 20_000;

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '10000000' },
    writes: { type: 'string', default: '40000' },
    rounds: { type: 'string', default: '5' },
  },
});

await pages();
await writes();

/** Reads pages of random users in one database: the first ones, then those that follow a cursor. */
async function pages(): Promise<void> {
  const { file, users } = await ensureStoredDiary(Number(values.entries));
  logEntries(file);
  const reads = ThreadReads.open({ file });
  const refuse = async (): Promise<never> => {
    throw new Error('nothing is written');
  };
  const sql = { db: reads, writer: { write: refuse } as Writer, dialect: SQLITE };
  const watch = new ChangeWatch({
    db: sql.db,
    hints: new ChangeHints({ memory: ChangeHints.createMemory() }),
    pollMs: 10_000,
    onError: console.error,
  });
  const feeds = new FeedPages({
    feed: new UserFeed({
      log: new ChangeLog(sql),
      diaries: new DiaryStore(sql),
      foods: new CustomFoodStore(sql),
    }),
    watch,
    readEpoch: () => readEpoch(sql),
  });
  const signal = new AbortController().signal;
  const read = (userId: string, cursor?: string) => {
    const owner = { tenant: 'bench', userId };
    return feeds.page({
      ...{ owner, cursor, signal, hasFoods: true, limit: PAGE, waitMs: 0 },
      toObject: (change) =>
        changeObject(change, owner, { entry: (entry) => entry, recipe: (recipe) => recipe }),
    });
  };
  const anyUser = () => userName(Math.floor(Math.random() * users));
  const [first, next, idle, followed] = [[], [], [], []] as number[][];
  const timed = async <T>(into: number[], work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const done = await work();
    into.push(performance.now() - startedAt);
    return done;
  };
  for (let at = 0; at < PAGES; at++) {
    const user = anyUser();
    const { cursor } = await timed(first!, async () => JSON.stringify(await read(user))).then((text) =>
      JSON.parse(text),
    );
    await timed(next!, async () => JSON.stringify(await read(user, cursor)));
  }
  // Every user has the same number of entries, whose log begins at 0.
  for (let at = 0; at < PAGES / 50; at++) {
    const user = anyUser();
    let cursor: string | undefined;
    for (let more = true; more; ) ({ cursor, more } = await read(user, cursor));
    for (let times = 0; times < 50; times++)
      await timed(idle!, async () => JSON.stringify(await read(user, cursor)));
    const behind = await rewound(user, cursor!);
    for (let times = 0; times < 50; times++)
      await timed(followed!, async () => JSON.stringify(await read(user, behind)));
  }
  console.log(`pages of ${PAGE} with ${users * 1_500} entries, each of another user`);
  for (const [name, times] of Object.entries({
    'the first page': first!,
    'the second page': next!,
    'a page of the log': followed!,
    'nothing new': idle!,
  }))
    console.log(`  ${name}: ${toText(timingOf(times))}`);
  reads.close();

  /** A cursor 100 numbers before the end of the user's log. */
  async function rewound(userId: string, cursor: string): Promise<string> {
    const { parseCursor, toCursor } = await import('../src/diary/feed/feed-position.ts');
    const owner = { tenant: 'bench', userId };
    const epoch = await readEpoch(sql);
    const position = parseCursor(cursor, owner, epoch);
    return toCursor({ ...position, diary: { seq: position.diary.seq - PAGE } }, owner, epoch);
  }
}

/** Adds the log rows that writing the stored entries would have added, once. */
function logEntries(file: string): void {
  const sqlite = new Sqlite(file);
  const [known] = sqlite.prepare('select 1 from changes limit 1').all();
  if (known === undefined) {
    console.log('logging the entries, once');
    sqlite.pragma('journal_mode = OFF');
    sqlite.pragma('synchronous = OFF');
    sqlite.pragma('cache_size = -1000000');
    sqlite.exec(`
      drop index changes_by_seq;
      insert into changes (tenant_id, user_id, kind, id, seq, deleted)
        select tenant_id, user_id, 'entry', id, row_number() over (partition by tenant_id, user_id order by id), 0 from diary_entries
        order by tenant_id, user_id, id;
      create unique index changes_by_seq on changes (tenant_id, user_id, seq);
      insert into change_heads select tenant_id, user_id, 0, max(seq) from changes group by tenant_id, user_id`);
    sqlite.pragma('journal_mode = WAL');
  }
  sqlite.close();
}

/**
 * Processor time of the writer for single entries, committed in groups as in a busy service, with and without
 * the log.
 */
async function writes(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-feed-'));
  const empty = join(folder, 'empty.db');
  await (await openDatabase({ file: empty })).close();
  const times: Record<'with' | 'without', number[]> = { with: [], without: [] };
  for (let round = 0; round < Number(values.rounds); round++)
    for (const kind of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
      const file = join(folder, `${kind}-${round}.db`);
      copyFileSync(empty, file);
      times[kind].push(await cpuOf(file, kind === 'with'));
      for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
    }
  rmSync(folder, { recursive: true });
  const [logged, plain] = [median(times.with), median(times.without)];
  const perWrite = (ms: number) => `${((ms * 1000) / Number(values.writes)).toFixed(1)} us`;
  console.log(
    `statements of a new entry, processor time: ${perWrite(logged)} with the feed, ${perWrite(plain)} without ` +
      `(medians of ${values.rounds}, groups of ${GROUP})`,
  );
  const differenceUs = ((logged - plain) * 1000) / Number(values.writes);
  const requestUs = await requestCost();
  console.log(
    `POST of an entry, processor time of the service: ${requestUs.toFixed(0)} us with the feed, ` +
      `${(requestUs - differenceUs).toFixed(0)} us without: ${(requestUs / (requestUs - differenceUs)).toFixed(2)} times`,
  );
}

/** Processor time of a service for each entry that is posted alone, in microseconds. */
async function requestCost(): Promise<number> {
  const service = await startDiaryService(2);
  const entry = {
    date: '2026-01-31',
    mealType: 'lunch',
    foodName: 'Soup',
    calories: 1,
    protein: 1,
    carbs: 1,
    fat: 1,
  };
  const body = JSON.stringify(entry);
  const post = (count: number) =>
    inParallel(
      service.url,
      CONNECTIONS,
      Array.from({ length: count }, (_, at) => userName(at % USERS)).values(),
      async (connection, user) => {
        const { status } = await connection.send('POST', `/v1/users/${user}/diary`, service.headers, body);
        if (status !== 201) throw new Error(`the answer is ${status}`);
      },
    );
  await post(5_000);
  const startedAt = cpuSeconds(service.pid);
  await post(REQUESTS);
  const used = cpuSeconds(service.pid) - startedAt;
  await service.stop();
  return (used * 1e6) / REQUESTS;
}

async function cpuOf(file: string, isLogged: boolean): Promise<number> {
  const sqlite = new Sqlite(file);
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = FULL');
  sqlite.pragma('wal_autocheckpoint = 4000');
  const groups = new WriteGroups({ sqlite });
  const gathered: Write[] = [];
  const store = new DiaryStore({
    db: { all: async () => [] },
    dialect: SQLITE,
    writer: {
      async write<Row>(write: Write) {
        const { change, ...others } = write;
        gathered.push(isLogged ? write : others);
        return { rows: [] as Row[], changes: 1 };
      },
    },
  });
  const made: Promise<void>[] = [];
  for (let at = 0; at < Number(values.writes); at++)
    made.push(store.addEntries({ tenant: 'bench', userId: userName(at % USERS) }, [newEntry()]));
  await Promise.all(made);
  const startedAt = process.cpuUsage();
  for (let at = 0; at < gathered.length; at += GROUP) groups.commit(gathered.slice(at, at + GROUP));
  const { user, system } = process.cpuUsage(startedAt);
  sqlite.close();
  return (user + system) / 1000;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}
