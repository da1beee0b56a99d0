import { isMainThread } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';

// Loaded by `--import` before the program of each thread: imitates a slow disk for the thread that writes to the database.

export const SLOW_SYNC_MS = 10;

if (!isMainThread) {
  const never = new Int32Array(new SharedArrayBuffer(4));
  const { prototype } = Sqlite as unknown as { prototype: Sqlite.Database };
  const transaction = prototype.transaction;
  prototype.transaction = function (this: Sqlite.Database, work: (...values: never[]) => unknown) {
    const made = transaction.call(this, work as never);
    const immediate = (...values: unknown[]) => {
      const result = made.immediate(...(values as never[]));
      Atomics.wait(never, 0, 0, SLOW_SYNC_MS);
      return result;
    };
    // A step inside another transaction does not sync.
    return Object.assign((...values: unknown[]) => made(...(values as never[])), { immediate });
  } as never;
}
