import type { DatabasePool } from './database-pool.ts';

/**
 * A position in PostgreSQL's write-ahead log (WAL). Positions can be compared within one history, which is that of one
 * system until a standby is promoted and begins a new timeline.
 */
export interface LogMark {
  /** Bytes since the log began. */
  readonly position: number;
  readonly timeline: number;
  /** PostgreSQL's system identifier; a primary shares it with its standbys. */
  readonly system: string;
}

/** Whether a log up to `mark` has everything up to `required`. */
export function covers(mark: LogMark, required: LogMark): boolean {
  return isSameHistory(mark, required) && mark.position >= required.position;
}

export function isSameHistory(one: LogMark, other: LogMark): boolean {
  return one.timeline === other.timeline && one.system === other.system;
}

/** The replica cannot be asked now, or never; ask the primary instead. */
export class ReplicaError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ReplicaError';
  }
}

/** The first eight digits of a log file's name are its timeline. */
const ASK = {
  name: 'primary-log',
  text: `select
    (pg_current_wal_flush_lsn() - '0/0')::bigint as position,
    left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) as timeline,
    (select system_identifier::text from pg_control_system()) as system,
    current_setting('synchronous_commit') = 'off' as "answersEarly"`,
};

interface Row {
  readonly position: number;
  readonly timeline: string;
  readonly system: string;
  readonly answersEarly: boolean;
}

/** Tells how far the log of the primary is flushed to its disk. */
export class PrimaryLog {
  readonly #primary: Pick<DatabasePool, 'query'>;
  #asking: Promise<LogMark> | undefined;
  #next: Promise<LogMark> | undefined;

  constructor({ primary }: { readonly primary: Pick<DatabasePool, 'query'> }) {
    this.#primary = primary;
  }

  /**
   * A mark that covers every write that any node has answered before this call. Callers that come while a query is under
   * way share the next one. Throws a `ReplicaError` where there is no such mark, and an `OutageError` where the primary does
   * not answer.
   */
  mark(): Promise<LogMark> {
    if (this.#asking === undefined) return this.#ask();
    // The query under way may have read the log before the write that this caller has to see.
    const again = () => this.#ask();
    this.#next ??= this.#asking.then(again, again);
    return this.#next;
  }

  #ask(): Promise<LogMark> {
    this.#next = undefined;
    const asking = this.#look().finally(() => {
      if (this.#asking === asking) this.#asking = undefined;
    });
    this.#asking = asking;
    return asking;
  }

  async #look(): Promise<LogMark> {
    const { rows } = await this.#primary.query<Row>(ASK);
    const { position, timeline, system, answersEarly } = rows[0]!;
    // A write that is answered before it is in the log on disk cannot be found there.
    if (answersEarly) throw new ReplicaError('synchronous_commit is off');
    return { position, timeline: Number.parseInt(timeline, 16), system };
  }
}
