import { RepeatedTask } from '../base/repeated-task.ts';
import { list, type Queries, sql } from '../db/sql.ts';
import type { SqlDatabase } from '../db/sql-database.ts';
import { type LogOwner, toStatement, type Writer } from '../db/writer.ts';

const SWEEP_EVERY_MS = 10 * 60_000;
/** Bounds one write, because writes of clients wait for it. */
const MAX_FORGOTTEN_AT_ONCE = 512;

export interface DeletionSweeperOptions extends Pick<SqlDatabase, 'db' | 'writer'> {
  readonly nowMs: () => number;
  readonly onError: (cause: unknown) => void;
}

interface Forgettable {
  readonly tenant_id: string;
  readonly user_id: string;
  readonly seq: number;
}

/**
 * Removes expired deletions from the logs, as fast as new ones arrive. The log then starts after them, and
 * readers with an older position start anew. For an id that its client chose, the fact that it was deleted
 * is kept. Several sweepers may run concurrently.
 */
export class DeletionSweeper extends RepeatedTask {
  readonly #db: Queries;
  readonly #writer: Writer;
  readonly #nowMs: () => number;

  constructor({ db, writer, nowMs, onError }: DeletionSweeperOptions) {
    super(() => this.sweep(), { everyMs: SWEEP_EVERY_MS, onError });
    this.#db = db;
    this.#writer = writer;
    this.#nowMs = nowMs;
  }

  async sweep(): Promise<void> {
    const nowMs = this.#nowMs();
    let found: readonly Forgettable[];
    do {
      const query = sql<Forgettable>`
        select tenant_id, user_id, seq from changes
        where forget_after_ms is not null and forget_after_ms <= ${nowMs}
        order by forget_after_ms limit ${MAX_FORGOTTEN_AT_ONCE}`;
      found = await query.prepared('find-forgettable').all(this.#db);
      for (const { owner, seqs } of byOwner(found)) await this.#forget(owner, seqs);
    } while (found.length === MAX_FORGOTTEN_AT_ONCE && !this.isStopped);
  }

  async #forget({ tenant, userId }: LogOwner, seqs: readonly number[]): Promise<void> {
    const last = Math.max(...seqs);
    const forgotten = [...seqs];
    // Padded to few different lengths, so that few statements are prepared.
    while (!Number.isInteger(Math.log2(forgotten.length))) forgotten.push(last);
    // An object that was written again meanwhile has another number.
    const rows = sql`tenant_id = ${tenant} and user_id = ${userId} and seq in (${list(forgotten)})`;
    await this.#writer.write({
      statements: [
        toStatement(sql`
          update change_heads set start = case when start < ${last} then cast(${last} as bigint) else start end
          where tenant_id = ${tenant} and user_id = ${userId}`),
        toStatement(sql`delete from changes where ${rows} and chosen_at_ms is null`),
        toStatement(
          sql`update changes set forget_after_ms = null where ${rows} and chosen_at_ms is not null`,
        ),
      ],
      lock: { name: `forget ${tenant} ${userId}` },
    });
  }
}

function byOwner(found: readonly Forgettable[]): { owner: LogOwner; seqs: number[] }[] {
  const owners = new Map<string, { owner: LogOwner; seqs: number[] }>();
  for (const { tenant_id: tenant, user_id: userId, seq } of found) {
    const key = `${tenant}\n${userId}`;
    const known = owners.get(key) ?? { owner: { tenant, userId }, seqs: [] };
    known.seqs.push(seq);
    owners.set(key, known);
  }
  return [...owners.values()];
}
