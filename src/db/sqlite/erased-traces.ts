import type Sqlite from 'better-sqlite3';
import { RepeatedTask } from '../../base/repeated-task.ts';

/** Value of `user_version` while the file may contain traces of erased rows. */
const HAS_TRACES = 1;
/** Erasures that follow each other share one rewrite. */
const GATHER_MS = 200;
/** Minimum pause between two rewrites. */
const MIN_INTERVAL_MS = 10_000;
/** A database of this size is rewritten in less than a second, during which writes wait. */
const SMALL_BYTES = 64 * 1024 * 1024;
/** A larger database is rewritten when nobody has written for this time, at the latest a day after the erasure. */
const QUIET_MS = 60_000;
const MAX_WAIT_MS = 86_400_000;
const RETRY_EVERY_MS = 500;
const LOOK_EVERY_MS = 600_000;

export interface ErasedTracesOptions {
  readonly sqlite: Sqlite.Database;
  /** The time for which the connection waits for others. */
  readonly busyTimeoutMs: number;
  /** Called when the file could not be rewritten, for example on a full disk; it is tried again. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * Marks, in the transaction of an erasure, that the file has to be rewritten. The mark survives a crash and is
 * seen by other processes.
 */
export function markTraces(sqlite: Sqlite.Database): void {
  sqlite.pragma(`user_version = ${HAS_TRACES}`);
}

/**
 * Removes what SQLite leaves of erased rows: `secure_delete` overwrites deleted rows, but not the copies that stay in
 * pages from which rows were moved, and the write-ahead log has all earlier versions. So the file is rewritten and the
 * log truncated.
 */
export class ErasedTraces {
  readonly #options: ErasedTracesOptions;
  readonly #task: RepeatedTask;
  #timer: NodeJS.Timeout | undefined;
  #rewrittenMs = Number.NEGATIVE_INFINITY;
  #writtenMs = performance.now();
  #foundMs: number | undefined;
  #isLogDue = false;

  constructor(options: ErasedTracesOptions) {
    this.#options = options;
    this.#task = new RepeatedTask(async () => this.clear(), {
      everyMs: () => (this.#isLogDue ? RETRY_EVERY_MS : LOOK_EVERY_MS),
      onError: (error) => options.onFailure?.(error),
    });
  }

  /** Looks for marks of earlier runs and of other processes from now on. */
  start(): void {
    this.#task.start();
    this.#schedule();
  }

  /** Rows were written; `isErasure` if the mark was set. */
  wrote(isErasure: boolean): void {
    this.#writtenMs = performance.now();
    if (isErasure) this.#schedule();
  }

  /** Rewrites a marked file, unless it is large and in use, and truncates the log when no reader needs it. */
  clear(): void {
    const { sqlite } = this.#options;
    if (sqlite.pragma('user_version', { simple: true }) === HAS_TRACES && this.#mayRewrite()) {
      sqlite.exec('vacuum');
      sqlite.pragma('user_version = 0');
      this.#foundMs = undefined;
      this.#rewrittenMs = performance.now();
      this.#isLogDue = true;
    }
    if (this.#isLogDue) this.#isLogDue = !this.#truncateLog();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#task.stop();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    const waitMs = Math.max(GATHER_MS, this.#rewrittenMs + MIN_INTERVAL_MS - performance.now());
    this.#timer = setTimeout(() => void this.#task.runNow(), waitMs);
    this.#timer.unref();
  }

  #mayRewrite(): boolean {
    const nowMs = performance.now();
    this.#foundMs ??= nowMs;
    const { sqlite } = this.#options;
    const [pages, pageBytes] = ['page_count', 'page_size'].map((name) =>
      sqlite.pragma(name, { simple: true }),
    );
    const isSmall = Number(pages) * Number(pageBytes) <= SMALL_BYTES;
    return isSmall || nowMs - this.#writtenMs >= QUIET_MS || nowMs - this.#foundMs >= MAX_WAIT_MS;
  }

  /** False while a reader needs the log. Does not wait for it, because all writes would wait too. */
  #truncateLog(): boolean {
    const { sqlite, busyTimeoutMs } = this.#options;
    sqlite.pragma('busy_timeout = 0');
    try {
      const [{ busy }] = sqlite.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
      return busy === 0;
    } finally {
      sqlite.pragma(`busy_timeout = ${busyTimeoutMs}`);
    }
  }
}
