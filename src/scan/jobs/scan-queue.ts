import type { ScanFailure, ScanJob, ScanRef } from '../scan-job.ts';
import type { PhotoVector, ScanResult } from '../scan-result.ts';

/** A job that one worker holds for a limited time. */
export interface ClaimedScan {
  readonly job: ScanJob;
  /** Increases with each claim: the holder of a lower one has lost the job. */
  readonly fencingToken: number;
  /** Counted from 1. */
  readonly attempt: number;
}

export type Claim = ScanRef & Pick<ClaimedScan, 'fencingToken'>;

export type Settlement =
  | { readonly result: ScanResult; readonly vector?: PhotoVector | undefined }
  | { readonly failure: ScanFailure };

export interface ClaimRequest {
  readonly nowMs: number;
  readonly leaseUntilMs: number;
  readonly maxAttempts: number;
}

export interface ScanLimits {
  /** Maximum scans of a tenant that wait for their image or their result. */
  readonly perTenant: number;
  /** Maximum scans of a user that wait for their image or their result. */
  readonly perUser: number;
  /** Maximum images of a tenant, stored or expected. */
  readonly images: number;
  /** Maximum bytes of these images. */
  readonly imageBytes: number;
  /** Scans whose upload expired before this time do not count. */
  readonly expiredBeforeMs: number;
}

export interface ScanCounts {
  /** Unfinished scans of the tenant. */
  readonly ofTenant: number;
  /** Unfinished scans of the user; 0 for a scan without a user. */
  readonly ofUser: number;
  /** Images that are stored or expected. */
  readonly images: number;
  /** Bytes of these images. */
  readonly imageBytes: number;
}

export interface Arrival {
  readonly nowMs: number;
  /** The length of the image, if no other one can replace it. */
  readonly imageBytes?: number | undefined;
}

export interface ScanQueueDepth {
  /** Images that no worker has claimed. */
  readonly waiting: number;
  readonly running: number;
}
