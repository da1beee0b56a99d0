import { isSettled, type ScanId, type ScanJob, type ScanRef, type ScanStatus } from '../scan-job.ts';
import type { ScanSignals } from '../signals/scan-signals.ts';
import type { ScanStore } from './scan-store.ts';

/** Maximum delay of a change whose signal was lost. */
const FEED_POLL_MS = 1_000;
/** Maximum jobs read by one query. */
const MAX_READ_AT_ONCE = 500;

/** A current or past state of a scan. Later states have a higher `order`, by which a reader resumes. */
export interface ScanState {
  readonly order: number;
  readonly status: ScanStatus;
  readonly job: ScanJob;
}

/** The order of every final state. */
export const LAST_ORDER = 3;
const ORDER: Readonly<Record<ScanStatus, number>> = {
  upload_pending: 1,
  processing: 2,
  completed: LAST_ORDER,
  failed: LAST_ORDER,
};

export interface ScanFeedOptions {
  readonly store: Pick<ScanStore, 'find' | 'findAll'>;
  readonly signals: ScanSignals;
  /** Starts looking for the image of this scan without waiting for the result. */
  readonly lookFor: (scan: ScanRef) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Streams the states of scans to any number of watchers on one thread.
 *
 *     register ─▶ read the row ─▶ stream: after a signal or a poll, one query for all watched scans
 *
 * A watcher registers before it reads, so that no change is missed in between. Only the newest state is kept for a
 * watcher: skipped states can be inferred from it.
 */
export class ScanFeed {
  readonly #options: ScanFeedOptions;
  readonly #watched = new Map<ScanId, Watched>();
  readonly #toRead = new Set<ScanId>();
  readonly #stopListening: () => void;
  readonly #pollMs: number;
  /** The timer runs while anything is watched. */
  #polling: NodeJS.Timeout | undefined;
  #reading = false;

  constructor(options: ScanFeedOptions, pollMs = FEED_POLL_MS) {
    this.#options = options;
    this.#stopListening = options.signals.listen((signal) => {
      if (signal.kind === 'changed' && this.#watched.has(signal.id)) void this.#read([signal.id]);
    });
    this.#pollMs = pollMs;
  }

  /** Reads all watched scans. */
  poll(): void {
    void this.#read(this.#watched.keys());
  }

  /**
   * Yields the current state, then each later one. Ends after the final state, when the scan is removed, or with
   * `signal`. Leaves out states up to `seenOrder`.
   */
  async *watch(scan: ScanRef, seenOrder: number, signal: AbortSignal): AsyncGenerator<ScanState, void> {
    const watcher = new Watcher(signal);
    const watched = this.#watched.get(scan.id) ?? { scan, watchers: new Set() };
    watched.watchers.add(watcher);
    this.#watched.set(scan.id, watched);
    this.#polling ??= setInterval(() => this.poll(), this.#pollMs).unref();
    try {
      let seen = seenOrder;
      let job = await this.#options.store.find(scan);
      while (job !== undefined && !signal.aborted) {
        for (const state of statesAfter(seen, job)) {
          seen = state.order;
          yield state;
        }
        if (isSettled(job)) return;
        job = await watcher.next();
      }
    } finally {
      watched.watchers.delete(watcher);
      if (watched.watchers.size === 0) this.#watched.delete(scan.id);
      if (this.#watched.size === 0) {
        clearInterval(this.#polling);
        this.#polling = undefined;
      }
    }
  }

  close(): void {
    this.#stopListening();
    for (const { watchers } of this.#watched.values())
      for (const watcher of watchers) watcher.offer(undefined);
  }

  /** Runs one query at a time; ids added meanwhile go into the next one. */
  async #read(ids: Iterable<ScanId>): Promise<void> {
    const { store, lookFor, onError } = this.#options;
    for (const id of ids) this.#toRead.add(id);
    if (this.#reading) return;
    this.#reading = true;
    try {
      while (this.#toRead.size > 0) {
        const ids = [...this.#toRead].slice(0, MAX_READ_AT_ONCE);
        for (const id of ids) this.#toRead.delete(id);
        // Scans without watchers are left out.
        const scans = ids.flatMap((id) => this.#watched.get(id)?.scan ?? []);
        const jobs = new Map((await store.findAll(scans)).map((job) => [job.id, job]));
        for (const { id } of scans) {
          const job = jobs.get(id);
          for (const watcher of this.#watched.get(id)?.watchers ?? []) watcher.offer(job);
          if (job?.status === 'upload_pending') lookFor(job);
        }
      }
    } catch (error) {
      onError(error);
    } finally {
      this.#reading = false;
    }
  }
}

interface Watched {
  readonly scan: ScanRef;
  readonly watchers: Set<Watcher>;
}

/** One reader of the feed: holds the newest state until the reader asks for it. */
class Watcher {
  #newest: { readonly job: ScanJob | undefined } | undefined;
  #waiting: ((job: ScanJob | undefined) => void) | undefined;
  #offered: ScanStatus | undefined;

  constructor(signal: AbortSignal) {
    signal.addEventListener('abort', () => this.offer(undefined), { once: true });
  }

  /** Ignores a state that was offered before. Undefined ends the watch. */
  offer(job: ScanJob | undefined): void {
    if (job !== undefined && job.status === this.#offered) return;
    this.#offered = job?.status;
    if (this.#waiting === undefined) {
      this.#newest = { job };
      return;
    }
    this.#waiting(job);
    this.#waiting = undefined;
  }

  /** Returns undefined after the last state. One call at a time. */
  next(): Promise<ScanJob | undefined> {
    const newest = this.#newest;
    this.#newest = undefined;
    if (newest !== undefined) return Promise.resolve(newest.job);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }
}

/** Adds `processing` before a final state that a watcher has not seen, unless the image never arrived. */
function* statesAfter(seen: number, job: ScanJob): Generator<ScanState> {
  const order = ORDER[job.status];
  if (order <= seen) return;
  const skipsProcessing = seen === ORDER.upload_pending && order === LAST_ORDER;
  if (skipsProcessing && job.failure?.code !== 'upload_expired') {
    yield { order: ORDER.processing, status: 'processing', job };
  }
  yield { order, status: job.status, job };
}
