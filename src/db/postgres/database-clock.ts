import type { Log } from '../../base/log.ts';
import { RepeatedTask } from '../../base/repeated-task.ts';
import type { DatabasePool } from './database-pool.ts';

const ASK_EVERY_MS = 10_000;
/** Clocks may differ by this much before one is corrected: machines with NTP are much closer to each other. */
export const MAX_APART_MS = 500;

export interface DatabaseClockPorts {
  /** The time of the database in Unix milliseconds. */
  readonly ask: () => Promise<number>;
  /** The time of this machine in Unix milliseconds. */
  readonly nowMs: () => number;
  /** Called once for each change with the new `aheadMs`. */
  readonly onChange: (aheadMs: number) => void;
}

/**
 * The clock for leases and claims, which all users of a database must share: this machine's clock, corrected
 * to the database's if they differ. Otherwise a machine whose clock is ahead would take jobs from others.
 */
export class DatabaseClock {
  readonly #ports: DatabaseClockPorts;
  readonly #asking: RepeatedTask;
  #aheadMs = 0;

  private constructor(ports: DatabaseClockPorts) {
    this.#ports = ports;
    this.#asking = new RepeatedTask(() => this.adjust(), { everyMs: ASK_EVERY_MS, onError: () => {} });
    this.#asking.start();
  }

  /** Resolves after the first query to the database; repeats the query until it is closed. */
  static async open(ports: DatabaseClockPorts): Promise<DatabaseClock> {
    const clock = new DatabaseClock(ports);
    await clock.adjust();
    return clock;
  }

  /** Milliseconds by which this machine's clock is ahead of the database's; 0 while both agree. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  readonly nowMs = (): number => this.#ports.nowMs() - this.#aheadMs;

  /** Queries once. While the database does not answer, the correction does not change. */
  async adjust(): Promise<void> {
    const { ask, nowMs, onChange } = this.#ports;
    const askedMs = nowMs();
    const theirsMs = await ask().catch(() => undefined);
    if (theirsMs === undefined) return;
    // The database read its clock at some time between the query and now.
    const [least, most] = [askedMs - theirsMs, nowMs() - theirsMs];
    const fits = (aheadMs: number) => aheadMs >= least - MAX_APART_MS && aheadMs <= most + MAX_APART_MS;
    if (fits(this.#aheadMs)) return;
    this.#aheadMs = fits(0) ? 0 : Math.round((least + most) / 2);
    onChange(this.#aheadMs);
  }

  close(): Promise<void> {
    return this.#asking.stop();
  }
}

/** Unix milliseconds. */
async function readDatabaseTime(pool: DatabasePool): Promise<number> {
  const text = 'select extract(epoch from clock_timestamp()) * 1000 as now_ms';
  const { rows } = await pool.query<{ now_ms: string }>({ name: 'clock', text });
  return Number(rows[0]!.now_ms);
}

/** The clock that all users of the database share. Only one thread of a process has a log to report changes. */
export function openSharedClock(pool: DatabasePool, log: Log | undefined): Promise<DatabaseClock> {
  return DatabaseClock.open({
    ask: () => readDatabaseTime(pool),
    nowMs: Date.now,
    onChange(aheadMs) {
      if (aheadMs === 0) log?.info("this machine's clock agrees with the database's again");
      else
        log?.warn(
          { aheadMs },
          "this machine's clock differs from the database's, which is used; set it by NTP",
        );
    },
  });
}
