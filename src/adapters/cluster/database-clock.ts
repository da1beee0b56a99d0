import type { DatabasePool } from './database-pool.ts';

const ASK_EVERY_MS = 10_000;
/** Clocks may differ by this much before one is corrected: machines with NTP are much closer to each other. */
export const MAX_APART_MS = 500;

export interface DatabaseClockPorts {
  /** The time of the database, Unix milliseconds. */
  readonly ask: () => Promise<number>;
  /** The time of this machine, Unix milliseconds. */
  readonly nowMs: () => number;
  /** Told once for each change, with what `aheadMs` has become. */
  readonly onChange: (aheadMs: number) => void;
}

/**
 * The time by which all who share a database agree on whose lease or claim is over: that of this machine, and where the
 * two are apart that of the database. Without it a machine whose clock is ahead would take from others what they work on.
 */
export class DatabaseClock {
  readonly #ports: DatabaseClockPorts;
  readonly #timer: NodeJS.Timeout;
  #aheadMs = 0;

  private constructor(ports: DatabaseClockPorts) {
    this.#ports = ports;
    this.#timer = setInterval(() => this.adjust(), ASK_EVERY_MS).unref();
  }

  /** Has asked the database once, and asks it again and again until it is closed. */
  static async open(ports: DatabaseClockPorts): Promise<DatabaseClock> {
    const clock = new DatabaseClock(ports);
    await clock.adjust();
    return clock;
  }

  /** How far this machine's clock is ahead of the database's; 0 while the two agree. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  readonly nowMs = (): number => this.#ports.nowMs() - this.#aheadMs;

  /** Asks once. While the database does not answer, things stay as they are. */
  async adjust(): Promise<void> {
    const { ask, nowMs, onChange } = this.#ports;
    const askedMs = nowMs();
    const theirsMs = await ask().catch(() => undefined);
    if (theirsMs === undefined) return;
    // They read their clock at some moment in between.
    const [least, most] = [askedMs - theirsMs, nowMs() - theirsMs];
    const fits = (aheadMs: number) => aheadMs >= least - MAX_APART_MS && aheadMs <= most + MAX_APART_MS;
    if (fits(this.#aheadMs)) return;
    this.#aheadMs = fits(0) ? 0 : Math.round((least + most) / 2);
    onChange(this.#aheadMs);
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

/** Unix milliseconds. */
export async function readDatabaseTime(pool: Pick<DatabasePool, 'query'>): Promise<number> {
  const text = 'select extract(epoch from clock_timestamp()) * 1000 as now_ms';
  const { rows } = await pool.query<{ now_ms: string }>({ name: 'clock', text });
  return Number(rows[0]!.now_ms);
}
