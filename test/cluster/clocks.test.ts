import { Readable } from 'node:stream';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { openCatalogueStore } from '../../src/app/catalogue-store.ts';
import { openScanEngine } from '../../src/app/open-backend.ts';
import { openPublished } from '../../src/app/open-published.ts';
import { openWorkerHealth } from '../../src/app/processes/worker-health.ts';
import { createSharedMemory } from '../../src/app/shared-memory.ts';
import { type ClusterConfig, readConfig } from '../../src/config/config.ts';
import { LEASE_MS } from '../../src/scan/jobs/scan-attempt.ts';
import { imageKey } from '../../src/scan/scan-job.ts';
import { clusterSettings } from '../support/cluster-settings.ts';
import { MemoryLog } from '../support/memory-log.ts';
import { ANY_NUMBER, newScan } from '../support/new-scan.ts';
import { storeFoods } from '../support/store-foods.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const HOUR_MS = 60 * 60_000;
const ENTRY = {
  date: '2030-01-01',
  mealType: 'lunch',
  foodName: 'Soup',
  calories: 1,
  protein: 1,
  carbs: 1,
  fat: 1,
};

const trueNow = Date.now;
afterEach(() => vi.restoreAllMocks());

describe.skipIf(inject('cluster') === undefined)('two nodes, one with a clock that is an hour ahead', () => {
  test("write consistent times, keep each other's claims and accept each other's tokens", async () => {
    const cluster = await clusterSettings();
    await using right = await openTestServer({ cluster });
    vi.spyOn(Date, 'now').mockImplementation(() => trueNow() + HOUR_MS);
    await using ahead = await openTestServer({ cluster });
    const key = await right.createKey(['diary:read', 'diary:write']);
    const write = (node: TestServer, name: string, credential = key) =>
      node.ask({
        method: 'POST',
        url: '/v1/users/ann/diary',
        payload: ENTRY,
        headers: { authorization: `Bearer ${credential}`, 'idempotency-key': name },
      });

    const beganMs = trueNow();
    const written = (await write(ahead, 'lunch')).json();
    expect(Math.abs(Date.parse(written.createdAt) - beganMs)).toBeLessThan(HOUR_MS / 2);
    expect((await write(right, 'lunch')).json()).toEqual(written);

    const payload = { grant_type: 'client_credentials', client_secret: key, user_id: 'ann' };
    const issued = await right.ask({ method: 'POST', url: '/v1/auth/token', payload });
    expect((await write(ahead, 'dinner', issued.json().access_token)).statusCode).toBe(201);
    expect(ahead.log.join()).toContain("this machine's clock differs from the database's");
    expect(right.log.join()).not.toContain('clock');
  });

  test('publish catalogues concurrently, and workers use the same keys', async () => {
    const cluster = await clusterSettings();
    await using right = await openTestServer({ cluster });
    const nowSeconds = Math.floor(trueNow() / 1000);
    const key = await right.createKey(['metrics'], nowSeconds + HOUR_MS / 2000);
    vi.spyOn(Date, 'now').mockImplementation(() => trueNow() + HOUR_MS);
    const settings = { ...cluster, LARDER_DATA_DIR: right.dataDir, LARDER_WORKER_PORT: '0' };
    const config = readConfig(settings) as ClusterConfig;

    const name = await storeFoods(right.dataDir, 'Soup');
    const published = await openPublished(config);
    const file = openCatalogueStore(config).pathOf(name);
    const { version } = await published
      .publish({ file, sendAll: false, onProgress: () => {} })
      .finally(() => published.close());
    expect(Math.abs(version.publishedAtMs - trueNow())).toBeLessThan(HOUR_MS / 2);

    const log = new MemoryLog();
    await using _ = await openWorkerHealth(config, log.logger);
    const { port } = log.lines.map((line) => JSON.parse(line)).find(({ port }) => port !== undefined);
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).status).toBe(200);
  });

  test('do not claim scans that the other node works on', async () => {
    const cluster = await clusterSettings();
    await using right = await openTestServer({ cluster });
    vi.spyOn(Date, 'now').mockImplementation(() => trueNow() + HOUR_MS);
    const config = readConfig({ ...cluster, LARDER_DATA_DIR: right.dataDir });
    const ahead = await openScanEngine(config, {
      memory: createSharedMemory(),
      port: undefined,
      log: new MemoryLog().logger,
    });
    try {
      const scan = newScan({ createdAtMs: trueNow(), uploadExpiresAtMs: trueNow() + HOUR_MS });
      await right.scanStore.create(scan, ANY_NUMBER);
      await right.objects.put({
        key: imageKey(scan.id),
        contentType: 'image/jpeg',
        body: Readable.from([Buffer.from('x')]),
        size: { maxBytes: 1 },
      });
      await right.uploadEvents.stored(imageKey(scan.id));
      const claimAt = (nowMs: number) => ({ nowMs, leaseUntilMs: nowMs + LEASE_MS, maxAttempts: 3 });
      expect(await right.scanStore.claim(claimAt(trueNow()))).toMatchObject({ job: { id: scan.id } });
      expect(await ahead.scans.claim(claimAt(ahead.nowMs()))).toBeUndefined();
    } finally {
      await ahead.close();
    }
  });
});
