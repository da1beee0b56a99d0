import type { ImageType, NewScan, ScanStatus } from '../scan/scan-job.ts';
import type { Dialect } from './dialect.ts';
import type { Queries } from './sql.ts';
import type { Reads, Writer } from './writer.ts';

/** A database as the stores in this folder use it, in SQL that SQLite and PostgreSQL both understand. */
export interface SqlDatabase {
  /** For reading by statements whose text varies. */
  readonly db: Queries;
  readonly reads: Reads;
  readonly writer: Writer;
  readonly dialect: Dialect;
}

/** Times are whole Unix seconds; `scopes` are separated by spaces, `limits` is JSON. */
export interface ApiKeysTable {
  readonly id: string;
  readonly tenant_id: string;
  readonly name: string | null;
  readonly secret_hash: Uint8Array;
  readonly scopes: string;
  readonly limits: string | null;
  readonly created_at: number;
  readonly expires_at: number | null;
  revoked_at: number | null;
}

/** Private keys as JSON Web Keys. They are why nobody but its owner may read the database file. */
export interface SigningKeysTable {
  readonly kid: string;
  readonly created_at: number;
  readonly private_jwk: string;
}

/**
 * Times are Unix milliseconds; the answer is null until there is one. `claimed_at_ms` is the first claim's. `headers` without a
 * `status` note that the request was carried out, together with what it wrote: see `noteOf`.
 */
export interface IdempotentRequestsTable {
  readonly tenant_id: string;
  readonly user_id: string;
  readonly idempotency_key: string;
  readonly fingerprint: Uint8Array;
  /** Whose data the answer holds; empty where it is about no user. */
  readonly subject_user_id: string;
  readonly claim_id: string;
  /** Executions that began under this name and fingerprint. */
  readonly attempt: number;
  readonly claimed_at_ms: number;
  readonly claimed_until_ms: number;
  readonly status: number | null;
  /** JSON. */
  readonly headers: string | null;
  readonly body: string | null;
}

/** Times are Unix milliseconds; `result` and `failure` are JSON, null until the scan is settled. */
export interface ScansTable {
  readonly tenant_id: string;
  readonly id: string;
  /** Empty where it is no user's. */
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
  /** The turn of the tenant among all tenants, and of the user within the tenant; see `scan-turns.ts`. 0 is before all others. */
  readonly tenant_turn: number;
  readonly user_turn: number;
  /** 1 until the image has been deleted, or is no longer expected. */
  readonly has_image: number;
  /** How much the image counts: its length where it is known. */
  readonly image_bytes: number;
}

/** Foods are JSON, as text, since `jsonb` refuses some of what a name can hold; null if the food was deleted. */
export interface LiveFoodsTable {
  readonly tenant_id: string;
  readonly id: string;
  revision: number;
  food: string | null;
  /** The user to whom the food belongs; null if all users of the tenant see it. */
  user_id: string | null;
  /** By which search finds the food; 0 where it was written by a version that did not count them. */
  words: number;
}
