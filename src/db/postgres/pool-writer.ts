import type { Lock, Statement, Write, Writer, Written } from '../writer.ts';
import type { DatabaseConnection, Statement as SentStatement } from './database-connection.ts';
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

  constructor({ pool }: { pool: Pick<DatabasePool, 'connect' | 'query'> }) {
    this.#pool = pool;
  }

  async write<Row>(write: Write): Promise<Written<Row>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(write);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !wasRolledBack(error as Error)) throw error;
      }
    }
  }

  async #attempt<Row>(write: Write): Promise<Written<Row>> {
    if (write.lock !== undefined) return this.#writeLocked(write, write.lock);
    const { statements, firstDecides = false } = write;
    const [first] = statements;
    if (statements.length === 1) return toWritten(await this.#pool.query(toSent(first)));
    const { rows } = await this.#pool.query<{ changes: number }>(asOne(statements, firstDecides));
    return { rows: [], changes: rows[0]!.changes };
  }

  /** Unknown, since other nodes write too and only the database knows. */
  revision(): undefined {
    return undefined;
  }

  async #writeLocked<Row>(
    { statements: [first, ...others], firstDecides }: Write,
    lock: Lock,
  ): Promise<Written<Row>> {
    const connection = await this.#pool.connect();
    let isDone = false;
    try {
      await connection.begin();
      await connection.run(toLock(lock));
      const written = toWritten<Row>(await connection.run(toSent(first)));
      if (firstDecides !== true || written.changes >= first.runs.length)
        for (const statement of others) await connection.run(toSent(statement));
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

const texts = new Map<string, string>();

/** All of them as common table expressions, which see the same state and happen together. */
function asOne(statements: Write['statements'], firstDecides: boolean): SentStatement {
  const values = statements.flatMap(({ runs }) => runs.flat(1));
  // One that decides by many runs is rare, and differs with their number.
  if (statements[0].runs.length > 1) return { text: textOf(statements, firstDecides), values };
  const name = statements.map((statement) => statement.name).join('+');
  const text = texts.get(name) ?? textOf(statements, firstDecides);
  texts.set(name, text);
  return { name, text, values };
}

function textOf(statements: Write['statements'], firstDecides: boolean): string {
  let before = 0;
  const [first, ...others] = statements.map(({ sql, runs }) =>
    runs.map((values) => {
      const shift = before;
      before += values.length;
      return sql.replaceAll(/\$(\d+)/g, (_, number) => `$${Number(number) + shift}`);
    }),
  ) as [string[], ...string[][]];
  const condition = firstDecides ? ` and (select count(*) from first) >= ${first.length}` : '';
  const parts = [
    `first as (${first.join(' union all ')}${first[0]!.startsWith('select') ? '' : ' returning 1'})`,
    ...others.map(([sql], at) => `other${at} as (${sql}${condition})`),
  ];
  return `with ${parts.join(', ')} select count(*)::int as changes from first`;
}
