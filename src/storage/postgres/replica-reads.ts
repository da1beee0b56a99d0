import { BusyError, OutageError } from '@larder/core/errors.ts';
import type pg from 'pg';
import type { DatabaseConnection, Statement } from './database-connection.ts';
import { isCut } from './database-outage.ts';
import type { DatabasePool } from './database-pool.ts';
import { type LogMark, PrimaryLog, ReplicaError } from './replica-position.ts';
import { Standby, type StandbyPorts } from './replica-standby.ts';

/** A replica that takes longer for a read may have fallen silent; the primary can be asked in its place. */
const READ_TIMEOUT_MS = 1_000;
/** How often a replica that is out of use is probed. */
const PROBE_MS = 500;
/** Probes in a row that must find it current before it is used again: one that barely keeps up is no help. */
const PROBES = 3;

export interface ReplicaReadsPorts extends StandbyPorts {
  readonly primary: Pick<DatabasePool, 'query'>;
  readonly replica: Pick<DatabasePool, 'connect'>;
  /** Called at first and after each change, with whether the replica is used, and why not. */
  readonly onChange: (isUsed: boolean, reason?: string) => void;
}

/**
 * Sends reads to a replica without weakening consistency: each read sees every write that any node and thread has
 * answered before the read began.
 *
 *     read ──▶ primary: how far is your log? (one question for all who read at the moment)
 *              replica: are you as far? ──yes, within 100 ms──▶ the read
 *                          └──no, or no answer──▶ the read on the primary, and all others, until the replica
 *                                                 is found to be current three times in a row
 *
 * Nodes exchange nothing about who wrote what, so nothing can get lost between them: a position in the primary's log says
 * it all. Close it when done.
 */
export class ReplicaReads {
  readonly #ports: ReplicaReadsPorts;
  readonly #log: PrimaryLog;
  readonly #standby: Standby;
  #isUsed = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #answeredByReplica = 0;
  #answeredByPrimary = 0;

  private constructor(ports: ReplicaReadsPorts) {
    this.#ports = ports;
    this.#log = new PrimaryLog(ports);
    this.#standby = new Standby(ports);
  }

  /** The replica may be away. */
  static async open(ports: ReplicaReadsPorts): Promise<ReplicaReads> {
    const reads = new ReplicaReads(ports);
    await reads.#probe().then(
      () => reads.#use(),
      (error: Error) => {
        ports.onChange(false, error.message);
        reads.#probeLater();
      },
    );
    return reads;
  }

  /** Reads so far that the replica answered. */
  get answeredByReplica(): number {
    return this.#answeredByReplica;
  }

  /** Reads so far that the primary answered instead. */
  get answeredByPrimary(): number {
    return this.#answeredByPrimary;
  }

  /** A statement that only reads. Throws as the primary's pool does. */
  async query<R extends pg.QueryResultRow>(statement: Statement): Promise<pg.QueryResult<R>> {
    const answer = this.#isUsed ? await this.#tryReplica<R>(statement) : undefined;
    if (answer !== undefined) {
      this.#answeredByReplica++;
      return answer;
    }
    this.#answeredByPrimary++;
    return this.#ports.primary.query<R>(statement);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** Undefined where the primary has to be asked. Throws where the primary does not answer either. */
  async #tryReplica<R extends pg.QueryResultRow>(
    statement: Statement,
  ): Promise<pg.QueryResult<R> | undefined> {
    const mark = await this.#log.mark().catch((error: Error) => {
      if (error instanceof OutageError) throw error;
      return this.#stopUsing(error);
    });
    return mark && this.#ask<R>(mark, statement).catch((error: Error) => this.#passOver(error));
  }

  async #ask<R extends pg.QueryResultRow>(mark: LogMark, statement: Statement): Promise<pg.QueryResult<R>> {
    const connection = await this.#ports.replica.connect();
    let isDone = false;
    try {
      const answer = connection.isPooled
        ? await this.#askInTransaction<R>(connection, mark, statement)
        : await this.#askAlone<R>(connection, mark, statement);
      isDone = true;
      return answer;
    } finally {
      connection.release(!isDone && connection.isPooled);
    }
  }

  async #askAlone<R extends pg.QueryResultRow>(
    connection: DatabaseConnection,
    mark: LogMark,
    statement: Statement,
  ): Promise<pg.QueryResult<R>> {
    await this.#standby.catchUp(connection, mark);
    return connection.run<R>({ ...statement, timeoutMs: READ_TIMEOUT_MS });
  }

  /** Check and read reach the same server this way. Each has its own snapshot, and that of the read is the later one. */
  async #askInTransaction<R extends pg.QueryResultRow>(
    connection: DatabaseConnection,
    mark: LogMark,
    statement: Statement,
  ): Promise<pg.QueryResult<R>> {
    await connection.run({ text: 'begin isolation level read committed read only' });
    const answer = await this.#askAlone<R>(connection, mark, statement);
    await connection.run({ text: 'commit' });
    return answer;
  }

  /** A read that the replica ends because of a conflict with replay says nothing about the next one; a slow replica does. */
  #passOver(error: Error): undefined {
    const isAway = error instanceof OutageError && (!(error instanceof BusyError) || isCut(error.cause));
    return isAway || error instanceof ReplicaError ? this.#stopUsing(error) : undefined;
  }

  #stopUsing({ message }: Error): undefined {
    if (!this.#isUsed) return;
    this.#isUsed = false;
    this.#ports.onChange(false, message);
    this.#probeLater();
  }

  #probeLater(successes = 0): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(
      () =>
        this.#probe().then(
          () => (successes + 1 < PROBES ? this.#probeLater(successes + 1) : this.#use()),
          () => this.#probeLater(),
        ),
      PROBE_MS,
    ).unref();
  }

  #use(): void {
    if (this.#isClosed) return;
    this.#isUsed = true;
    this.#ports.onChange(true);
  }

  async #probe(): Promise<void> {
    await this.#ask(await this.#log.mark(), { text: 'select' });
  }
}
