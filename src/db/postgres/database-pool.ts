import { BusyError } from '@larder/core/errors.ts';
import pg from 'pg';
import { DatabaseConnection, type DatabaseLimits, type SentStatement } from './database-connection.ts';
import { toUnreachable } from './database-outage.ts';

/** Time for a server to close a connection that was ended here. */
const CLOSE_GRACE_MS = 1_000;

/** Members that are missing in the types of `pg`. */
interface Connected extends pg.ClientBase {
  readonly connection: pg.Connection;
}

/**
 * Closes a connection even if the server no longer responds: such a server never closes its end, and a
 * process that waits for that could not end.
 */
export function forceClose(client: pg.ClientBase): void {
  const { stream } = (client as Connected).connection;
  stream.once('finish', () => setTimeout(() => stream.destroy(), CLOSE_GRACE_MS).unref());
}

const DEFAULT_CONNECTIONS = 10;
/** Maximum queries of one thread that wait for a connection; more are rejected at once. */
const MAX_WAITING_QUERIES = 1_000;
/** The message of `pg`'s pool if no connection became free in time. */
const NONE_CAME_FREE = 'timeout exceeded when trying to connect';

export interface DatabasePoolOptions {
  readonly url: string;
  /** Maximum connections; further queries wait for one. */
  readonly connections?: number;
  readonly limits: DatabaseLimits;
}

/** Connections to the database at one address, which are opened on demand. Close it with `end`. */
export class DatabasePool {
  readonly #pool: pg.Pool;
  readonly #connections = new WeakMap<pg.ClientBase, DatabaseConnection>();
  #refused = 0;

  constructor({ url, connections = DEFAULT_CONNECTIONS, limits }: DatabasePoolOptions) {
    const pool = new pg.Pool({
      connectionString: url,
      // Shown in `pg_stat_activity`.
      application_name: 'larder',
      max: connections,
      connectionTimeoutMillis: limits.waitTimeoutMs,
      types: { getTypeParser },
      // The pool awaits this, although its type does not say so. Poolers reject limits among the startup
      // parameters.
      onConnect: async (client) => {
        this.#connections.set(client, await DatabaseConnection.open(client as pg.PoolClient, limits));
      },
    });
    // The pool replaces an idle connection that breaks; its next user gets the error.
    pool.on('error', () => {});
    // The pool does not watch connections in use, and an `error` event without a listener would end the
    // thread.
    pool.on('connect', (client) => {
      client.on('error', () => {});
      forceClose(client);
    });
    this.#pool = pool;
  }

  get isEnded(): boolean {
    return this.#pool.ended;
  }

  /** Number of connections in use. */
  get busyConnections(): number {
    return this.#pool.totalCount - this.#pool.idleCount;
  }

  /** Number of idle connections. */
  get idleConnections(): number {
    return this.#pool.idleCount;
  }

  get waitingQueries(): number {
    return this.#pool.waitingCount;
  }

  /** Number of queries that got no connection in time. */
  get refusedQueries(): number {
    return this.#refused;
  }

  /** Return it with `release`. Throws a `BusyError` if all remain in use for too long, else an `OutageError`. */
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

  /**
   * Runs one statement on any connection. Throws as `connect` does, and an `OutageError` if PostgreSQL does
   * not answer.
   */
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

  /** Rejected at once, because the client would have left before a later answer. */
  #busy(reason: string): BusyError {
    this.#refused++;
    return new BusyError(reason);
  }
}

/** Parses 64-bit integers as numbers instead of text: all values are far below 2^53. */
function getTypeParser(id: number, format?: 'text' | 'binary') {
  return id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format);
}
