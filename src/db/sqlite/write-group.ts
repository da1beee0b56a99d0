import { OutageError } from '@larder/core/errors.ts';
import type Sqlite from 'better-sqlite3';
import { received, type TransferredError, transferred } from '../../threads/error-transfer.ts';
import {
  type Change,
  KEPT_DELETIONS_MS,
  type Statement,
  type SubjectEvent,
  UPDATE_LOG_ROW,
  type Write,
  type Writer,
  type Written,
  webhookEventOf,
} from '../writer.ts';
import { toOutage } from './database-outage.ts';
import { markTraces } from './erased-traces.ts';
import { PreparedStatements } from './prepared-statements.ts';

/** The outcome of one write, in the form of a call's outcome (see `Channel`). */
export type WriteResult = { readonly result: Written } | { readonly error: TransferredError };

type GroupTransaction = Sqlite.Transaction<(group: readonly Write[]) => WriteResult[]>;

/** Runs writes on one connection. */
export class WriteGroups {
  readonly #prepared: PreparedStatements;
  /** Fails as a whole if one of its writes does. */
  readonly #together: GroupTransaction;
  /** Each write has a savepoint, which costs a tenth of a write: SQLite keeps the pages from before it. */
  readonly #bySavepoints: GroupTransaction;

  constructor({ sqlite }: { sqlite: Sqlite.Database }) {
    this.#prepared = new PreparedStatements({ sqlite });
    const log = logOf(sqlite);
    const queue = queueOf(sqlite);
    const carryOut = (write: Write): Written => {
      const { statements, firstDecides, change, isQueuing = false } = write;
      const [first, ...others] = statements;
      const written = this.#run(first);
      if (firstDecides === true && written.changes < first.runs.length) return written;
      for (const statement of others) this.#run(statement);
      if (write.isErasure === true) markTraces(sqlite);
      if (change !== undefined && change.ids.length > 0) log(change);
      const told = webhookEventOf(write);
      const hasQueued = told === undefined ? isQueuing && written.changes > 0 : queue(told);
      return hasQueued ? { ...written, hasQueued } : written;
    };
    this.#together = sqlite.transaction((group) => group.map((write) => ({ result: carryOut(write) })));
    // better-sqlite3 makes a transaction inside another one a savepoint.
    const step = sqlite.transaction(carryOut);
    this.#bySavepoints = sqlite.transaction((group) =>
      group.map((write) => {
        try {
          return { result: step(write) };
        } catch (error) {
          // A full disk or a broken file ends the whole transaction, and all writes of the group.
          if (!sqlite.inTransaction) throw error;
          return { error: transferred(toOutage(error)) };
        }
      }),
    );
  }

  /**
   * Runs a group of writes in one transaction: one sync of the disk for all of them. A write that fails does not affect the
   * others: they are run again, with savepoints. If the disk or the commit fails, all have failed and nothing is stored.
   */
  commit(group: readonly Write[], transaction = this.#together): WriteResult[] {
    try {
      return transaction.immediate(group);
    } catch (error) {
      const cause = toOutage(error);
      const isOfOneWrite = transaction === this.#together && !(cause instanceof OutageError);
      if (isOfOneWrite && group.length > 1) return this.commit(group, this.#bySavepoints);
      const outcome = { error: transferred(cause) };
      return group.map(() => outcome);
    }
  }

  #run({ name, sql, runs }: Statement): Written {
    const statement = this.#prepared.get(sql, name);
    const rows: unknown[] = [];
    let changes = 0;
    for (const values of runs) {
      if (statement.reader) for (const row of statement.all(values)) rows.push(row);
      else changes += statement.run(values).changes;
    }
    return { rows, changes: changes + rows.length };
  }
}

/**
 * Writes on a connection of the caller, each write in its own transaction: for commands and `larder worker`,
 * which run beside a service or before it. The calling thread waits for the disk and for other writers.
 */
export class DirectWriter implements Writer {
  readonly #groups: WriteGroups;

  constructor({ sqlite }: { sqlite: Sqlite.Database }) {
    this.#groups = new WriteGroups({ sqlite });
  }

  async write<Row>(write: Write): Promise<Written<Row>> {
    const outcome = this.#groups.commit([write])[0]!;
    if ('error' in outcome) throw received(outcome.error);
    return outcome.result as Written<Row>;
  }
}

/**
 * The time, with which the numbers of a user begin. An erased user may return, and writes take longer than a microsecond for each
 * object: so their numbers are above the earlier ones. Within a millisecond they would be the same.
 */
function microseconds(): number {
  return Math.floor((performance.timeOrigin + performance.now()) * 1000);
}

/** Gives objects the next numbers of their owner. */
function logOf(sqlite: Sqlite.Database): (change: Change) => void {
  const advance = sqlite.prepare<unknown[], { readonly seq: number }>(
    `insert into change_heads (tenant_id, user_id, start, seq) values (?, ?, ?, ?)
     on conflict (tenant_id, user_id) do update set seq = seq + ? returning seq`,
  );
  const log = sqlite.prepare(
    `insert into changes (tenant_id, user_id, kind, id, seq, deleted, seen_by, chosen_at_ms)
     values (?, ?, ?, ?, ?, 0, ?, ?)
     on conflict (tenant_id, user_id, kind, id) do update set seq = excluded.seq, ${UPDATE_LOG_ROW}`,
  );
  const logDeletion = sqlite.prepare(
    `insert into changes (tenant_id, user_id, kind, id, seq, deleted, forget_after_ms) values (?, ?, ?, ?, ?, 1, ?)
     on conflict (tenant_id, user_id, kind, id) do update set
       seq = excluded.seq, deleted = 1, forget_after_ms = excluded.forget_after_ms`,
  );
  return ({ tenant, userId, kind, ids, isDeleted, keptMs = KEPT_DELETIONS_MS, seenBy, chosenAtMs }) => {
    const nowMs = Date.now();
    const newStart = userId === '' ? 0 : microseconds();
    const count = ids.length;
    const { seq } = advance.get(tenant, userId, newStart, newStart + count, count)!;
    let next = seq - count;
    for (const id of ids) {
      if (isDeleted) logDeletion.run(tenant, userId, kind, id, ++next, nowMs + keptMs);
      else log.run(tenant, userId, kind, id, ++next, seenBy ?? null, chosenAtMs ?? null);
    }
  };
}

/** Queues a delivery for each matching webhook of the tenant; returns true if there is one. See `DeliveryStore`. */
function queueOf(sqlite: Sqlite.Database): (told: SubjectEvent) => boolean {
  const insert = sqlite.prepare(
    `insert into webhook_deliveries (tenant_id, webhook_id, id, event, user_id, subject, created_at_ms, queued_at_ms, due_at_ms)
     select tenant_id, id, printf('%012x', $nowMs) || lower(hex(randomblob(10))), $event, $userId, $subject, $nowMs, $nowMs, $nowMs
     from webhooks where tenant_id = $tenant and is_enabled = 1 and events like '%' || $event || '%'
       and (user_id = '' or user_id = $userId or $isForAllUsers = 1)
     on conflict (webhook_id, event, user_id, subject) where fencing_token = 0 and due_at_ms is not null
     do update set due_at_ms = due_at_ms`,
  );
  return ({ event, tenant, userId, isForAllUsers = false, subjects }) => {
    const common = { event, tenant, userId, nowMs: Date.now(), isForAllUsers: isForAllUsers ? 1 : 0 };
    let hasQueued = false;
    for (const subject of subjects) {
      if (insert.run({ ...common, subject }).changes === 0) break;
      hasQueued = true;
    }
    return hasQueued;
  };
}
