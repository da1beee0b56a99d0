import type { NewScan, ScanFailure, ScanId, ScanJob, ScanRef } from '../scan-job.ts';
import type { ScanResult } from '../scan-result.ts';

/** A job that one worker holds for a limited time. */
export interface ClaimedScan {
  readonly job: ScanJob;
  /** Increases with each claim: the holder of a lower one has lost the job. */
  readonly fencingToken: number;
  /** Counted from 1. */
  readonly attempt: number;
}

export type Claim = ScanRef & Pick<ClaimedScan, 'fencingToken'>;

export type Settlement = { readonly result: ScanResult } | { readonly failure: ScanFailure };

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

/**
 * Stores scans; their rows are the queue. Guarantees:
 *
 * - A confirmed change is on disk, and every read that begins afterwards sees it, on every thread and node.
 * - A job only advances through its states, and is settled once.
 * - One worker holds a job at a time. After its lease has expired or it was released, another worker can claim it. The
 *   earlier holder can then neither extend, release nor settle it: these methods return false.
 * - Claims alternate between tenants, and between the users of a tenant; of one user the longest waiting job comes
 *   first. A job that is its user's only one waits for at most one job of each user of its tenant, and for each of
 *   those for one of each other tenant.
 * - No job is claimed more than `maxAttempts` times.
 */
export interface ScanStore {
  /**
   * Does nothing if the id exists, so that a repeated request creates one scan. Returns the counts if a limit does not
   * allow another scan, also under concurrent creation.
   */
  create(scan: NewScan, limits: ScanLimits): Promise<ScanCounts | undefined>;
  /** Finds the scan of any user of the tenant if the reference names no user. */
  find(ref: ScanRef): Promise<ScanJob | undefined>;
  /** Returns the scans that exist, in any order. */
  findAll(refs: readonly ScanRef[]): Promise<readonly ScanJob[]>;
  /** Finds scans without knowing their owners, which may mean asking every partition. */
  findByIds(ids: readonly ScanId[]): Promise<readonly ScanJob[]>;
  /**
   * Moves a scan whose image is stored from `upload_pending` to `processing`. Returns false if it has another state or
   * was removed.
   */
  arrive(ref: ScanRef, arrival: Arrival): Promise<boolean>;
  /** Scans that wait for an upload, oldest first. */
  pendingUploads(createdBeforeMs: number, limit: number): Promise<readonly ScanJob[]>;
  /**
   * Fails a job that waits for its image; the image is then not expected any more. Returns false if the job does not
   * wait.
   */
  expireUpload(ref: ScanRef, failure: ScanFailure, nowMs: number): Promise<boolean>;
  claim(request: ClaimRequest): Promise<ClaimedScan | undefined>;
  extendLease(claim: Claim, leaseUntilMs: number): Promise<boolean>;
  /** Returns the job to the queue, due at `retryAtMs`. */
  release(claim: Claim, retryAtMs: number): Promise<boolean>;
  /** Returns the job to the queue, due at `dueAtMs`, without counting an attempt. */
  giveBack(claim: Claim, dueAtMs: number): Promise<boolean>;
  settle(claim: Claim, settlement: Settlement, nowMs: number): Promise<boolean>;
  /** Fails jobs whose last attempt exceeded its lease; returns their ids. */
  failAbandoned(
    failure: ScanFailure,
    request: { nowMs: number; maxAttempts: number; limit: number },
  ): Promise<readonly ScanId[]>;
  /** Scans settled before this time whose image has not been deleted yet. */
  withImageSettledBefore(settledBeforeMs: number, limit: number): Promise<readonly ScanRef[]>;
  imageDeleted(ref: ScanRef): Promise<void>;
  /** Sets the bytes that the image counts in the quota. */
  imageMeasured(ref: ScanRef, imageBytes: number): Promise<void>;
  /**
   * Removes the rows of scans that were settled before this time, the oldest settlement first. Returns their ids, each
   * to one caller.
   */
  removeSettledBefore(settledBeforeMs: number, limit: number): Promise<readonly ScanId[]>;
  /** Removes the row. Returns false if there was none. */
  remove(ref: ScanRef): Promise<boolean>;
  /** Scans of one user, in any state. */
  ofUser(owner: { tenant: string; userId: string }, limit: number): Promise<readonly ScanId[]>;
  depth(): Promise<ScanQueueDepth>;
}
