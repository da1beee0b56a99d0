import type { ExpressionBuilder, UpdateObject } from 'kysely';
import type { NewScan, ScanFailure, ScanId, ScanJob, ScanRef } from '../../scan/scan-job.ts';
import type {
  Claim,
  ClaimedScan,
  ClaimRequest,
  ScanQueueDepth,
  ScanStore,
  Settlement,
} from '../../scan/scan-store.ts';
import { isNamed, KEY, NO_USER, settled, toJob, toRef } from './scan-rows.ts';
import type { QueryBuilder, SqlDatabase } from './sql-database.ts';
import type { Tables } from './tables.ts';

interface Ports extends Pick<SqlDatabase, 'db' | 'locksRows'> {
  /** Where reads go; the same as writes by default. */
  readonly reads?: QueryBuilder;
}

type ToColumns = (eb: ExpressionBuilder<Tables, 'scans'>) => UpdateObject<Tables, 'scans'>;

/** Each change is one statement conditional on the state it starts from, so that of two only one succeeds. */
export class SqlScanStore implements ScanStore {
  readonly #db: QueryBuilder;
  readonly #reads: QueryBuilder;
  readonly #locksRows: boolean;

  constructor({ db, locksRows, reads = db }: Ports) {
    this.#db = db;
    this.#reads = reads;
    this.#locksRows = locksRows;
  }

  async create(scan: NewScan): Promise<void> {
    await this.#db
      .insertInto('scans')
      .values({
        tenant_id: scan.tenant,
        id: scan.id,
        user_id: scan.userId ?? NO_USER,
        client_id: scan.clientId,
        content_type: scan.contentType,
        image_type: scan.imageType,
        status: 'upload_pending',
        created_at_ms: scan.createdAtMs,
        upload_expires_at_ms: scan.uploadExpiresAtMs,
        settled_at_ms: null,
        result: null,
        failure: null,
        due_at_ms: null,
        is_leased: 0,
        attempts: 0,
        fencing_token: 0,
        has_image: 1,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async find({ tenant, userId, id }: ScanRef): Promise<ScanJob | undefined> {
    const row = await this.#reads
      .selectFrom('scans')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .$if(userId !== undefined, (scans) => scans.where('user_id', '=', userId!))
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toJob(row);
  }

  async findAll(refs: readonly ScanRef[]): Promise<readonly ScanJob[]> {
    if (refs.length === 0) return [];
    const rows = await this.#reads
      .selectFrom('scans')
      .selectAll()
      // Ids alone are unique; tenant and user help the engine to find the rows.
      .where('tenant_id', 'in', [...new Set(refs.map(({ tenant }) => tenant))])
      .where('user_id', 'in', [...new Set(refs.map(({ userId = NO_USER }) => userId))])
      .where(
        'id',
        'in',
        refs.map(({ id }) => id),
      )
      .execute();
    return rows.map(toJob);
  }

  async findByIds(ids: readonly ScanId[]): Promise<readonly ScanJob[]> {
    if (ids.length === 0) return [];
    const rows = await this.#reads.selectFrom('scans').selectAll().where('id', 'in', ids).execute();
    return rows.map(toJob);
  }

  async arrive(ref: ScanRef, nowMs: number): Promise<boolean> {
    return isOne(
      await this.#db
        .updateTable('scans')
        .set({ status: 'processing', due_at_ms: nowMs })
        .where(isNamed(ref))
        .where('status', '=', 'upload_pending')
        .executeTakeFirst(),
    );
  }

  async pendingUploads(createdBeforeMs: number, limit: number): Promise<readonly ScanJob[]> {
    const rows = await this.#reads
      .selectFrom('scans')
      .selectAll()
      .where('status', '=', 'upload_pending')
      .where('created_at_ms', '<', createdBeforeMs)
      .orderBy('created_at_ms')
      .limit(limit)
      .execute();
    return rows.map(toJob);
  }

  async expireUpload(ref: ScanRef, failure: ScanFailure, nowMs: number): Promise<boolean> {
    return isOne(
      await this.#db
        .updateTable('scans')
        .set({ ...settled({ failure }, nowMs) })
        .where(isNamed(ref))
        .where('status', '=', 'upload_pending')
        .executeTakeFirst(),
    );
  }

  async claim({ nowMs, leaseUntilMs, maxAttempts }: ClaimRequest): Promise<ClaimedScan | undefined> {
    const row = await this.#db
      .updateTable('scans')
      .set((eb) => ({
        due_at_ms: leaseUntilMs,
        is_leased: 1,
        attempts: eb('attempts', '+', 1),
        fencing_token: eb('fencing_token', '+', 1),
      }))
      .where((eb) =>
        eb(
          eb.refTuple(...KEY),
          '=',
          this.#due(eb, nowMs)
            .where('attempts', '<', maxAttempts)
            .select(KEY)
            .limit(1)
            .$asTuple(...KEY),
        ),
      )
      .returningAll()
      .executeTakeFirst();
    return row && { job: toJob(row), fencingToken: row.fencing_token, attempt: row.attempts };
  }

  extendLease(claim: Claim, leaseUntilMs: number): Promise<boolean> {
    return this.#change(claim, () => ({ due_at_ms: leaseUntilMs }));
  }

  release(claim: Claim, retryAtMs: number): Promise<boolean> {
    return this.#change(claim, () => ({ due_at_ms: retryAtMs, is_leased: 0 }));
  }

  giveBack(claim: Claim, dueAtMs: number): Promise<boolean> {
    return this.#change(claim, (eb) => ({
      due_at_ms: dueAtMs,
      is_leased: 0,
      attempts: eb('attempts', '-', 1),
    }));
  }

  settle(claim: Claim, settlement: Settlement, nowMs: number): Promise<boolean> {
    return this.#change(claim, () => settled(settlement, nowMs));
  }

  async failAbandoned(
    failure: ScanFailure,
    { nowMs, maxAttempts, limit }: { nowMs: number; maxAttempts: number; limit: number },
  ): Promise<readonly ScanId[]> {
    const rows = await this.#db
      .updateTable('scans')
      .set(settled({ failure }, nowMs))
      .where((eb) =>
        eb(
          eb.refTuple(...KEY),
          'in',
          this.#due(eb, nowMs)
            .where('attempts', '>=', maxAttempts)
            .select(KEY)
            .limit(limit)
            .$asTuple(...KEY),
        ),
      )
      .returning('id')
      .execute();
    return rows.map(({ id }) => id as ScanId);
  }

  async withImageSettledBefore(settledBeforeMs: number, limit: number): Promise<readonly ScanRef[]> {
    const rows = await this.#reads
      .selectFrom('scans')
      .select(KEY)
      .where('has_image', '=', 1)
      .where('settled_at_ms', '<', settledBeforeMs)
      .orderBy('settled_at_ms')
      .limit(limit)
      .execute();
    return rows.map(toRef);
  }

  async imageDeleted(ref: ScanRef): Promise<void> {
    await this.#db.updateTable('scans').set({ has_image: 0 }).where(isNamed(ref)).execute();
  }

  async removeSettledBefore(settledBeforeMs: number, limit: number): Promise<readonly ScanId[]> {
    const rows = await this.#db
      .deleteFrom('scans')
      .where((eb) => {
        const settled = eb
          .selectFrom('scans')
          .where('settled_at_ms', '<', settledBeforeMs)
          .orderBy('settled_at_ms')
          .select(KEY)
          .limit(limit);
        const free = this.#locksRows ? settled.forUpdate().skipLocked() : settled;
        return eb(eb.refTuple(...KEY), 'in', free.$asTuple(...KEY));
      })
      .returning('id')
      .execute();
    return rows.map(({ id }) => id as ScanId);
  }

  async remove(ref: ScanRef): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('scans')
      .where(isNamed(ref))
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }

  async ofUser({ tenant, userId }: { tenant: string; userId: string }, limit: number) {
    const rows = await this.#reads
      .selectFrom('scans')
      .select('id')
      .where('tenant_id', '=', tenant)
      .where('user_id', '=', userId)
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id as ScanId);
  }

  async depth(): Promise<ScanQueueDepth> {
    const rows = await this.#reads
      .selectFrom('scans')
      .select((eb) => ['is_leased', eb.fn.countAll<number>().as('count')])
      .where('status', '=', 'processing')
      .groupBy('is_leased')
      .execute();
    const countOf = (leased: number) => rows.find((row) => row.is_leased === leased)?.count ?? 0;
    return { waiting: countOf(0), running: countOf(1) };
  }

  /** The job that waits longest first; rows that another worker is claiming are skipped. */
  #due(eb: ExpressionBuilder<Tables, 'scans'>, nowMs: number) {
    const due = eb
      .selectFrom('scans')
      .where('status', '=', 'processing')
      .where('due_at_ms', '<=', nowMs)
      .orderBy('due_at_ms')
      .orderBy('id');
    return this.#locksRows ? due.forUpdate().skipLocked() : due;
  }

  async #change(claim: Claim, columns: ToColumns): Promise<boolean> {
    return isOne(
      await this.#db
        .updateTable('scans')
        .set(columns)
        .where(isNamed(claim))
        .where('status', '=', 'processing')
        .where('is_leased', '=', 1)
        .where('fencing_token', '=', claim.fencingToken)
        .executeTakeFirst(),
    );
  }
}

function isOne({ numUpdatedRows }: { numUpdatedRows: bigint }): boolean {
  return numUpdatedRows === 1n;
}
