import { BusyError } from '@larder/core/errors.ts';
import pg from 'pg';
import { DatabaseConnection, type DatabaseLimits, type SentStatement } from './database-connection.ts';
import { toUnreachable } from './database-outage.ts';

/** Time that a server may take to close a connection that has been ended here. */
const CLOSE_GRACE_MS = 1_000;

/** Members that the types of `pg` leave out. */
interface Connected extends pg.ClientBase {
  readonly connection: pg.Connection;
}

/**
 * Has a client that has connected end within its time, whatever its server does: one that has fallen silent, or is gone
 * without a word, never closes its end, and no process could end that waits for it.
 */
export function endThoughSilent(client: pg.ClientBase): void {
  const { stream } = (client as Connected).connection;
  stream.once('finish', () => setTimeout(() => stream.destroy(), CLOSE_GRACE_MS).unref());
}

const DEFAULT_CONNECTIONS = 10;
/** Queries of one thread that may wait for a connection; more are refused at once. */
const MAX_WAITING_QUERIES = 1_000;
/** The message of `pg`'s pool when no connection came free in time. */
const NONE_CAME_FREE = 'timeout exceeded when trying to connect';

export interface DatabasePoolInit {
  readonly url: string;
  /** Connections at most; further queries wait for one. */
  readonly connections?: number;
  readonly limits: DatabaseLimits;
}

/** Connections to the database at one address, made when they are needed. Close it with `end`. */
export class DatabasePool {
  readonly #pool: pg.Pool;
  readonly #connections = new WeakMap<pg.ClientBase, DatabaseConnection>();
  #refused = 0;

  constructor({ url, connections = DEFAULT_CONNECTIONS, limits }: DatabasePoolInit) {
    const pool = new pg.Pool({
      connectionString: url,
      // Shown in `pg_stat_activity`.
      application_name: 'larder',
      max: connections,
      connectionTimeoutMillis: limits.waitTimeoutMs,
      types: { getTypeParser },
      // The pool awaits this, although its type says otherwise. Poolers refuse limits among the startup parameters.
      onConnect: async (client) => {
        this.#connections.set(client, await DatabaseConnection.open(client as pg.PoolClient, limits));
      },
    });
    // An idle connection that breaks is replaced by the pool; whoever uses one next hears of it there.
    pool.on('error', () => {});
    // The pool does not watch connections in use, and an `error` event without a listener would end the thread.
    pool.on('connect', (client) => {
      client.on('error', () => {});
      endThoughSilent(client);
    });
    this.#pool = pool;
  }

  get isEnded(): boolean {
    return this.#pool.ended;
  }

  /** Connections in use at the moment. */
  get busyConnections(): number {
    return this.#pool.totalCount - this.#pool.idleCount;
  }

  /** Open connections that nobody uses at the moment. */
  get idleConnections(): number {
    return this.#pool.idleCount;
  }

  get waitingQueries(): number {
    return this.#pool.waitingCount;
  }

  /** Queries so far that got no connection in time. */
  get refusedQueries(): number {
    return this.#refused;
  }

  /** Give it back with `release`. Throws a `BusyError` where all are in use for long, else an `OutageError`. */
  async connect(): Promise<DatabaseConnection> {
    if (this.waitingQueries >= MAX_WAITING_QUERIES)
      throw this.#busy(`${MAX_WAITING_QUERIES} queries wait for PostgreSQL already`);
    const client = await this.#pool.connect().catch((error: Error) => {
      throw error.message === NONE_CAME_FREE
        ? this.#busy('no connection to PostgreSQL came free in time')
        : toUnreachable(error);
    });
    return this.#connections.get(client)!;
  }

  /** One statement on any connection. Throws as `connect` does, and an `OutageError` where PostgreSQL does not answer. */
  async query<R extends pg.QueryResultRow>(statement: SentStatement): Promise<pg.QueryResult<R>> {
    const connection = await this.connect();
    try {
      return await connection.run<R>(statement);
    } finally {
      connection.release();
    }
  }

  /** Sends a notification to all connections that listen to the channel. */
  async notify(channel: string, payload: string): Promise<void> {
    await this.query({ text: 'select pg_notify($1, $2)', values: [channel, payload] });
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  /** Refused now, since the client would be gone by the time of a later answer. */
  #busy(reason: string): BusyError {
    this.#refused++;
    return new BusyError(reason);
  }
}

/** Reads 64-bit integers as numbers and not as text: all of ours are far below 2^53. */
function getTypeParser(id: number, format?: 'text' | 'binary') {
  return id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format);
}
