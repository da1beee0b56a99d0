import type { DatabaseConnection } from './database-connection.ts';
import { covers, isSameHistory, type LogMark, ReplicaError } from './replica-position.ts';

/** A standby that takes longer than this to replay what a read needs is too far behind. */
const MAX_CATCH_UP_MS = 100;
/** How often it is asked until then. */
const POLL_MS = 5;
/** How long it may take to answer each time. */
const TELL_TIMEOUT_MS = 500;

/**
 * The timeline is that of the last checkpoint: after a promotion, a standby reports the new one only when it is surely
 * past it. The position is null where the server has never been a standby.
 */
const ASK = {
  name: 'standby',
  text: `select
    (pg_last_wal_replay_lsn() - '0/0')::bigint as position,
    (select timeline_id from pg_control_checkpoint()) as timeline,
    (select system_identifier::text from pg_control_system()) as system,
    pg_is_in_recovery() as "isStandby"`,
  timeoutMs: TELL_TIMEOUT_MS,
};

interface Row extends LogMark {
  readonly isStandby: boolean;
}

export interface StandbyPorts {
  /** Milliseconds, of a clock that only goes forward. */
  readonly nowMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Waits until the server at the other end of a connection has replayed enough of the primary's log. */
export class Standby {
  readonly #ports: StandbyPorts;
  /** The latest mark by connection, for direct ones only: behind a pooler the next statement may reach another server. */
  readonly #told = new WeakMap<DatabaseConnection, LogMark>();

  constructor(ports: StandbyPorts) {
    this.#ports = ports;
  }

  /**
   * Resolves when reads on this connection (behind a pooler: in this transaction) see everything up to `required`. Throws
   * a `ReplicaError` where the server does not get there within `MAX_CATCH_UP_MS`.
   */
  async catchUp(connection: DatabaseConnection, required: LogMark): Promise<void> {
    const told = this.#told.get(connection);
    if (told !== undefined && covers(told, required)) return;
    const { nowMs, sleep } = this.#ports;
    const until = nowMs() + MAX_CATCH_UP_MS;
    for (;;) {
      const replayed = await this.#look(connection);
      if (!isSameHistory(replayed, required)) throw new ReplicaError('it follows another server');
      if (covers(replayed, required)) return;
      if (nowMs() >= until) throw new ReplicaError(`it is more than ${MAX_CATCH_UP_MS} ms behind`);
      await sleep(POLL_MS);
    }
  }

  async #look(connection: DatabaseConnection): Promise<LogMark> {
    const { rows } = await connection.run<Row>(ASK);
    const { isStandby, ...replayed } = rows[0]!;
    if (!isStandby) throw new ReplicaError('it is no standby');
    if (!connection.isPooled) this.#told.set(connection, replayed);
    return replayed;
  }
}
