import type { ImageType } from '../scan/images/image-facts.ts';
import type { NewScan, ScanStatus } from '../scan/scan-job.ts';

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
}
