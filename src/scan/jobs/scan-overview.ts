import { type Queries, sql } from '../../db/sql.ts';
import type { ScanFailure } from '../scan-job.ts';
import type { ScansTable } from './scan-rows.ts';
import type { ScanStore } from './scan-store.ts';

/** Maximum settled scans that are searched for failures. */
const MAX_LOOKED_AT = 2_000;
/** Maximum images whose sizes are summed. */
const MAX_SUMMED = 100_000;

/** Information for operators about the scans of all tenants. */
export class ScanOverview {
  readonly #db: Queries;
  readonly #scans: Pick<ScanStore, 'depth'>;

  constructor({ db, scans }: { readonly db: Queries; readonly scans: Pick<ScanStore, 'depth'> }) {
    this.#db = db;
    this.#scans = scans;
  }

  /** The queue: depths up to `MAX_SUMMED`, and failures among the last `MAX_LOOKED_AT` scans. */
  async queue(maxFailures: number) {
    const oldest = sql<{ due_at_ms: number }>`
      select due_at_ms from scans where status = 'processing' and is_leased = 0 order by due_at_ms, id limit 1`;
    const uploads = sql<{ count: number }>`
      select count(*) as count from (
        select 1 from scans where status = 'upload_pending' limit ${MAX_SUMMED}) as pending`;
    const failures = sql<Pick<ScansTable, 'id' | 'tenant_id' | 'settled_at_ms' | 'failure'>>`
      select * from (
        select id, tenant_id, settled_at_ms, failure from scans where settled_at_ms is not null order by settled_at_ms desc limit ${MAX_LOOKED_AT}
      ) as settled where failure is not null order by settled_at_ms desc limit ${maxFailures}`;
    // The queries run in sequence, so that a view of the console uses one connection.
    const depth = await this.#scans.depth();
    const first = await oldest.first(this.#db);
    const pending = await uploads.first(this.#db);
    const failed = await failures.all(this.#db);
    return {
      ...depth,
      uploadPending: Number(pending!.count),
      oldestDueAtMs: first && Number(first.due_at_ms),
      failures: failed.map(({ id, tenant_id: tenant, settled_at_ms: failedAtMs, failure }) => ({
        id,
        tenant,
        failedAtMs: Number(failedAtMs),
        failure: JSON.parse(failure!) as ScanFailure,
      })),
    };
  }

  /** Images of all tenants; only the first `MAX_SUMMED` images if there are more. */
  async storedImageBytes(): Promise<number> {
    const query = sql<{ bytes: number }>`
      select coalesce(sum(image_bytes), 0) as bytes
      from (select image_bytes from scans where has_image = 1 limit ${MAX_SUMMED}) as images`;
    return Number((await query.first(this.#db))!.bytes);
  }
}
