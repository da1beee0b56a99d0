import { MAX_OBJECT_BYTES, type ObjectKey, parseObjectKey } from '../blobs/object-store.ts';
import type { ScanResult, UnknownProduct } from './scan-result.ts';

export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/heic' | 'image/heif';

declare const brand: unique symbol;
/** A time-ordered id in small letters, 26 characters, so that it can name objects too. */
export type ScanId = string & { readonly [brand]: 'ScanId' };

const SCAN_ID = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether it has the form of a scan id; anything else need not be looked up. */
export function isScanId(text: string): text is ScanId {
  return SCAN_ID.test(text);
}

/** In their order; the last two are final. */
export const SCAN_STATUSES = ['upload_pending', 'processing', 'completed', 'failed'] as const;
export type ScanStatus = (typeof SCAN_STATUSES)[number];

export const SCAN_FAILURE_CODES = [
  'upload_expired',
  'image_too_large',
  'unsupported_image',
  'image_unreadable',
  'no_food_detected',
  'analysis_timeout',
  'recognizer_unavailable',
  'internal_error',
] as const;
export type ScanFailureCode = (typeof SCAN_FAILURE_CODES)[number];

export interface ScanFailure {
  readonly code: ScanFailureCode;
  /** One sentence for whoever sent the image. */
  readonly message: string;
  /** The same image in a new scan may succeed. */
  readonly retryable: boolean;
  /** Absent where no barcode was read. */
  readonly unknownProducts?: readonly UnknownProduct[];
}

export const IMAGE_ORIGINS = ['photo', 'upload'] as const;

/** Who may see a scan: its tenant's keys, and of its users the one whose token created it. */
export interface ScanOwner {
  readonly tenant: string;
  /** Absent where a key created it without saying for whom. */
  readonly userId?: string;
}

export interface NewScan extends ScanOwner {
  readonly id: ScanId;
  /** 1 to 200 characters; recorded, never trusted. */
  readonly clientId: string;
  readonly contentType: ImageType;
  readonly imageType: (typeof IMAGE_ORIGINS)[number];
  readonly createdAtMs: number;
  readonly uploadExpiresAtMs: number;
  /** What the image counts in the quota of its tenant: its length, or where that is not known, the largest. */
  readonly imageBytes: number;
}

/** What a store finds a scan by. The owner is part of it, since scans may be partitioned by owner. */
export type ScanRef = Pick<NewScan, 'tenant' | 'userId' | 'id'>;

/**
 * One photo on its way to an answer.
 *
 *     upload_pending ──bytes are there──▶ processing ──▶ completed
 *            │                                │
 *            └──address expired unused──▶ failed ◀──no answer, or none in time
 */
export interface ScanJob extends NewScan {
  readonly status: ScanStatus;
  /** Present in a final state. */
  readonly settledAtMs?: number;
  /** Present when completed. */
  readonly result?: ScanResult;
  /** Present when failed. */
  readonly failure?: ScanFailure;
}

export function isSettled({ status }: Pick<ScanJob, 'status'>): boolean {
  return status === 'completed' || status === 'failed';
}

/** The image has more bytes than any may have. */
export const IMAGE_TOO_LONG: ScanFailure = {
  code: 'image_too_large',
  message: `The image is larger than ${MAX_OBJECT_BYTES} bytes.`,
  retryable: false,
};

/** Where the image of a scan lies. */
export function imageKey(id: ScanId): ObjectKey {
  return parseObjectKey(`images/${id}`);
}

/** Where its full analysis lies. */
export function analysisKey(id: ScanId): ObjectKey {
  return parseObjectKey(`analyses/${id}.json`);
}
