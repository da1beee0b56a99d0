import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Food } from '@larder/core/food.ts';
import { ChangeHints } from '../../src/db/change-hints.ts';
import { SQLITE } from '../../src/db/dialect.ts';
import { openDatabase } from '../../src/db/sqlite/database.ts';
import { ThreadReads } from '../../src/db/sqlite/reads.ts';
import { DatabaseWriter } from '../../src/db/sqlite/writer.ts';
import { WriterClient } from '../../src/db/sqlite/writer-client.ts';
import { Diary } from '../../src/diary/diary.ts';
import { RecipeBook } from '../../src/diary/recipe-book.ts';
import { DiaryStore } from '../../src/diary/store/diary-store.ts';
import type { FoodDirectoryOptions } from '../../src/foods/visible-foods.ts';
import type { ScanJob, ScanOwner } from '../../src/scan/scan-job.ts';
import { listedFoods } from './listed-foods.ts';

/** A diary over SQLite in a temporary folder, with the foods of a list that may change. */
export async function openDiary({
  foods = [],
  customFoods,
  scans = [],
  nowMs = Date.now,
}: {
  foods?: Food[];
  customFoods?: FoodDirectoryOptions['customFoods'];
  scans?: ScanJob[];
  nowMs?: () => number;
} = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'larder-diary-'));
  const file = join(folder, 'larder.db');
  await (await openDatabase({ file })).close();
  const memory = ChangeHints.createMemory();
  const hints = new ChangeHints({ memory });
  const writer = await DatabaseWriter.start({
    file,
    changeHints: memory,
    onFailure: (cause) => {
      throw cause;
    },
  });
  /** Opens the diary like another thread. */
  const openThread = (limits: { maxNewEntries?: number } = {}) => {
    const reads = ThreadReads.open({ file });
    const client = new WriterClient({ port: writer.connect() });
    const sql = { db: reads, writer: client, dialect: SQLITE };
    return { sql, store: new DiaryStore({ ...sql, hints, ...limits }), close: () => reads.close() };
  };
  const { store, close: closeThread } = openThread();
  const ports = {
    store,
    foods: listedFoods(foods, customFoods && { customFoods }),
    scans: {
      find: async ({ tenant }: ScanOwner, jobId: string) =>
        scans.find((scan) => scan.id === jobId && scan.tenant === tenant),
    },
    nowMs,
    randomBytes,
  };
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= Promise.resolve(closeThread()).then(() => writer.close());
    return stopped;
  };
  return {
    file,
    store,
    hints,
    openThread,
    writer,
    diary: new Diary(ports),
    recipes: new RecipeBook(ports),
    /** Keeps the files, so that the database can be opened again. */
    stop,
    close: async () => {
      await stop();
      await rm(folder, { recursive: true });
    },
  };
}
