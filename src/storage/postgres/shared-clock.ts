import type { Logger } from 'pino';
import { DatabaseClock, readDatabaseTime } from './database-clock.ts';
import type { DatabasePool } from './database-pool.ts';

/** The time by which all who share the database agree. Of the threads of a process one has a log to tell of it. */
export function openSharedClock(
  pool: DatabasePool,
  log: Pick<Logger, 'info' | 'warn'> | undefined,
): Promise<DatabaseClock> {
  return DatabaseClock.open({
    ask: () => readDatabaseTime(pool),
    nowMs: Date.now,
    onChange(aheadMs) {
      if (aheadMs === 0) log?.info("this machine's clock agrees with the database's again");
      else
        log?.warn({ aheadMs }, "this machine's clock is not the database's, which is gone by; set it by NTP");
    },
  });
}
