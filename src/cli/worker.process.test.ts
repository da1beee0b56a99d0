import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import Sqlite from 'better-sqlite3';
import { expect, it, vi } from 'vitest';
import { ean13Bars } from '../../test/support/barcode-bars.ts';
import { barcodePicture } from '../../test/support/barcode-picture.ts';
import { SPREAD } from '../../test/support/foods.ts';
import { ANY_NUMBER, newScan } from '../../test/support/new-scan.ts';
import { PATIENCE } from '../../test/support/patience.ts';
import { runLarder } from '../../test/support/run-larder.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import {
  startWorkerProcess,
  type WorkerLine,
  type WorkerProcess,
} from '../../test/support/worker-process.ts';
import { openCatalogueStore } from '../app/catalogue-store.ts';
import { openScanEngine } from '../app/open-backend.ts';
import { createLogger } from '../app/processes/logger.ts';
import { createSharedMemory } from '../app/shared-memory.ts';
import { MAX_OBJECT_BYTES } from '../blobs/object-store.ts';
import { type Config, readConfig } from '../config/config.ts';
import { addFoods } from '../foods/import/complete-foods.ts';
import { MAX_ATTEMPTS } from '../scan/jobs/scan-attempt.ts';
import { analysisKey, imageKey, type ScanId } from '../scan/scan-job.ts';

const JOBS = 1_000;
const KILLS = 10;
const WORKERS = 2;
const LAST_KILL_AT = JOBS - 100;
/** Number of concurrent uploads. */
const CLIENTS = 8;
/** The time-out is long because every job of a killed worker waits until its lease expires. */
const TEST_TIMEOUT_MS = 600_000;
const PICTURE = await (await barcodePicture({ bars: ean13Bars(SPREAD.barcode!), modulePx: 2, heightPx: 30 }))
  .jpeg()
  .toBuffer();

async function openFolder(dataDir: string) {
  const config: Config = readConfig({ LARDER_DATA_DIR: dataDir });
  await addFoods({
    catalogueStore: openCatalogueStore(config),
    origin: 'off',
    sources: ['test'],
    foods: [SPREAD],
    nowMs: Date.now,
  });
  const engine = await openScanEngine(config, {
    memory: createSharedMemory(),
    port: undefined,
    log: createLogger({ level: 'silent', destination: { write() {} } }),
  });
  const create = async (): Promise<ScanId> => {
    const nowMs = Date.now();
    const scan = newScan({ createdAtMs: nowMs, uploadExpiresAtMs: nowMs + 900_000 });
    await engine.scans.create(scan, ANY_NUMBER);
    await engine.objects.put({
      key: imageKey(scan.id),
      contentType: 'image/jpeg',
      body: Readable.from([PICTURE]),
      size: { maxBytes: MAX_OBJECT_BYTES },
    });
    await engine.uploadEvents.stored(imageKey(scan.id));
    return scan.id;
  };
  return { ...engine, create };
}

/** Records each settlement of a job in the database. */
function auditSettlements(dataDir: string) {
  const database = new Sqlite(join(dataDir, 'larder.db'), { timeout: 30_000 });
  database.exec(`
    create table settlements (id text not null);
    create trigger audit after update of status on scans when new.status in ('completed', 'failed')
    begin insert into settlements values (new.id); end`);
  const ids = database.prepare('select id from settlements').pluck();
  const atLast = database
    .prepare("select count(*) from scans where status = 'processing' and attempts >= ?")
    .pluck();
  return {
    /** Whether a worker holds a job in its last attempt; killing that worker would correctly fail the job. */
    isAnyAtItsLastAttempt: () => atLast.get(MAX_ATTEMPTS) !== 0,
    settlements: () => ids.all().length,
    settledIds: () => new Set(ids.all()),
    settleAgain: (id: ScanId) => database.prepare(`update scans set status = 'failed' where id = ?`).run(id),
    [Symbol.dispose]: () => database.close(),
  };
}

/** Kills workers at random times, measured in settled jobs, and starts new ones. */
function startWorkers(dataDir: string, mayKill: () => boolean) {
  const momentsLeft = Array.from({ length: KILLS }, () => randomInt(1, LAST_KILL_AT)).sort((a, b) => b - a);
  const workers: WorkerProcess[] = [];
  let settled = 0;
  const start = () => startWorkerProcess({ LARDER_DATA_DIR: dataDir }, { onLine });
  function onLine({ msg }: WorkerLine): void {
    if (msg !== 'a scan is settled' || ++settled < (momentsLeft.at(-1) ?? Number.POSITIVE_INFINITY)) return;
    if (!mayKill()) return;
    momentsLeft.pop();
    const victim = randomInt(WORKERS);
    workers[victim]!.child.kill('SIGKILL');
    workers[victim] = start();
  }
  for (let index = 0; index < WORKERS; index++) workers.push(start());
  return {
    killsLeft: () => momentsLeft.length,
    /** Returns how the remaining workers ended. */
    stop: () =>
      Promise.all(
        workers.map(async ({ child, started, ended }) => {
          await started;
          child.kill('SIGTERM');
          return ended;
        }),
      ),
  };
}

it(`${JOBS} jobs settle exactly once, while ${KILLS} workers are killed at random`, {
  timeout: TEST_TIMEOUT_MS,
}, async () => {
  using folder = tempFolder();
  const scans = await openFolder(folder.path);
  using audit = auditSettlements(folder.path);
  const workers = startWorkers(folder.path, () => !audit.isAnyAtItsLastAttempt());
  const ids: ScanId[] = [];
  let left = JOBS;
  const client = async () => {
    while (left-- > 0) ids.push(await scans.create());
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  await expect.poll(() => audit.settledIds().size, { timeout: TEST_TIMEOUT_MS, interval: 200 }).toBe(JOBS);
  expect(await workers.stop()).toEqual([0, 0]);

  expect(workers.killsLeft()).toBe(0);
  expect(audit.settledIds()).toEqual(new Set(ids));
  expect(audit.settlements()).toBe(JOBS);
  for (const job of await scans.scans.findByIds(ids)) {
    expect(job).toMatchObject({ status: 'completed', result: { name: SPREAD.name } });
    const analysis = await scans.objects.read(analysisKey(job.id));
    expect(await json(analysis!.body)).toMatchObject({ jobId: job.id, items: [{ foodId: SPREAD.id }] });
  }
  // This shows that a second settlement would be recorded.
  audit.settleAgain(ids[0]!);
  expect(audit.settlements()).toBe(JOBS + 1);
  await scans.close();
});

it('a worker reports what it needs to run', async () => {
  using folder = tempFolder();
  const settings = { LARDER_DATA_DIR: folder.path };
  const worker = startWorkerProcess(settings, { args: ['--concurrency', '0'] });
  expect(await worker.ended).toBe(2);
  expect(worker.err.join('\n')).toBe('larder: --concurrency must be a whole number from 1 to 64.');
});

it('a worker with a port serves its health and metrics of its scans', async () => {
  using folder = tempFolder();
  const settings = { LARDER_DATA_DIR: folder.path };
  const scans = await openFolder(folder.path);
  const words = ['key', 'create', '--tenant', 'acme', '--scopes', 'metrics', '--json'];
  const { key } = JSON.parse(await runLarder(settings, ...words));
  const settled = Promise.withResolvers<void>();
  await using worker = startWorkerProcess(
    { ...settings, LARDER_WORKER_PORT: '0' },
    { onLine: ({ msg }) => msg === 'a scan is settled' && settled.resolve() },
  );
  await worker.started;
  const { port } = worker.lines.find((line) => line.port !== undefined)!;
  const url = `http://127.0.0.1:${port}`;
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const ready = await fetch(`${url}/readyz`);
  expect(await ready.json()).toMatchObject({ status: 'ready', catalogue: { foods: 1 } });

  await scans.create();
  await settled.promise;
  const headers = { authorization: `Bearer ${key}` };
  const metrics = async () => (await fetch(`${url}/metrics`, { headers })).text();
  await vi.waitFor(
    async () =>
      expect(await metrics()).toContain('larder_scan_duration_seconds_count{outcome="completed"} 1\n'),
    PATIENCE,
  );
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toBe(0);
  await scans.close();
});
