import { BusyError } from '@larder/core/errors.ts';
import { isLiveCredential } from '../../access/live-credentials.ts';
import { list, type Queries, raw, type Sql, sql } from '../../db/sql.ts';
import type { SqlDatabase } from '../../db/sql-database.ts';
import { type Lock, toStatement, type Writer, writeOne } from '../../db/writer.ts';
import type { NewScan, ScanFailure, ScanId, ScanJob, ScanOwner, ScanRef } from '../scan-job.ts';
import type {
  Arrival,
  Claim,
  ClaimedScan,
  ClaimRequest,
  ScanCounts,
  ScanLimits,
  ScanQueueDepth,
  Settlement,
} from './scan-queue.ts';
import { isNamed, KEY, NO_USER, type ScansTable, settled, toJob, toNewRow, toRef } from './scan-rows.ts';

type Owner = Pick<ScanOwner, 'tenant' | 'userId'>;

/** To be executed for one scan of a tenant at a time, so that the counts are exact. */
function addUnlessTooMany(scan: NewScan, limits: ScanLimits): Sql {
  const { tenant, userId } = scan;
  const row = toNewRow(scan);
  const ofUser = sql`and (${unfinished(scan, limits)}) < ${limits.perUser}`;
  return sql`
    insert into scans (${raw(Object.keys(row).join())})
    select ${list(Object.values(row))} from (${images(tenant, limits)}) as stored
    where stored.images < ${limits.images} and stored.bytes <= ${limits.imageBytes - scan.imageBytes}
      and (${unfinished({ tenant }, limits)}) < ${limits.perTenant} ${userId === undefined ? sql`` : ofUser}
    on conflict do nothing`;
}

async function countScans(db: Queries, owner: Owner, limits: ScanLimits): Promise<ScanCounts> {
  const { tenant, userId } = owner;
  const counting = sql<Record<'images' | 'bytes' | 'of_tenant' | 'of_user', unknown>>`
    select stored.*, (${unfinished({ tenant }, limits)}) as of_tenant, (${unfinished(owner, limits)}) as of_user
    from (${images(tenant, limits)}) as stored`;
  const { images: stored, bytes, of_tenant, of_user } = (await counting.first(db))!;
  return {
    ofTenant: Number(of_tenant),
    ofUser: userId === undefined ? 0 : Number(of_user),
    images: Number(stored),
    imageBytes: Number(bytes),
  };
}

function isTooMany(
  { ofTenant, ofUser, images, imageBytes }: ScanCounts,
  limits: ScanLimits,
  addedBytes: number,
): boolean {
  return (
    ofTenant >= limits.perTenant ||
    ofUser >= limits.perUser ||
    images >= limits.images ||
    imageBytes + addedBytes > limits.imageBytes
  );
}

function unfinished({ tenant, userId }: Owner, { expiredBeforeMs }: ScanLimits) {
  return sql`select count(*) from scans
    where tenant_id = ${tenant} ${userId === undefined ? sql`` : sql`and user_id = ${userId}`} and settled_at_ms is null
      and (status = 'processing' or upload_expires_at_ms >= ${expiredBeforeMs})`;
}

/** Counts the images of the tenant that are stored or expected, up to the limit. */
function images(tenant: string, limits: ScanLimits) {
  // `has_image` has the form of the index, so that query planners see that the index applies.
  return sql`select count(*) as images, coalesce(sum(image_bytes), 0) as bytes from (
      select image_bytes from scans where tenant_id = ${tenant} and has_image = 1 limit ${limits.images}
    ) as counted`;
}

/**
 * Tenants take turns, and within a tenant its users do (start-time fair queueing on two levels):
 *
 *     arrive  the job gets the next turn of its tenant, and the next of its user within the tenant.
 *             A next turn follows the last one of the same owner, and is not before the turn being served.
 *     claim   the lowest tenant turn determines whose job is next; the lowest user turn among that tenant's
 *             jobs determines which. If these are two rows they swap their tenant turns, so that the tenant
 *             has spent its lowest one.
 *     remove  other jobs of the same owner take over the turns of a waiting job; otherwise they would wait
 *             for nothing.
 *
 * So a claim reads one row of each of two indexes, past the few jobs that are running or wait for another
 * attempt. A job keeps its turns for further attempts, so only jobs that were never claimed (fencing token 0)
 * show which turn is being served. A job from a node without turns has turn 0.
 *
 * P. Goyal, H. Vin, H. Cheng: Start-time Fair Queueing, IEEE/ACM Transactions on Networking 5 (1997).
 */

/** Run it for one job of a tenant at a time, so that turns are unique. */
function takeTurn(ref: ScanRef, { nowMs, imageBytes }: Arrival): Sql {
  const { tenant, userId = NO_USER, id } = ref;
  const queued = sql`due_at_ms is not null`;
  const queuedOfTenant = sql`tenant_id = ${tenant} and ${queued}`;
  // Jobs without an image have turn 0.
  const ofTenant = sql`tenant_id = ${tenant} and settled_at_ms is null`;
  const ofUser = sql`${ofTenant} and user_id = ${userId}`;
  return sql`
    update scans set status = 'processing', due_at_ms = ${nowMs},
      tenant_turn = ${nextTurn('tenant_turn', { among: queued, own: ofTenant, nowMs })},
      user_turn = ${nextTurn('user_turn', { among: queuedOfTenant, own: ofUser, nowMs })},
      image_bytes = coalesce(${imageBytes ?? null}, image_bytes)
    where tenant_id = ${tenant} and user_id = ${userId} and id = ${id} and status = 'upload_pending'`;
}

type Turn = 'tenant_turn' | 'user_turn';

/** The turn before the lowest one that waits for its first claim, or the highest turn if none waits. */
function nextTurn(turn: Turn, { among, own, nowMs }: { among: Sql; own: Sql; nowMs: number }): Sql {
  const column = raw(turn);
  return sql`1 + coalesce((select max(turn) from (
    select coalesce(
      (select ${column} - 1 from scans where ${among} and due_at_ms <= ${nowMs} and fencing_token = 0
        order by ${column}, due_at_ms, id limit 1),
      (select max(${column}) from scans where ${among})
    ) as turn
    union all select max(${column}) from scans where ${own}
  ) as turns), 0)`;
}

/**
 * Returns the changed rows: that of the claimed job, if there is one, and one that gave its turn. Skips rows
 * that another worker is claiming.
 */
function claimTurn({ nowMs, leaseUntilMs, maxAttempts }: ClaimRequest, lock: Sql): Sql<ScansTable> {
  const isDue = sql`due_at_ms <= ${nowMs} and attempts < ${maxAttempts}`;
  return sql<ScansTable>`
    with lowest as materialized (
      select tenant_id, user_id, id, tenant_turn from scans where ${isDue}
      order by tenant_turn, due_at_ms, id limit 1 ${lock}
    ), next as materialized (
      select tenant_id, user_id, id, tenant_turn from scans
      where tenant_id = (select tenant_id from lowest) and ${isDue}
      order by user_turn, due_at_ms, id limit 1 ${lock}
    ), changed (of_tenant, of_user, of_id, new_turn, claims) as (
      select next.tenant_id, next.user_id, next.id, lowest.tenant_turn, 1 from next cross join lowest
      union all
      select lowest.tenant_id, lowest.user_id, lowest.id, next.tenant_turn, 0 from next cross join lowest
      where lowest.id <> next.id
    )
    update scans set tenant_turn = new_turn, attempts = attempts + claims, fencing_token = fencing_token + claims,
      is_leased = case when claims = 1 then 1 else is_leased end,
      due_at_ms = case when claims = 1 then ${leaseUntilMs} else due_at_ms end
    from changed where (tenant_id, user_id, id) in (select of_tenant, of_user, of_id from changed)
      and tenant_id = of_tenant and user_id = of_user and id = of_id
    returning *`;
}

/**
 * The tenant's last job gets the tenant turn of a removed job; the later jobs of its user move up by one. To
 * be executed for one job of a tenant at a time.
 */
function passTurnsOn(
  { tenant_id, user_id, tenant_turn, user_turn }: Pick<ScansTable, 'tenant_id' | 'user_id' | Turn>,
  lock: Sql,
): readonly [Sql, Sql] {
  const isWaiting = sql`tenant_id = ${tenant_id} and settled_at_ms is null and fencing_token = 0`;
  const tenantTurn = sql`
    update scans set tenant_turn = ${tenant_turn} where (tenant_id, user_id, id) = (
      select tenant_id, user_id, id from scans
      where ${isWaiting} and tenant_turn > ${tenant_turn}
      order by tenant_turn desc limit 1 ${lock}
    )`;
  const userTurns = sql`
    update scans set user_turn = user_turn - 1
    where ${isWaiting} and user_id = ${user_id} and user_turn > ${user_turn}`;
  return [tenantTurn, userTurns];
}

/** Maximum attempts after a rejection whose reason has disappeared by the time it is checked. */
const MAX_CREATE_ATTEMPTS = 3;

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
 *
 * Each change is one statement conditional on the state it starts from, so that only one of two succeeds.
 */
export class ScanStore {
  readonly #db: Queries;
  readonly #writer: Writer;
  readonly #locksRows: boolean;

  constructor({ db, writer, dialect }: SqlDatabase) {
    this.#db = db;
    this.#writer = writer;
    this.#locksRows = dialect.locksRows;
  }

  /**
   * Does nothing if the id exists, so that a repeated request creates one scan. Returns the counts if a limit does not
   * allow another scan, also under concurrent creation.
   */
  async create(scan: NewScan, limits: ScanLimits): Promise<ScanCounts | undefined> {
    for (let attempt = 1; attempt <= MAX_CREATE_ATTEMPTS; attempt++) {
      const adding = addUnlessTooMany(scan, limits);
      const added = await writeOne(this.#writer, adding, turnsOf(scan));
      if (added.changes > 0) return undefined;
      if ((await this.find(scan)) !== undefined) return undefined;
      const counts = await countScans(this.#db, scan, limits);
      if (isTooMany(counts, limits, scan.imageBytes)) return counts;
      // Other scans were finished or deleted meanwhile.
    }
    throw new BusyError(`scan ${scan.id} could not be added`);
  }

  /** Finds the scan of any user of the tenant if the reference names no user. */
  async find({ tenant, userId, id }: ScanRef): Promise<ScanJob | undefined> {
    const query = sql<ScansTable>`
      select * from scans where tenant_id = ${tenant} and id = ${id}
        ${userId === undefined ? sql`` : sql`and user_id = ${userId}`}`;
    const row = await query.first(this.#db);
    return row && toJob(row);
  }

  /** Returns the scans that exist, in any order. */
  async findAll(refs: readonly ScanRef[]): Promise<readonly ScanJob[]> {
    if (refs.length === 0) return [];
    const [tenants, users, ids] = [new Set<string>(), new Set<string>(), new Set<ScanId>()];
    for (const { tenant, userId = NO_USER, id } of refs) {
      tenants.add(tenant);
      users.add(userId);
      ids.add(id);
    }
    // Ids alone are unique; tenant and user help the database to find the rows.
    const query = sql<ScansTable>`
      select * from scans where tenant_id in (${list([...tenants])}) and user_id in (${list([...users])})
        and id in (${list([...ids])})`;
    const rows = await query.all(this.#db);
    return rows.map(toJob);
  }

  /** Finds scans without knowing their owners, which may query every partition. */
  async findByIds(ids: readonly ScanId[]): Promise<readonly ScanJob[]> {
    if (ids.length === 0) return [];
    const rows = await sql<ScansTable>`select * from scans where id in (${list(ids)})`.all(this.#db);
    return rows.map(toJob);
  }

  /** Whether the credential that created the scan is still valid. */
  hasLiveCredential({ credential }: Pick<ScanJob, 'credential'>, nowMs: number): Promise<boolean> {
    return isLiveCredential(this.#db, credential, nowMs);
  }

  /**
   * Moves a scan whose image is stored from `upload_pending` to `processing`. Returns false if it has another state or
   * was removed.
   */
  async arrive(ref: ScanRef, arrival: Arrival): Promise<boolean> {
    const taking = takeTurn(ref, arrival);
    return (await writeOne(this.#writer, taking, turnsOf(ref))).changes === 1;
  }

  /** Sets the bytes that the image counts in the quota. */
  async imageMeasured(ref: ScanRef, imageBytes: number): Promise<void> {
    const change = sql`update scans set image_bytes = ${imageBytes} where ${isNamed(ref)}`;
    await writeOne(this.#writer, change);
  }

  /** Scans that wait for an upload, oldest first. */
  async pendingUploads(createdBeforeMs: number, limit: number): Promise<readonly ScanJob[]> {
    const query = sql<ScansTable>`
      select * from scans where status = 'upload_pending' and created_at_ms < ${createdBeforeMs}
      order by created_at_ms limit ${limit}`;
    const rows = await query.all(this.#db);
    return rows.map(toJob);
  }

  /**
   * Fails a job that waits for its image; the image is then not expected any more. Returns false if the job
   * does not wait.
   */
  async expireUpload(ref: ScanRef, failure: ScanFailure, nowMs: number): Promise<boolean> {
    const expiry = sql`
      update scans set ${settled({ failure }, nowMs)}, has_image = 0
      where ${isNamed(ref)} and status = 'upload_pending'`;
    return this.#settle(ref, expiry, 'scan.failed');
  }

  async claim(request: ClaimRequest): Promise<ClaimedScan | undefined> {
    const { rows } = await writeOne(this.#writer, claimTurn(request, this.#lock));
    const row = rows.find(
      ({ is_leased, due_at_ms }) => is_leased === 1 && due_at_ms === request.leaseUntilMs,
    );
    return row && { job: toJob(row), fencingToken: row.fencing_token, attempt: row.attempts };
  }

  extendLease(claim: Claim, leaseUntilMs: number): Promise<boolean> {
    return this.#change(claim, sql`due_at_ms = ${leaseUntilMs}`);
  }

  /** Returns the job to the queue, due at `retryAtMs`. */
  release(claim: Claim, retryAtMs: number): Promise<boolean> {
    return this.#change(claim, sql`due_at_ms = ${retryAtMs}, is_leased = 0`);
  }

  /** Returns the job to the queue, due at `dueAtMs`, without counting an attempt. */
  giveBack(claim: Claim, dueAtMs: number): Promise<boolean> {
    return this.#change(claim, sql`due_at_ms = ${dueAtMs}, is_leased = 0, attempts = attempts - 1`);
  }

  settle(claim: Claim, settlement: Settlement, nowMs: number): Promise<boolean> {
    const event = 'result' in settlement ? 'scan.completed' : 'scan.failed';
    return this.#settle(claim, changeOf(claim, settled(settlement, nowMs)), event);
  }

  /** Fails jobs whose last attempt exceeded its lease; returns their ids. */
  async failAbandoned(
    failure: ScanFailure,
    { nowMs, maxAttempts, limit }: { nowMs: number; maxAttempts: number; limit: number },
  ): Promise<readonly ScanId[]> {
    const isAbandoned = sql`status = 'processing' and due_at_ms <= ${nowMs} and attempts >= ${maxAttempts}`;
    const query = sql<ScansTable>`
      select ${KEY} from scans where ${isAbandoned} order by due_at_ms, id limit ${limit}`;
    const failed: ScanId[] = [];
    for (const row of await query.all(this.#db)) {
      const ref = toRef(row);
      const settlement = sql`
        update scans set ${settled({ failure }, nowMs)} where ${isNamed(ref)} and ${isAbandoned}`;
      if (await this.#settle(ref, settlement, 'scan.failed')) failed.push(ref.id);
    }
    return failed;
  }

  /** Scans settled before this time whose image has not been deleted yet. */
  async withImageSettledBefore(settledBeforeMs: number, limit: number): Promise<readonly ScanRef[]> {
    const query = sql<ScansTable>`
      select ${KEY} from scans where has_image = 1 and settled_at_ms < ${settledBeforeMs}
      order by settled_at_ms limit ${limit}`;
    const rows = await query.all(this.#db);
    return rows.map(toRef);
  }

  async imageDeleted(ref: ScanRef): Promise<void> {
    await writeOne(this.#writer, sql`update scans set has_image = 0 where ${isNamed(ref)}`);
  }

  /**
   * Removes the rows of scans that were settled before this time, the oldest settlement first. Returns their
   * ids; each id is returned to one caller.
   */
  async removeSettledBefore(settledBeforeMs: number, limit: number): Promise<readonly ScanId[]> {
    const removal = sql<ScansTable>`
      delete from scans where (${KEY}) in (
        select ${KEY} from scans where settled_at_ms < ${settledBeforeMs}
        order by settled_at_ms limit ${limit} ${this.#lock})
      returning id`;
    return (await writeOne(this.#writer, removal)).rows.map(({ id }) => id as ScanId);
  }

  /** Removes the row. Returns false if there was none. */
  async remove(ref: ScanRef): Promise<boolean> {
    const removal = sql<ScansTable>`
      delete from scans where ${isNamed(ref)}
      returning tenant_id, user_id, status, attempts, tenant_turn, user_turn`;
    const [removed] = (await writeOne(this.#writer, removal)).rows;
    if (removed?.status === 'processing' && removed.attempts === 0) {
      const [first, ...others] = passTurnsOn(removed, this.#lock);
      await this.#writer.write({
        statements: [toStatement(first), ...others.map(toStatement)],
        lock: turnsOf(ref),
      });
    }
    return removed !== undefined;
  }

  /** Scans of one user, in any state. */
  async ofUser({ tenant, userId }: { tenant: string; userId: string }, limit: number) {
    const query = sql<ScansTable>`
      select id from scans where tenant_id = ${tenant} and user_id = ${userId} limit ${limit}`;
    const rows = await query.all(this.#db);
    return rows.map(({ id }) => id as ScanId);
  }

  async depth(): Promise<ScanQueueDepth> {
    const query = sql<{ is_leased: number; count: number }>`
      select is_leased, count(*) as count from scans where status = 'processing' group by is_leased`;
    const rows = await query.all(this.#db);
    const countOf = (leased: number) => rows.find((row) => row.is_leased === leased)?.count ?? 0;
    return { waiting: countOf(0), running: countOf(1) };
  }

  get #lock() {
    return this.#locksRows ? sql`for update skip locked` : sql``;
  }

  async #change(claim: Claim, assignments: Sql): Promise<boolean> {
    return (await writeOne(this.#writer, changeOf(claim, assignments))).changes === 1;
  }

  /** Settles a scan, and queues webhook deliveries for it. */
  async #settle(ref: ScanRef, settlement: Sql, event: 'scan.completed' | 'scan.failed'): Promise<boolean> {
    const { tenant, userId = NO_USER, id } = ref;
    const { changes } = await this.#writer.write({
      statements: [toStatement(settlement)],
      firstDecides: true,
      tells: { event, tenant, userId, subjects: [id] },
    });
    return changes === 1;
  }
}

function changeOf(claim: Claim, assignments: Sql): Sql {
  return sql`
    update scans set ${assignments} where ${isNamed(claim)}
      and status = 'processing' and is_leased = 1 and fencing_token = ${claim.fencingToken}`;
}

/** Scans of a tenant are counted and get turns one at a time. */
function turnsOf({ tenant }: ScanRef): Lock {
  return { name: `scans of ${tenant}` };
}
