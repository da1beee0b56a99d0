import { randomBytes } from 'node:crypto';
import { createIds } from '../../src/base/time-ordered-id.ts';
import type { ScanLimits } from '../../src/scan/jobs/scan-queue.ts';
import type { NewScan, ScanId } from '../../src/scan/scan-job.ts';

/** Allows any number of scans. */
export const ANY_NUMBER: ScanLimits = {
  perTenant: 1e9,
  perUser: 1e9,
  images: 1e9,
  imageBytes: 1e15,
  expiredBeforeMs: 0,
};

/** A scan of tenant `acme`, created at 1,000 ms of a test's clock. */
export function newScan(more: Partial<NewScan> = {}): NewScan {
  return {
    id: newScanId(),
    tenant: 'acme',
    clientId: 'phone-1',
    contentType: 'image/jpeg',
    imageType: 'photo',
    createdAtMs: 1_000,
    uploadExpiresAtMs: 901_000,
    imageBytes: 1_000,
    ...more,
  };
}

export function newScanId(): ScanId {
  return createIds(1, 1_000, randomBytes)[0]!.toLowerCase() as ScanId;
}
