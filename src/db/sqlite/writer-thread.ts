import { dirname } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { ProcessLock } from '../../files/process-lock.ts';
import { GroupedCalls } from '../../threads/channel.ts';
import { IdleMemory } from '../../threads/idle-memory.ts';
import { serveParent } from '../../threads/parent.ts';
import { ChangeHints } from '../change-hints.ts';
import { WEBHOOK_QUEUE, type Write, type Written } from '../writer.ts';
import { ErasedTraces } from './erased-traces.ts';
import { WriteGroups } from './write-group.ts';

export interface WriterStart {
  readonly file: string;
  /** Time for which it waits for the previous process to end. */
  readonly lockWaitMs: number;
  /** The memory of `ChangeHints`. */
  readonly changeHints: SharedArrayBuffer;
}

/** Events of the thread's start. */
export interface WriterEvents {
  /** Another process uses the folder, and the start waits for it. */
  waitsFor(holderPid: number | undefined): void;
  /** The files still contain traces of erased rows, because they could not be rewritten. */
  keepsTraces(reason: string): void;
}

/** Calls of the parent. */
export interface WriterCalls {
  /** Connects a thread, which makes `ClientCalls` through the port. */
  connect(port: MessagePort): void;
  stop(): Promise<void>;
}

/** Calls of each connected thread. */
export interface ClientCalls {
  write(write: Write): Written;
}

const MAX_GROUP_WRITES = 1_000;
const BUSY_TIMEOUT_MS = 10_000;
/**
 * Cache size; it fills with the writes of an hour and then stays full. A larger one saves no time, because
 * the system caches the file, too.
 */
const CACHE_KIB = 16_384;
/** Pages of the write-ahead log after which it is merged into the file. */
const CHECKPOINT_PAGES = 4_000;
/** A log that grew beyond this, because a long read such as a backup prevented merging, is truncated afterwards. */
const KEPT_LOG_BYTES = 64 * 1024 * 1024;

/**
 * The only thread that writes to the database. While it waits for the disk, writes of all API threads collect
 * in its ports; the next group takes them together.
 *
 *     API thread 1 ──port──┐
 *     API thread 2 ──port──┼──▶ take all waiting writes ──▶ one transaction, one sync ──▶ answer each
 *     API thread n ──port──┘          ▲                                                    │
 *                                     └────────────────────────────────────────────────────┘
 */
serveParent<WriterStart, WriterEvents>(async ({ file, lockWaitMs, changeHints: memory }, parent) => {
  const lock = lockFolder(file, lockWaitMs, (holderPid) => void parent.call('waitsFor', holderPid));
  const sqlite = openForWriting(file);
  const groups = new WriteGroups({ sqlite });
  const hints = new ChangeHints({ memory });
  const traces = new ErasedTraces({
    sqlite,
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    onFailure: (error) =>
      void parent.call('keepsTraces', error instanceof Error ? error.message : String(error)),
  });
  traces.start();
  const idleMemory = new IdleMemory();
  idleMemory.worked();
  const calls = new GroupedCalls({
    maxCalls: MAX_GROUP_WRITES,
    answer(group) {
      const writes = group as readonly Write[];
      const outcomes = groups.commit(writes);
      let changes = 0;
      let hasQueued = false;
      let hasErased = false;
      for (const [at, { change, isErasure = false }] of writes.entries()) {
        if (change !== undefined) hints.raise(change);
        const outcome = outcomes[at]!;
        if (!('result' in outcome)) continue;
        changes += outcome.result.changes;
        hasQueued ||= outcome.result.hasQueued === true;
        hasErased ||= isErasure;
      }
      if (hasQueued) hints.raise(WEBHOOK_QUEUE);
      // Sweeps that find nothing do not count as work.
      if (changes > 0) {
        idleMemory.worked();
        traces.wrote(hasErased);
      }
      return outcomes;
    },
  });
  return {
    connect: (port) => calls.connect(port),
    async stop() {
      calls.close();
      await traces.stop();
      sqlite.close();
      lock.release();
    },
  } satisfies WriterCalls;
});

/** A database has one writer in one process, because `ChangeHints` does not notice writes of others. */
function lockFolder(
  file: string,
  waitMs: number,
  onWait: (holderPid: number | undefined) => void,
): ProcessLock {
  return ProcessLock.acquire({
    file: `${file}.lock`,
    waitMs,
    onWait,
    refusal: (holder) =>
      `Another Larder${holder} serves the data folder ${dirname(file)}. Stop that one, or give this one a folder of its ` +
      'own with LARDER_DATA_DIR. Only `larder worker` may share a folder; several services share a database (docs/cluster.md).',
  });
}

function openForWriting(path: string): Sqlite.Database {
  const opened = new Sqlite(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  opened.pragma('journal_mode = WAL');
  // FULL syncs the log at each commit; on macOS only fullfsync reaches the disk itself.
  opened.pragma('synchronous = FULL');
  opened.pragma('fullfsync = ON');
  opened.pragma('secure_delete = ON');
  opened.pragma(`cache_size = -${CACHE_KIB}`);
  opened.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  opened.pragma(`journal_size_limit = ${KEPT_LOG_BYTES}`);
  return opened;
}
