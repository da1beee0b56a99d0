import type { NewScan, ScanFailure, ScanId, ScanJob, ScanRef } from '../scan-job.ts';
import type { ScanResult } from '../scan-result.ts';

/** A job in the hands of one worker, for a limited time. */
export interface ClaimedScan {
  readonly job: ScanJob;
  /** Higher at each claim: the holder of an older one has lost the job. */
  readonly fencingToken: number;
  /** 1 for the first. */
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
  /** How many scans of a tenant may wait for their image or for their result at one time. */
  readonly perTenant: number;
  /** The same for a user. */
  readonly perUser: number;
  /** How many images of a tenant may be stored, those included that are still expected. */
  readonly images: number;
  /** How many bytes these may have together. */
  readonly imageBytes: number;
  /** Those whose image could have come until before then no longer count. */
  readonly expiredBeforeMs: number;
}

export interface ScanCounts {
  /** Unfinished scans. */
  readonly ofTenant: number;
  /** 0 for a scan that is no user's. */
  readonly ofUser: number;
  /** Images that are stored or expected. */
  readonly images: number;
  /** Of these images together. */
  readonly imageBytes: number;
}

export interface Arrival {
  readonly nowMs: number;
  /** The length of the image, where no other one can replace it. */
  readonly imageBytes?: number | undefined;
}

export interface ScanQueueDepth {
  /** Images that nobody works on. */
  readonly waiting: number;
  readonly running: number;
}

/**
 * Where scans lie; their rows are the queue. What it promises:
 *
 * - A change that has been answered is on disk, and every read that begins afterwards sees it, on every thread and node.
 * - A job goes only forwards through its states, and is settled once.
 * - A job is claimed by one worker at a time. When its lease has ended, or it was released, it can be claimed anew. Its
 *   earlier holder can then neither extend, release nor settle it: that answers false.
 * - Tenants take turns, and the users of a tenant do; of one user the longest waiting job comes first. A job that is its
 *   user's only one waits for at most one job of each user of its tenant, and for each of those for one of each other tenant.
 * - Nothing is claimed more than `maxAttempts` times.
 */
export interface ScanStore {
  /**
   * Does nothing where the id exists, so that a request that is executed twice creates one scan. Answers how many there are
   * where one more is not allowed, however many are created at one time.
   */
  create(scan: NewScan, limits: ScanLimits): Promise<ScanCounts | undefined>;
  /** Without a user, finds the scan of any user of the tenant. */
  find(ref: ScanRef): Promise<ScanJob | undefined>;
  /** Those that there are, in any order. */
  findAll(refs: readonly ScanRef[]): Promise<readonly ScanJob[]>;
  /** The same without knowing the owners, which may mean asking every partition. */
  findByIds(ids: readonly ScanId[]): Promise<readonly ScanJob[]>;
  /** The bytes are there: from `upload_pending` to `processing`. False where it was in another state, or is gone. */
  arrive(ref: ScanRef, arrival: Arrival): Promise<boolean>;
  /** Waiting for an upload, the oldest first. */
  pendingUploads(createdBeforeMs: number, limit: number): Promise<readonly ScanJob[]>;
  /** Fails a job that still waits for its image, which is then no longer expected. False where it does not. */
  expireUpload(ref: ScanRef, failure: ScanFailure, nowMs: number): Promise<boolean>;
  claim(request: ClaimRequest): Promise<ClaimedScan | undefined>;
  extendLease(claim: Claim, leaseUntilMs: number): Promise<boolean>;
  /** Back into the queue, not before `retryAtMs`. */
  release(claim: Claim, retryAtMs: number): Promise<boolean>;
  /** Back into the queue, not before `dueAtMs`, without counting as an attempt. */
  giveBack(claim: Claim, dueAtMs: number): Promise<boolean>;
  settle(claim: Claim, settlement: Settlement, nowMs: number): Promise<boolean>;
  /** Fails jobs whose last attempt has outlived its lease; answers their ids. */
  failAbandoned(
    failure: ScanFailure,
    request: { nowMs: number; maxAttempts: number; limit: number },
  ): Promise<readonly ScanId[]>;
  /** Scans settled before then whose image has not been deleted yet. */
  withImageSettledBefore(settledBeforeMs: number, limit: number): Promise<readonly ScanRef[]>;
  imageDeleted(ref: ScanRef): Promise<void>;
  /** From now on the image counts as so many bytes. */
  imageMeasured(ref: ScanRef, imageBytes: number): Promise<void>;
  /**
   * Removes the rows of scans that were settled before then, the longest settled first. Answers their ids, each to one
   * caller.
   */
  removeSettledBefore(settledBeforeMs: number, limit: number): Promise<readonly ScanId[]>;
  /** Removes the row. False where there was none. */
  remove(ref: ScanRef): Promise<boolean>;
  /** Scans of one user, in any state. */
  ofUser(owner: { tenant: string; userId: string }, limit: number): Promise<readonly ScanId[]>;
  depth(): Promise<ScanQueueDepth>;
}
