import { raw, type Sql, sql } from '../../db/sql.ts';
import type { ScanRef } from '../scan-job.ts';
import type { Arrival, ClaimRequest } from './scan-queue.ts';
import { NO_USER, type ScansTable } from './scan-rows.ts';

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
export function takeTurn(ref: ScanRef, { nowMs, imageBytes }: Arrival): Sql {
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
export function claimTurn({ nowMs, leaseUntilMs, maxAttempts }: ClaimRequest, lock: Sql): Sql<ScansTable> {
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
export function passTurnsOn(
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
