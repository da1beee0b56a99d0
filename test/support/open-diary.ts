import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Food } from '../../src/catalogue/food/food.ts';
import { Diary } from '../../src/diary/diary.ts';
import { RecipeBook } from '../../src/diary/user-recipes.ts';
import type { ScanJob, ScanOwner } from '../../src/scan/scan-job.ts';
import { openDatabase } from '../../src/storage/sqlite/database.ts';
import { SqliteDiaryStore } from '../../src/storage/sqlite/diary-store.ts';
import { DiaryWriter } from '../../src/storage/sqlite/writer.ts';
import { DiaryWriteClient } from '../../src/storage/sqlite/writer-client.ts';
import { listedFoods } from './listed-foods.ts';

/** A diary over SQLite in a temporary folder, over the foods of a list that may change. */
export async function openDiary({
  foods = [],
  scans = [],
  nowMs = Date.now,
  extraSyncMs = 0,
}: {
  foods?: Food[];
  scans?: ScanJob[];
  nowMs?: () => number;
  extraSyncMs?: number;
} = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'larder-diary-'));
  const file = join(folder, 'larder.db');
  await (await openDatabase({ file })).destroy();
  const writer = await DiaryWriter.start({
    file,
    extraSyncMs,
    onFailure: (cause) => {
      throw cause;
    },
  });
  const openStore = () =>
    SqliteDiaryStore.open({ file, writer: new DiaryWriteClient({ port: writer.connect() }) });
  const store = openStore();
  const ports = {
    store,
    foods: listedFoods(foods),
    scans: {
      find: async ({ tenant }: ScanOwner, jobId: string) =>
        scans.find((scan) => scan.id === jobId && scan.tenant === tenant),
    },
    nowMs,
    randomBytes,
  };
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= Promise.resolve(store.close()).then(() => writer.close());
    return stopped;
  };
  return {
    file,
    store,
    openStore,
    writer,
    diary: new Diary(ports),
    recipes: new RecipeBook(ports),
    /** Leaves the files, so that the database can be opened again. */
    stop,
    close: async () => {
      await stop();
      await rm(folder, { recursive: true });
    },
  };
}
