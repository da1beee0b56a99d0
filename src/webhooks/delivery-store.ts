import { list, type Queries, raw, type Sql, sql } from '../db/sql.ts';
import type { SqlDatabase } from '../db/sql-database.ts';
import { type Statement, toStatement, type Writer, writeOne } from '../db/writer.ts';
import { GIVEN_UP_AFTER_MS } from './retry-schedule.ts';
import { type ClaimedDelivery, type Delivery, TEST_EVENT } from './webhook.ts';
import { type DeliveriesTable, toClaimed, toDelivery } from './webhook-rows.ts';

/** Webhooks that one query of the queue reads. */
export const WEBHOOKS_AT_ONCE = 500;
/** Time for which a finished delivery is listed, and can be sent again. */
export const KEPT_SUCCEEDED_MS = 24 * 3_600_000;
export const KEPT_FAILED_MS = 7 * 24 * 3_600_000;
/** Maximum queued deliveries that are counted for a metric. */
const MAX_COUNTED = 100_000;
/** Sorts after every id of a delivery. */
const END = 'z';

/** Outcome of an attempt: undefined `dueAtMs` ends the delivery. */
export interface Attempted {
  readonly succeeded: boolean;
  readonly atMs: number;
  readonly dueAtMs?: number | undefined;
  readonly responseStatus?: number | undefined;
  readonly response: string;
}

/** A webhook with queued deliveries. */
export interface QueuedWebhook {
  readonly id: string;
  /** Undefined if the webhook was deleted. */
  readonly tenant?: string | undefined;
  /** Whether one of them may be sent now. */
  readonly isDue: boolean;
}

type DeliveryName = Pick<Delivery, 'webhookId' | 'id'>;

/**
 * Stores deliveries; their rows are the queue. Writers queue them in the transaction of the change
 * (`webhookEventOf`). Guarantees:
 * - A queued delivery stays until it was delivered, or given up after the last attempt.
 * - One worker holds a delivery at a time. After its lease has expired or it was returned, another worker can
 * claim it, and the earlier holder can neither extend nor settle it: these methods return false.
 * - A delivery that was never claimed also covers later changes of the same object. A writer that adds to it
 * holds its row until the commit, so that no claim comes in between: a claim reads all changes that the
 * delivery covers.
 */
export class DeliveryStore {
  readonly #db: Queries;
  readonly #writer: Writer;
  readonly #locksRows: boolean;

  constructor({ db, writer, dialect }: SqlDatabase) {
    this.#db = db;
    this.#writer = writer;
    this.#locksRows = dialect.locksRows;
  }

  /** Webhooks after this id with queued deliveries, at most `WEBHOOKS_AT_ONCE`: one step in an index for each. */
  async queued(after: string, nowMs: number): Promise<readonly QueuedWebhook[]> {
    const next = (id: unknown) => sql`
      (select min(webhook_id) from webhook_deliveries where due_at_ms is not null and webhook_id > ${id})`;
    const query = sql<{
      readonly webhook_id: string;
      readonly tenant_id: string | null;
      readonly is_due: number;
    }>`
      with recursive queued (id, number) as (
        select ${next(after)}, 1
        union all
        select ${next(sql`queued.id`)}, number + 1 from queued where id is not null and number < ${WEBHOOKS_AT_ONCE}
      )
      select id as webhook_id, (select tenant_id from webhooks where id = queued.id) as tenant_id,
        case when exists (
          select 1 from webhook_deliveries where webhook_id = queued.id and due_at_ms <= ${nowMs}
        ) and (select is_enabled from webhooks where id = queued.id) = 1 then 1 else 0 end as is_due
      from queued where id is not null order by id`;
    const rows = await query.prepared('queued-webhooks').all(this.#db);
    return rows.map(({ webhook_id: id, tenant_id: tenant, is_due }) => ({
      id,
      tenant: tenant ?? undefined,
      isDue: is_due === 1,
    }));
  }

  /** The one that is due longest comes first. Skips rows that another worker claims or a writer adds to. */
  async claim(webhookId: string, request: { nowMs: number; leaseUntilMs: number; limit: number }) {
    const { nowMs, leaseUntilMs, limit } = request;
    // Materialized, because PostgreSQL otherwise searches the due ones again for each updated row, and takes
    // too many.
    const claim = sql<DeliveriesTable>`
      with due as materialized (
        select id from webhook_deliveries where webhook_id = ${webhookId} and due_at_ms <= ${nowMs}
        order by due_at_ms, id limit ${limit} ${this.#locksRows ? sql`for update skip locked` : sql``}
      )
      update webhook_deliveries set due_at_ms = ${leaseUntilMs}, is_leased = 1, attempts = attempts + 1,
        fencing_token = fencing_token + 1
      where webhook_id = ${webhookId} and id in (select id from due)
      returning *`;
    const { rows } = await writeOne(this.#writer, claim.prepared('claim-deliveries'));
    return rows.map(toClaimed);
  }

  extendLease(claimed: ClaimedDelivery, leaseUntilMs: number): Promise<boolean> {
    return this.#change(claimed, sql`due_at_ms = ${leaseUntilMs}`);
  }

  /** Returns the delivery to the queue, due at `dueAtMs`, without counting an attempt. */
  giveBack(claimed: ClaimedDelivery, dueAtMs: number): Promise<boolean> {
    return this.#change(claimed, sql`due_at_ms = ${dueAtMs}, is_leased = 0, attempts = attempts - 1`);
  }

  /** A success ends the time of consecutive failures of its webhook. */
  async settle(claimed: ClaimedDelivery, attempted: Attempted): Promise<boolean> {
    const { succeeded, atMs, dueAtMs = null, responseStatus = null, response } = attempted;
    const keptMs = succeeded ? KEPT_SUCCEEDED_MS : KEPT_FAILED_MS;
    const outcome = succeeded ? 'succeeded' : 'failed';
    const settlement = sql`
      update webhook_deliveries set due_at_ms = ${dueAtMs}, is_leased = 0,
        outcome = ${dueAtMs === null ? outcome : null}, attempted_at_ms = ${atMs},
        response_status = ${responseStatus}, response = ${response},
        forget_after_ms = ${dueAtMs === null ? atMs + keptMs : null}
      where ${isHeld(claimed)}`.prepared('settle-delivery');
    const works = sql`
      update webhooks set failing_since_ms = null
      where id = ${claimed.webhookId} and failing_since_ms is not null`.prepared('webhook-works');
    const { changes } = await this.#writer.write({
      statements: [toStatement(settlement), ...(succeeded ? [toStatement(works)] : [])],
      firstDecides: true,
    });
    return changes === 1;
  }

  /** Removes a delivery whose subject does not exist any more. */
  async drop(claimed: ClaimedDelivery): Promise<boolean> {
    const removal = sql`delete from webhook_deliveries where ${isHeld(claimed)}`;
    return (await writeOne(this.#writer, removal)).changes === 1;
  }

  /** Newest first, starting before this id; '' is the end. */
  async list(webhookId: string, before: string, limit: number): Promise<readonly Delivery[]> {
    const query = sql<DeliveriesTable>`
      select * from webhook_deliveries where webhook_id = ${webhookId} and id < ${before === '' ? END : before}
      order by id desc limit ${limit}`;
    return (await query.all(this.#db)).map(toDelivery);
  }

  async find({ webhookId, id }: DeliveryName): Promise<Delivery | undefined> {
    const query = sql<DeliveriesTable>`
      select * from webhook_deliveries where webhook_id = ${webhookId} and id = ${id}`;
    const row = await query.first(this.#db);
    return row && toDelivery(row);
  }

  /** Queues a test delivery. */
  async addTest(
    { tenant, webhookId, id }: DeliveryName & Pick<Delivery, 'tenant'>,
    nowMs: number,
  ): Promise<void> {
    const row = {
      tenant_id: tenant,
      webhook_id: webhookId,
      id,
      event: TEST_EVENT,
      user_id: '',
      subject: id,
      created_at_ms: nowMs,
      queued_at_ms: nowMs,
      due_at_ms: nowMs,
    } satisfies Partial<DeliveriesTable>;
    const insertion = sql`
      insert into webhook_deliveries (${raw(Object.keys(row).join())}) values (${list(Object.values(row))})`;
    await this.#enqueue(toStatement(insertion));
  }

  /**
   * Queues it again with all attempts and the same id; a waiting one becomes due. Returns false if it is
   * being sent, or does not exist.
   */
  async redeliver({ webhookId, id }: DeliveryName, nowMs: number): Promise<boolean> {
    const change = sql`
      update webhook_deliveries set due_at_ms = ${nowMs}, queued_at_ms = ${nowMs}, attempts = 0, fencing_token = fencing_token + 1,
        outcome = null, forget_after_ms = null
      where webhook_id = ${webhookId} and id = ${id} and is_leased = 0`;
    return this.#enqueue(toStatement(change));
  }

  /** Gives up deliveries that waited too long, for example of disabled webhooks; returns their number. */
  async giveUp(nowMs: number, limit: number): Promise<number> {
    const change = sql`
      update webhook_deliveries set due_at_ms = null, outcome = 'failed', forget_after_ms = ${nowMs + KEPT_FAILED_MS}
      where (webhook_id, id) in (
        select webhook_id, id from webhook_deliveries
        where due_at_ms is not null and is_leased = 0 and queued_at_ms <= ${nowMs - GIVEN_UP_AFTER_MS}
        order by queued_at_ms limit ${limit})`;
    return (await writeOne(this.#writer, change)).changes;
  }

  /** Removes old finished deliveries; returns their number. */
  async forget(nowMs: number, limit: number): Promise<number> {
    const removal = sql`
      delete from webhook_deliveries where (webhook_id, id) in (
        select webhook_id, id from webhook_deliveries where forget_after_ms <= ${nowMs}
        order by forget_after_ms limit ${limit})`;
    return (await writeOne(this.#writer, removal)).changes;
  }

  /** Whether more than this many wait. */
  async hasMore(webhookId: string, than: number): Promise<boolean> {
    const query = sql`
      select 1 from webhook_deliveries where webhook_id = ${webhookId} and due_at_ms is not null
      order by webhook_id, due_at_ms, id limit 1 offset ${than}`;
    return (await query.first(this.#db)) !== undefined;
  }

  /** The number of waiting ones, up to a limit. */
  async depth(): Promise<number> {
    const query = sql<{ readonly count: number }>`
      select count(*) as count from (
        select 1 from webhook_deliveries where due_at_ms is not null order by queued_at_ms
        limit ${MAX_COUNTED}) as queued`;
    return Number((await query.first(this.#db))!.count);
  }

  async #change(claimed: ClaimedDelivery, assignments: Sql): Promise<boolean> {
    const change = sql`update webhook_deliveries set ${assignments} where ${isHeld(claimed)}`;
    return (await writeOne(this.#writer, change)).changes === 1;
  }

  /** Wakes workers as other events do. */
  async #enqueue(statement: Statement): Promise<boolean> {
    return (await this.#writer.write({ statements: [statement], isQueuing: true })).changes === 1;
  }
}

function isHeld({ webhookId, id, fencingToken }: ClaimedDelivery): Sql {
  return sql`webhook_id = ${webhookId} and id = ${id} and is_leased = 1 and fencing_token = ${fencingToken}`;
}
