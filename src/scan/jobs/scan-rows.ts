import { raw, type Sql, sql } from '../../db/sql.ts';
import type { ImageType, NewScan, ScanId, ScanJob, ScanKind, ScanRef, ScanStatus } from '../scan-job.ts';
import type { Settlement } from './scan-queue.ts';

/** Times are Unix milliseconds; `result` and `failure` are JSON, null until the scan is settled. */
export interface ScansTable {
  readonly tenant_id: string;
  readonly id: string;
  /** Empty if it belongs to no user. */
  readonly user_id: string;
  readonly client_id: string;
  readonly content_type: ImageType;
  readonly image_type: NewScan['imageType'];
  readonly status: ScanStatus;
  readonly created_at_ms: number;
  readonly upload_expires_at_ms: number;
  readonly settled_at_ms: number | null;
  readonly result: string | null;
  readonly failure: string | null;
  /** When a job in `processing` may be claimed: at once, after a pause, or when the lease ends; null in all other states. */
  readonly due_at_ms: number | null;
  /** 1 while a worker holds it. */
  readonly is_leased: number;
  readonly attempts: number;
  readonly fencing_token: number;
  /**
   * The turn of the tenant among all tenants, and of the user within the tenant; see `scan-store.ts`. 0
   * precedes all others.
   */
  readonly tenant_turn: number;
  readonly user_turn: number;
  /** 1 until the image has been deleted, or is no longer expected. */
  readonly has_image: number;
  /** Bytes that the image counts: its length if known. */
  readonly image_bytes: number;
  readonly credential: string | null;
  readonly diaries: NonNullable<NewScan['diaries']> | null;
  /** Null for `food`. */
  readonly kind: Exclude<ScanKind, 'food'> | null;
  /** JSON of a `PhotoVector`. */
  readonly photo_vector: string | null;
}

/** The `user_id` of a scan without a user; not null, because it is part of the key that databases may partition by. */
export const NO_USER = '';

export const KEY = raw('tenant_id, user_id, id');

/** The columns of a new scan that have no default. */
export function toNewRow(scan: NewScan) {
  return {
    tenant_id: scan.tenant,
    id: scan.id,
    user_id: scan.userId ?? NO_USER,
    client_id: scan.clientId,
    content_type: scan.contentType,
    image_type: scan.imageType,
    status: 'upload_pending',
    created_at_ms: scan.createdAtMs,
    upload_expires_at_ms: scan.uploadExpiresAtMs,
    image_bytes: scan.imageBytes,
    credential: scan.credential ?? null,
    diaries: scan.diaries ?? null,
    kind: scan.kind === undefined || scan.kind === 'food' ? null : scan.kind,
  } as const satisfies Partial<ScansTable>;
}

/** Assigns the columns of a settled scan; its claim is dropped. */
export function settled(settlement: Settlement, nowMs: number): Sql {
  const status = 'result' in settlement ? 'completed' : 'failed';
  const result = 'result' in settlement ? JSON.stringify(settlement.result) : null;
  const failure = 'failure' in settlement ? JSON.stringify(settlement.failure) : null;
  const vector =
    'result' in settlement && settlement.vector !== undefined ? JSON.stringify(settlement.vector) : null;
  return sql`status = ${status}, settled_at_ms = ${nowMs}, due_at_ms = null, is_leased = 0,
    result = ${result}, failure = ${failure}, photo_vector = ${vector}`;
}

/** Condition for one scan. */
export function isNamed({ tenant, userId = NO_USER, id }: ScanRef) {
  return sql`tenant_id = ${tenant} and user_id = ${userId} and id = ${id}`;
}

export function toRef(row: Pick<ScansTable, 'tenant_id' | 'user_id' | 'id'>): ScanRef {
  return {
    tenant: row.tenant_id,
    ...(row.user_id !== NO_USER && { userId: row.user_id }),
    id: row.id as ScanId,
  };
}

export function toJob(row: ScansTable): ScanJob {
  return {
    ...toRef(row),
    clientId: row.client_id,
    contentType: row.content_type,
    imageType: row.image_type,
    status: row.status,
    createdAtMs: row.created_at_ms,
    uploadExpiresAtMs: row.upload_expires_at_ms,
    imageBytes: row.image_bytes,
    ...(row.credential !== null && { credential: row.credential }),
    ...(row.diaries !== null && { diaries: row.diaries }),
    ...(row.kind !== null && { kind: row.kind }),
    ...(row.settled_at_ms !== null && { settledAtMs: row.settled_at_ms }),
    ...(row.result !== null && { result: JSON.parse(row.result) }),
    ...(row.failure !== null && { failure: JSON.parse(row.failure) }),
    ...(row.photo_vector !== null && { vector: JSON.parse(row.photo_vector) }),
  };
}
