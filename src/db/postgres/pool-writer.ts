import { hash } from 'node:crypto';
import { retry } from '../../base/retry.ts';
import type { ChangeHints } from '../change-hints.ts';
import {
  type Change,
  KEPT_DELETIONS_MS,
  type Lock,
  type Statement,
  type SubjectEvent,
  UPDATE_LOG_ROW,
  WEBHOOK_QUEUE,
  type Write,
  type Writer,
  type Written,
  webhookEventOf,
} from '../writer.ts';
import type { DatabaseConnection, SentStatement } from './database-connection.ts';
import { wasRolledBack } from './database-outage.ts';
import type { DatabasePool } from './database-pool.ts';

/**
 * Maximum attempts of a write that PostgreSQL rolls back for another transaction, such as a migration that locks two
 * tables in turn.
 */
const MAX_ATTEMPTS = 5;

/**
 * Writes to PostgreSQL, which groups syncs itself. A write without a lock is one statement and one round
 * trip; one with a lock is a transaction.
 */
export class PoolWriter implements Writer {
  readonly #pool: Pick<DatabasePool, 'connect' | 'query'>;
  readonly #hints: Pick<ChangeHints, 'raise'> | undefined;

  /** `hints` are raised after each write. */
  constructor({
    pool,
    hints,
  }: { pool: Pick<DatabasePool, 'connect' | 'query'>; hints?: Pick<ChangeHints, 'raise'> | undefined }) {
    this.#pool = pool;
    this.#hints = hints;
  }

  async write<Row>(write: Write): Promise<Written<Row>> {
    const written = await retry(() => this.#attempt<Row>(write), {
      delayMs: (error, failures) =>
        failures < MAX_ATTEMPTS && wasRolledBack(error as Error) ? 0 : undefined,
    });
    if (write.change !== undefined) this.#hints?.raise(write.change);
    if (written.hasQueued === true) this.#hints?.raise(WEBHOOK_QUEUE);
    return written;
  }

  async #attempt<Row>(write: Write): Promise<Written<Row>> {
    if (write.lock !== undefined) return this.#writeLocked(write, write.lock);
    const [first, ...others] = write.statements;
    if (others.length === 0 && webhookEventOf(write) === undefined)
      return toWritten(await this.#pool.query(toSent(first)), write.isQueuing);
    const { rows } = await this.#pool.query<WrittenAsOne>(asOne(write));
    const { changes, queued = 0 } = rows[0]!;
    return { rows: [], changes, hasQueued: queued > 0 };
  }

  async #writeLocked<Row>(write: Write, lock: Lock): Promise<Written<Row>> {
    const { statements, firstDecides } = write;
    const [first, ...others] = statements;
    const connection = await this.#pool.connect();
    let isDone = false;
    try {
      await connection.begin();
      await connection.run(toLock(lock));
      let written = toWritten<Row>(await connection.run(toSent(first)));
      if (firstDecides !== true || written.changes >= first.runs.length) {
        for (const statement of others) await connection.run(toSent(statement));
        if (webhookEventOf(write) !== undefined)
          written = { ...written, hasQueued: await logAndQueue(connection, write) };
      }
      await connection.run({ text: 'commit' });
      isDone = true;
      return written;
    } catch (error) {
      isDone = await rollBack(connection);
      throw error;
    } finally {
      connection.release(!isDone);
    }
  }
}

/** Returns whether it succeeded; otherwise the transaction ends with its connection. */
function rollBack(connection: DatabaseConnection): Promise<boolean> {
  return connection.run({ text: 'rollback' }).then(
    () => true,
    () => false,
  );
}

function toSent({ name, sql, runs }: Statement): SentStatement {
  return { ...(name !== undefined && { name }), text: sql, values: runs[0]! };
}

function toWritten<Row>(
  { rows, rowCount }: { rows: unknown[]; rowCount: number | null },
  isQueuing = false,
): Written<Row> {
  const changes = rowCount ?? 0;
  return { rows: rows as Row[], changes, hasQueued: isQueuing && changes > 0 };
}

/** Takes a lock; a named one by its hash. Statements after it see everything committed before the lock. */
function toLock(lock: Lock): SentStatement {
  if ('table' in lock) return { text: `lock table "${lock.table}" in share row exclusive mode` };
  return { text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))', values: [lock.name] };
}

async function logAndQueue(connection: DatabaseConnection, write: Write): Promise<boolean> {
  const { name, text, values } = toldParts(write);
  const sent = { name, text: `with ${text(0, '')} select count(*)::int as queued from queued`, values };
  const { rows } = await connection.run(sent);
  return (rows[0] as WrittenAsOne).queued! > 0;
}

interface LoggedParts {
  readonly name: string;
  readonly values: readonly unknown[];
  /** Common table expressions whose parameters follow the given number of others. */
  text(before: number, condition: string): string;
}

/** Logs the change of a write, and queues webhook deliveries for it. */
function toldParts(write: Write): LoggedParts {
  const { change } = write;
  const told = webhookEventOf(write)!;
  if (change === undefined || change.ids.length === 0)
    return {
      name: 'told',
      values: toldValues(told),
      text: (before, condition) => queueText(before, condition, 'true'),
    };
  const values = toValues(change);
  return {
    name: `${toName(change)}-told`,
    values: [...values, ...toldValues(told)],
    // The lock of the head is taken first, as by all writers of its owner, to avoid deadlocks.
    text: (before, condition) =>
      `${logText(change, before, condition)}, ${queueText(before + values.length, '', 'exists (select 1 from head)')}`,
  };
}

function toValues(change: Change): readonly unknown[] {
  const { tenant, userId, kind, ids, keptMs = KEPT_DELETIONS_MS, seenBy = null, chosenAtMs = null } = change;
  const common = [tenant, userId, kind, ids];
  if (change.isDeleted) return [...common, keptMs];
  return isPlain(change) ? common : [...common, seenBy, chosenAtMs];
}

function isPlain({ seenBy, chosenAtMs }: Change): boolean {
  return seenBy === undefined && chosenAtMs === undefined;
}

function toName(change: Change): keyof typeof LOGGED {
  if (change.isDeleted) return 'deletion';
  return isPlain(change) ? 'change' : 'new';
}

/** Maximum length of a statement name; PostgreSQL cuts longer ones, so that two names could become equal. */
const MAX_NAME_LENGTH = 63;

const known = new Map<string, { readonly name: string; readonly text: string }>();

interface WrittenAsOne {
  readonly changes: number;
  readonly queued?: number;
}

/** All statements as common table expressions, which see the same state and take effect together. */
function asOne(write: Write): SentStatement {
  const { statements } = write;
  const told = webhookEventOf(write) === undefined ? undefined : toldParts(write);
  const values = statements.flatMap(({ runs }) => runs.flat(1)).concat(told?.values ?? []);
  const names = [...statements.map(({ name }) => name), ...(told ? [told.name] : [])];
  // Writes that depend on the result of several runs are rare, and their text depends on the number of runs.
  if (statements[0].runs.length > 1 || names.includes(undefined))
    return { text: textOf(write, told), values };
  const joined = names.join('+');
  let statement = known.get(joined);
  if (statement === undefined) {
    const name = joined.length > MAX_NAME_LENGTH ? hash('sha256', joined, 'base64url') : joined;
    statement = { name, text: textOf(write, told) };
    known.set(joined, statement);
  }
  return { ...statement, values };
}

function textOf({ statements, firstDecides }: Write, told: LoggedParts | undefined): string {
  let before = 0;
  const [first, ...others] = statements.map(({ sql, runs }) =>
    runs.map((values) => {
      const text = shifted(sql, before);
      before += values.length;
      return text;
    }),
  ) as [string[], ...string[][]];
  const condition = firstDecides === true ? ` and (select count(*) from first) >= ${first.length}` : '';
  const parts = [
    `first as (${first.join(' union all ')}${first[0]!.startsWith('select') ? '' : ' returning 1'})`,
    ...others.map(([sql], at) => `other${at} as (${sql}${condition})`),
    ...(told ? [told.text(before, condition)] : []),
  ];
  const queued = told ? ', (select count(*)::int from queued) as queued' : '';
  return `with ${parts.join(', ')} select count(*)::int as changes${queued} from first`;
}

function shifted(sql: string, by: number): string {
  return sql.replaceAll(/\$(\d+)/g, (_, number) => `$${Number(number) + by}`);
}

/** An erased user may return: the time in microseconds keeps the numbers above the earlier ones. */
const START =
  "select case when $2 = '' then 0 else (extract(epoch from clock_timestamp()) * 1000000)::bigint end as start";

/**
 * Columns of a logged object besides its number, with their values, and the update for an object that is
 * already in the log.
 */
const LOGGED = {
  change: ['deleted', '0', 'deleted = 0, forget_after_ms = null, seen_by = null'],
  new: ['deleted, seen_by, chosen_at_ms', '0, $5::text, $6::bigint', UPDATE_LOG_ROW],
  deletion: [
    'deleted, forget_after_ms',
    '1, (extract(epoch from clock_timestamp()) * 1000)::bigint + $5::bigint',
    'deleted = 1, forget_after_ms = excluded.forget_after_ms',
  ],
} as const;

/** Advances the owner's head, whose row is locked until the commit, and gives the objects the numbers up to it. */
function logText(change: Change, before: number, condition: string): string {
  const [columns, values, again] = LOGGED[toName(change)];
  const parts = [
    `head as (
      insert into change_heads as known (tenant_id, user_id, start, seq)
      select $1::text, $2::text, start, start + cardinality($4::text[]) from (${START}) as time where true${condition}
      on conflict (tenant_id, user_id) do update set seq = known.seq + cardinality($4::text[])
      returning seq)`,
    `logged as (
      insert into changes (tenant_id, user_id, kind, id, seq, ${columns})
      select $1, $2, $3::text, object.id, head.seq - cardinality($4::text[]) + object.number, ${values}
      from head, unnest($4::text[]) with ordinality as object (id, number)
      on conflict (tenant_id, user_id, kind, id) do update set seq = excluded.seq, ${again})`,
  ];
  return shifted(parts.join(', '), before);
}

function toldValues({ event, tenant, userId, isForAllUsers = false, subjects }: SubjectEvent): unknown[] {
  return [event, tenant, userId, isForAllUsers, subjects];
}

/** Queues a delivery for each matching webhook of the tenant. See `DeliveryStore`. */
function queueText(before: number, condition: string, isDone: string): string {
  const nowMs = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
  const text = `queued as (
    insert into webhook_deliveries as known (tenant_id, webhook_id, id, event, user_id, subject, created_at_ms, queued_at_ms, due_at_ms)
    select tenant_id, webhooks.id,
      lpad(to_hex(now_ms), 12, '0') || substr(replace(gen_random_uuid()::text, '-', ''), 1, 20),
      $1::text, $3::text, subject, now_ms, now_ms, now_ms
    from webhooks, unnest($5::text[]) as subject, (select ${nowMs} as now_ms) as clock
    where tenant_id = $2::text and is_enabled = 1 and events like '%' || $1::text || '%'
      and (user_id = '' or user_id = $3::text or $4::boolean) and ${isDone}${condition}
    on conflict (webhook_id, event, user_id, subject) where fencing_token = 0 and due_at_ms is not null
    do update set due_at_ms = known.due_at_ms
    returning 1)`;
  return shifted(text, before);
}
