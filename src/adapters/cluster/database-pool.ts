import type { PostgresPool } from 'kysely';
import pg from 'pg';
import { OutageError } from '../../errors.ts';
import { DatabaseConnection, type Statement } from './database-connection.ts';
import { toOutage } from './database-outage.ts';

const WAIT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const DEFAULT_CONNECTIONS = 10;
/** Queries of one thread that may wait for a connection; more are refused at once. */
const MAX_WAITING_QUERIES = 1_000;

export interface DatabasePoolInit {
  readonly url: string;
  /** Connections at most; further queries wait for one. */
  readonly connections?: number;
  /** How long a query may wait for a connection. */
  readonly waitTimeoutMs?: number;
  /** How long a statement may run. */
  readonly statementTimeoutMs?: number;
}

/** Connections to the database at one address, made when they are needed. Close it with `end`. */
export class DatabasePool implements PostgresPool {
  /** Kysely asks for it. */
  readonly options = {};
  readonly #pool: pg.Pool;
  readonly #connections = new WeakMap<pg.ClientBase, DatabaseConnection>();

  constructor({
    url,
    connections = DEFAULT_CONNECTIONS,
    waitTimeoutMs = WAIT_TIMEOUT_MS,
    statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  }: DatabasePoolInit) {
    const pool = new pg.Pool({
      connectionString: url,
      // What PostgreSQL lists them as.
      application_name: 'larder',
      max: connections,
      connectionTimeoutMillis: waitTimeoutMs,
      types: { getTypeParser },
      // It is waited for, whatever its type says. Poolers refuse limits among the parameters of a start.
      onConnect: async (client) => {
        const limits = { statementTimeoutMs, waitTimeoutMs };
        this.#connections.set(client, await DatabaseConnection.open(client as pg.PoolClient, limits));
      },
    });
    // An idle connection that breaks is replaced by the pool; whoever uses one next hears of it there.
    pool.on('error', () => {});
    // Of one in use the pool takes no notice, and a broken one with nobody listening would end the thread.
    pool.on('connect', (client) => client.on('error', () => {}));
    this.#pool = pool;
  }

  get isEnded(): boolean {
    return this.#pool.ended;
  }

  /** Give it back with `release`. Throws an `OutageError` where none is to be had in time. */
  async connect(): Promise<DatabaseConnection> {
    requireRoom(this.#pool);
    const client = await this.#pool.connect().catch((error) => {
      throw toOutage(error);
    });
    return this.#connections.get(client)!;
  }

  /** One statement on any connection. Throws an `OutageError` where PostgreSQL does not answer. */
  async query<R extends pg.QueryResultRow>(statement: Statement): Promise<pg.QueryResult<R>> {
    const connection = await this.connect();
    try {
      return await connection.run<R>(statement);
    } finally {
      connection.release();
    }
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}

/** Throws an `OutageError` when too many wait already: they would only be answered after their clients are gone. */
export function requireRoom(pool: Pick<pg.Pool, 'waitingCount'>): void {
  if (pool.waitingCount < MAX_WAITING_QUERIES) return;
  throw new OutageError(`${MAX_WAITING_QUERIES} queries wait for PostgreSQL already`);
}

/** Times fit a number long past anybody's lifetime, so 64-bit integers need not come as text. */
function getTypeParser(id: number, format?: 'text' | 'binary') {
  return id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format);
}
