import { Readable } from 'node:stream';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { openScanEngine } from '../../src/compose/modes.ts';
import { readConfig } from '../../src/config.ts';
import { imageKey } from '../../src/scan/scan-job.ts';
import { LEASE_MS } from '../../src/scan/scan-worker.ts';
import { clusterSettings } from '../support/cluster-settings.ts';
import { MemoryLog } from '../support/memory-log.ts';
import { newScan } from '../support/new-scan.ts';
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

describe.skipIf(inject('cluster') === undefined)(
  'two nodes, the clock of one of which is an hour ahead',
  () => {
    test('write the same time, take no repeated request from each other and accept tokens of each other', async () => {
      const cluster = await clusterSettings();
      await using right = await openTestServer({ cluster });
      vi.spyOn(Date, 'now').mockImplementation(() => trueNow() + HOUR_MS);
      await using ahead = await openTestServer({ cluster });
      const key = await right.createKey(['diary:read', 'diary:write']);
      const write = (node: TestServer, name: string, credential = key) =>
        node.server.inject({
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
      const issued = await right.server.inject({ method: 'POST', url: '/v1/auth/token', payload });
      expect((await write(ahead, 'dinner', issued.json().access_token)).statusCode).toBe(201);
      expect(ahead.log.join()).toContain("this machine's clock is not the database's");
      expect(right.log.join()).not.toContain('clock');
    });

    test('leave each other the scans that they work on', async () => {
      const cluster = await clusterSettings();
      await using right = await openTestServer({ cluster });
      vi.spyOn(Date, 'now').mockImplementation(() => trueNow() + HOUR_MS);
      const config = readConfig({ ...cluster, LARDER_DATA_DIR: right.dataDir });
      const ahead = await openScanEngine(config, { port: undefined, log: new MemoryLog().logger });
      try {
        const scan = newScan({ createdAtMs: trueNow(), uploadExpiresAtMs: trueNow() + HOUR_MS });
        await right.scanStore.create(scan);
        await right.objects.put({
          key: imageKey(scan.id),
          contentType: 'image/jpeg',
          body: Readable.from([Buffer.from('x')]),
          size: { maxBytes: 1 },
        });
        await right.arrivals.stored(imageKey(scan.id));
        const claimAt = (nowMs: number) => ({ nowMs, leaseUntilMs: nowMs + LEASE_MS, maxAttempts: 3 });
        expect(await right.scanStore.claim(claimAt(trueNow()))).toMatchObject({ job: { id: scan.id } });
        expect(await ahead.scans.claim(claimAt(ahead.nowMs()))).toBeUndefined();
      } finally {
        await ahead.close();
      }
    });
  },
);
