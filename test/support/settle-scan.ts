import { setTimeout } from 'node:timers/promises';
import { EXAMPLE_SCAN } from '../../src/api/scans/scan-json.ts';
import type { SqlDatabase } from '../../src/db/sql-database.ts';
import type { Settlement } from '../../src/scan/jobs/scan-queue.ts';
import { ScanStore } from '../../src/scan/jobs/scan-store.ts';
import type { ScanId } from '../../src/scan/scan-job.ts';
import type { ScanResult } from '../../src/scan/scan-result.ts';

const LOOK_EVERY_MS = 5;

const { items, ...plate } = EXAMPLE_SCAN.result!;
/** The documented example with a further nutrient, and without alternatives. */
export const BANANA_RESULT: ScanResult = {
  ...plate,
  items: items.map((item) => ({
    ...item,
    macros: { ...item.macros, potassium: 422 },
    alternatives: [],
  })),
};

/** Acts as the worker of a scan with an image: claims it and settles it. */
export async function settleScan(sql: SqlDatabase, id: ScanId, settlement: Settlement): Promise<void> {
  const store = new ScanStore(sql);
  const nowMs = Date.now();
  for (;;) {
    const claimed = await store.claim({ nowMs, leaseUntilMs: nowMs + 60_000, maxAttempts: 1 });
    if (claimed === undefined) throw new Error(`scan ${id} waits for no worker`);
    const { fencingToken, job } = claimed;
    if (job.id !== id) continue;
    await store.settle({ ...job, fencingToken }, settlement, nowMs);
    return;
  }
}

/** Settles the next uploaded scan. */
export async function settleNextScan(sql: SqlDatabase, settlement: Settlement): Promise<ScanId> {
  const store = new ScanStore(sql);
  for (;;) {
    const nowMs = Date.now();
    const claimed = await store.claim({ nowMs, leaseUntilMs: nowMs + 60_000, maxAttempts: 1 });
    if (claimed !== undefined) {
      await store.settle({ ...claimed.job, fencingToken: claimed.fencingToken }, settlement, nowMs);
      return claimed.job.id;
    }
    await setTimeout(LOOK_EVERY_MS);
  }
}
