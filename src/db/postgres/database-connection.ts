import pg from 'pg';
import { isOutage, toOutage } from './database-outage.ts';

/** Fields that the types of `pg` lack. */
interface StuckSession extends pg.Client {
  /** The cancellation key of this session, sent by the server or its pooler. */
  readonly processID: number;
  readonly secretKey: number;
  readonly sslNegotiation: string;
}
interface Wire extends pg.Connection {
  connect(portOrSocket: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

/**
 * Asks PostgreSQL to cancel the statement that this client waits for, with a `CancelRequest` on a separate
 * connection. A pooler forwards it to the server that runs the statement. There is no answer: if the request
 * was received, the statement fails. Gives up after `timeoutMs`.
 */
function cancelStatement(client: pg.Client, timeoutMs: number): void {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = client as StuckSession;
  const options = { ssl, sslNegotiation } as pg.ClientConfig;
  const wire = new pg.Connection(options) as Wire;
  const cancel = () => wire.cancel(processID, secretKey);
  wire.once('connect', () => {
    if (!ssl) cancel();
    else if (sslNegotiation !== 'direct') wire.requestSsl();
  });
  wire.once('sslconnect', cancel);
  // An error needs no handling: the caller abandons the connection of the statement soon.
  wire.on('error', () => {});
  const timer = setTimeout(() => wire.stream.destroy(), timeoutMs).unref();
  wire.once('end', () => clearTimeout(timer));
  if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`);
  else wire.connect(port, host);
}

/** Time for which a cancelled statement may continue before its connection is closed. */
const CUT_GRACE_MS = 1_000;
/** A transaction that is idle for this long, such as that of a frozen process, is ended, because it may hold locks. */
const MAX_IDLE_TRANSACTION_MS = 4_000;

/**
 * Sets the limits of a session and finds out, in the same round trip, whether there is a pooler: behind one,
 * the process id of the server differs from the one that the client got, and the limits end with this
 * statement.
 */
const SET_LIMITS = `select
  pg_backend_pid() as pid,
  set_config('statement_timeout', $2, pg_backend_pid() <> $1),
  set_config('idle_in_transaction_session_timeout', $3, pg_backend_pid() <> $1)`;

export interface DatabaseLimits {
  /** Time limit of a query that waits for a connection, and of a new connection that waits for a server. */
  readonly waitTimeoutMs: number;
  /** Time limit of a statement. */
  readonly statementTimeoutMs: number;
}

/** Members that are missing in the types of `pg`. */
interface Session extends pg.PoolClient {
  readonly processID: number;
}

export interface SentStatement {
  /** The statement is prepared under this name if there is no pooler. */
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** Whether there is a pooler. Only without one may a statement leave state in its session. */
export async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid !== (client as Session).processID;
}

/**
 * A connection from the pool, to PostgreSQL itself or to a pooler such as pgbouncer in transaction mode.
 * Behind a pooler each transaction may run in another session of the server, so that sessions cannot keep
 * state.
 *
 *     directly      the session has a time-out, statements are prepared once
 *     by a pooler   a statement that takes too long is cancelled from here, transactions set their own limits
 *
 * In both cases a connection that does not answer in time is closed.
 */
export class DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #timeoutMs: number;
  /** Whether the next transaction may run in another session of the server. */
  readonly #isPooled: boolean;
  #isBroken = false;

  private constructor(client: pg.PoolClient, timeoutMs: number, isPooled: boolean) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
    this.#isPooled = isPooled;
  }

  /** Call it for a client that has just connected; a pooler gets `waitTimeoutMs` to find a server. */
  static async open(
    client: pg.PoolClient,
    { statementTimeoutMs, waitTimeoutMs }: DatabaseLimits,
  ): Promise<DatabaseConnection> {
    const { processID } = client as Session;
    const timer = setTimeout(() => void client.end(), waitTimeoutMs);
    try {
      const values = [processID, String(statementTimeoutMs), String(idleTransactionMs(statementTimeoutMs))];
      const { rows } = await client.query<{ pid: number }>(SET_LIMITS, values);
      return new DatabaseConnection(client, statementTimeoutMs, rows[0]?.pid !== processID);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Throws an `OutageError` if PostgreSQL does not answer in time. */
  async run<R extends pg.QueryResultRow>(statement: SentStatement): Promise<pg.QueryResult<R>> {
    const { name, ...unnamed } = statement;
    let timer = setTimeout(() => {
      cancelStatement(this.#client, CUT_GRACE_MS);
      timer = setTimeout(() => void this.#client.end(), CUT_GRACE_MS);
    }, this.#ownTimeoutMs);
    try {
      return await this.#client.query<R>((this.#isPooled ? unnamed : statement) as pg.QueryConfig);
    } catch (error) {
      this.#isBroken ||= isOutage(error);
      throw toOutage(error as Error);
    } finally {
      clearTimeout(timer);
    }
  }

  release(destroy = false): void {
    this.#client.release(destroy || this.#isBroken);
  }

  /** The client waits longer if the server has its own time-out, so that the server is the first to end a statement. */
  get #ownTimeoutMs(): number {
    return this.#isPooled ? this.#timeoutMs : this.#timeoutMs + CUT_GRACE_MS;
  }

  async begin(): Promise<pg.QueryResult> {
    if (!this.#isPooled) return this.run({ text: 'begin' });
    const limits = {
      statement_timeout: this.#timeoutMs,
      idle_in_transaction_session_timeout: idleTransactionMs(this.#timeoutMs),
    };
    const words = Object.entries(limits).map(([name, ms]) => `set local ${name} = ${ms}`);
    // Several statements without values travel in one round trip and return an array of results.
    const results: unknown = await this.run({ text: ['begin', ...words].join('; ') });
    return (results as pg.QueryResult[])[0]!;
  }
}

/** Shorter than the time-out of statements that wait for the locks of the idle transaction. */
function idleTransactionMs(statementTimeoutMs: number): number {
  return Math.min(MAX_IDLE_TRANSACTION_MS, Math.floor(statementTimeoutMs / 2));
}
