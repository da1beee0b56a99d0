import { MAX_OBJECT_BYTES, type ObjectKey, parseObjectKey } from '../blobs/object-store.ts';
import type { PhotoVector, ScanResult, UnknownProduct } from './scan-result.ts';

export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/heic' | 'image/heif';

declare const brand: unique symbol;
/** A time-ordered id of 26 lower-case characters, which is also valid in object keys. */
export type ScanId = string & { readonly [brand]: 'ScanId' };

const SCAN_ID = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Checks the form of a scan id, so that other texts cause no query. */
export function isScanId(text: string): text is ScanId {
  return SCAN_ID.test(text);
}

/** Statuses in the order of the life cycle; the last two are final. */
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
  /** One sentence for the client that sent the image. */
  readonly message: string;
  /** A new scan of the same image may succeed. */
  readonly retryable: boolean;
  /** Absent if no barcode was read. */
  readonly unknownProducts?: readonly UnknownProduct[];
}

/** What a photo is of: food with its packages, or a receipt, which is read only if asked for. */
export const SCAN_KINDS = ['food', 'receipt'] as const;
export type ScanKind = (typeof SCAN_KINDS)[number];

export const IMAGE_ORIGINS = ['photo', 'upload'] as const;

/** The owner of a scan: keys of the tenant may read it, and so may the user whose token created it. */
export interface ScanOwner {
  readonly tenant: string;
  /** Absent if a key created the scan without naming a user. */
  readonly userId?: string;
}

/** Whoever reads scans: of one user, or of all users of the tenant but those who are barred. */
export interface ScanViewer extends ScanOwner {
  readonly barred?: { has(userId: string): boolean };
}

export interface NewScan extends ScanOwner {
  readonly id: ScanId;
  /** 1 to 200 characters; recorded, never trusted. */
  readonly clientId: string;
  readonly contentType: ImageType;
  readonly imageType: (typeof IMAGE_ORIGINS)[number];
  /** `food` if absent. */
  readonly kind?: ScanKind | undefined;
  readonly createdAtMs: number;
  readonly uploadExpiresAtMs: number;
  /** The bytes that the image counts in the tenant's quota: its length, or the maximum if the length is unknown. */
  readonly imageBytes: number;
  /** See `credentialOf`. Once it has ended, no image is accepted and no stream by ticket goes on. */
  readonly credential?: string | undefined;
  /** The diaries that this credential may read, and the analysis with it: that of the user, or also those shared with them. None if absent. */
  readonly diaries?: 'own' | 'shared' | undefined;
}

/** The fields by which a store finds a scan. The owner is one of them because scans may be partitioned by owner. */
export type ScanRef = Pick<NewScan, 'tenant' | 'userId' | 'id'>;

/**
 * One photo from its upload to its result.
 *
 *     upload_pending ──image stored──▶ processing ──▶ completed
 *            │                              │
 *            └──URL expired unused──▶ failed ◀──no result, or none in time
 */
export interface ScanJob extends NewScan {
  readonly status: ScanStatus;
  /** Present in a final state. */
  readonly settledAtMs?: number;
  /** Present when completed. */
  readonly result?: ScanResult;
  /** Present when failed. */
  readonly failure?: ScanFailure;
  /** What is kept of the photo if its food is confirmed; only where the diary may be used. */
  readonly vector?: PhotoVector;
}

export function isSettled({ status }: Pick<ScanJob, 'status'>): boolean {
  return status === 'completed' || status === 'failed';
}

/** The failure of an image that exceeds the size limit. */
export const IMAGE_TOO_LONG: ScanFailure = {
  code: 'image_too_large',
  message: `The image is larger than ${MAX_OBJECT_BYTES} bytes.`,
  retryable: false,
};

/** The object key of a scan's image. */
export function imageKey(id: ScanId): ObjectKey {
  return parseObjectKey(`images/${id}`);
}

/** The object key of a scan's full analysis. */
export function analysisKey(id: ScanId): ObjectKey {
  return parseObjectKey(`analyses/${id}.json`);
}
