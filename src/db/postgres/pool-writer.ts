import { retry } from '../../base/retry.ts';
import type { ChangeHints } from '../change-hints.ts';
import {
  type Change,
  KEPT_DELETIONS_MS,
  LOG_AGAIN,
  type Lock,
  type Statement,
  type Write,
  type Writer,
  type Written,
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
 * Writes to PostgreSQL, which groups syncs by itself. A write without a lock is one statement and so one round trip; one with a
 * lock is a transaction.
 */
export class PoolWriter implements Writer {
  readonly #pool: Pick<DatabasePool, 'connect' | 'query'>;
  readonly #hints: Pick<ChangeHints, 'raise'> | undefined;

  /** `hints` are told of each write. */
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
    return written;
  }

  async #attempt<Row>(write: Write): Promise<Written<Row>> {
    if (write.lock !== undefined) return this.#writeLocked(write, write.lock);
    const [first, ...others] = write.statements;
    if (others.length === 0 && !isLogged(write.change))
      return toWritten(await this.#pool.query(toSent(first)));
    const { rows } = await this.#pool.query<{ changes: number }>(asOne(write));
    return { rows: [], changes: rows[0]!.changes };
  }

  async #writeLocked<Row>(
    { statements: [first, ...others], firstDecides, change }: Write,
    lock: Lock,
  ): Promise<Written<Row>> {
    const connection = await this.#pool.connect();
    let isDone = false;
    try {
      await connection.begin();
      await connection.run(toLock(lock));
      const written = toWritten<Row>(await connection.run(toSent(first)));
      if (firstDecides !== true || written.changes >= first.runs.length) {
        for (const statement of others) await connection.run(toSent(statement));
        if (isLogged(change)) await connection.run(toLogged(change));
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

/** Whether it could; otherwise the transaction ends with its connection. */
function rollBack(connection: DatabaseConnection): Promise<boolean> {
  return connection.run({ text: 'rollback' }).then(
    () => true,
    () => false,
  );
}

function toSent({ name, sql, runs }: Statement): SentStatement {
  return { ...(name !== undefined && { name }), text: sql, values: runs[0]! };
}

function toWritten<Row>({ rows, rowCount }: { rows: unknown[]; rowCount: number | null }): Written<Row> {
  return { rows: rows as Row[], changes: rowCount ?? 0 };
}

/** Takes a lock; a named one by its hash. Statements after it see everything committed before the lock. */
function toLock(lock: Lock): SentStatement {
  if ('table' in lock) return { text: `lock table "${lock.table}" in share row exclusive mode` };
  return { text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))', values: [lock.name] };
}

function isLogged(change: Change | undefined): change is Change {
  return change !== undefined && change.ids.length > 0;
}

function toLogged(change: Change): SentStatement {
  const text = `with ${logText(change, 0, '')} select 1`;
  return { name: `log-${toName(change)}`, text, values: toValues(change) };
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

const texts = new Map<string, string>();

/** All of them as common table expressions, which see the same state and happen together. */
function asOne(write: Write): SentStatement {
  const { statements, change } = write;
  const logged = isLogged(change) ? change : undefined;
  const values = statements.flatMap(({ runs }) => runs.flat(1)).concat(logged ? toValues(logged) : []);
  const names = [...statements.map(({ name }) => name), ...(logged ? [toName(logged)] : [])];
  // One that decides by many runs is rare, and differs with their number.
  if (statements[0].runs.length > 1 || names.includes(undefined))
    return { text: textOf(write, logged), values };
  const name = names.join('+');
  const text = texts.get(name) ?? textOf(write, logged);
  texts.set(name, text);
  return { name, text, values };
}

function textOf({ statements, firstDecides }: Write, logged: Change | undefined): string {
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
    ...(logged ? [logText(logged, before, condition)] : []),
  ];
  return `with ${parts.join(', ')} select count(*)::int as changes from first`;
}

function shifted(sql: string, by: number): string {
  return sql.replaceAll(/\$(\d+)/g, (_, number) => `$${Number(number) + by}`);
}

/** A user who was erased may come back: time, in microseconds, keeps the numbers above the earlier ones. */
const START =
  "select case when $2 = '' then 0 else (extract(epoch from clock_timestamp()) * 1000000)::bigint end as start";

/** Columns of a logged object besides its number, their values, and the update of one that is in the log. */
const LOGGED = {
  change: ['deleted', '0', 'deleted = 0, forget_after_ms = null, seen_by = null'],
  new: ['deleted, seen_by, chosen_at_ms', '0, $5::text, $6::bigint', LOG_AGAIN],
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
