import { expect } from 'vitest';
import { parseObjectKey } from '../../src/blobs/object-store.ts';
import { LEASE_MS } from '../../src/scan/jobs/scan-attempt.ts';
import { ScanSweeper, type ScanSweeperOptions } from '../../src/scan/jobs/scan-sweeper.ts';
import type { UploadEvents } from '../../src/scan/jobs/upload-events.ts';
import type { ScanId } from '../../src/scan/scan-job.ts';
import { openScans } from './open-scans.ts';

export const KEEP_IMAGES_MS = 24 * 60 * 60_000;
export const KEEP_SCANS_MS = 30 * KEEP_IMAGES_MS;

interface SweptScans extends Pick<ScanSweeperOptions, 'store' | 'objects' | 'nowMs'> {
  readonly uploadEvents: UploadEvents;
}

/** Announces nothing and throws reported errors, unless `others` replace this. */
export function openSweeper(
  { store, objects, nowMs, uploadEvents }: SweptScans,
  others: Partial<ScanSweeperOptions> = {},
): ScanSweeper {
  return new ScanSweeper({
    store,
    objects,
    nowMs,
    signals: { announce: () => {}, listen: () => () => {} },
    look: (scan) => uploadEvents.look(scan),
    keepImagesMs: KEEP_IMAGES_MS,
    keepScansMs: KEEP_SCANS_MS,
    observer: {
      broken: (doing, cause) => {
        throw new Error(doing, { cause });
      },
    },
    ...others,
  });
}

/** Scans and a sweeper that sends signals to listeners. */
export async function openSweptScans() {
  const scans = await openScans();
  const { store, objects, signals, clock } = scans;
  return {
    ...scans,
    sweeper: openSweeper(scans, { signals }),
    /** A sweeper with some failing ports, which records its reports. */
    sweeperThatTells(broken: Partial<ScanSweeperOptions>) {
      const told: { doing: string; id: ScanId | undefined }[] = [];
      const observer: ScanSweeperOptions['observer'] = { broken: (doing, _, id) => told.push({ doing, id }) };
      return { sweeper: openSweeper(scans, { signals, observer, ...broken }), told };
    },
    isThere: async (key: string) => (await objects.find(parseObjectKey(key))) !== undefined,
    async settle(id: ScanId): Promise<void> {
      const { nowMs } = clock;
      const claimed = await store.claim({ nowMs, leaseUntilMs: nowMs + LEASE_MS, maxAttempts: 9 });
      expect(claimed?.job.id).toBe(id);
      const failure = { code: 'no_food_detected', message: 'No.', retryable: false } as const;
      await store.settle({ ...claimed!.job, fencingToken: claimed!.fencingToken }, { failure }, nowMs);
    },
  };
}
