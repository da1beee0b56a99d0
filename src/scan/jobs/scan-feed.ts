import { isSettled, type ScanId, type ScanJob, type ScanRef, type ScanStatus } from '../scan-job.ts';
import type { ScanSignals } from '../signals/scan-signals.ts';
import type { ScanStore } from './scan-store.ts';

/** How late a change is noticed where its signal was lost. */
const FEED_POLL_MS = 1_000;
/** Jobs that are read in one query. */
const MAX_READ_AT_ONCE = 500;

/** A state that a scan is or was in. Later states have a higher `order`, by which a reader resumes. */
export interface ScanState {
  readonly order: number;
  readonly status: ScanStatus;
  readonly job: ScanJob;
}

/** Every settled state has this order. */
export const LAST_ORDER = 3;
const ORDER: Readonly<Record<ScanStatus, number>> = {
  upload_pending: 1,
  processing: 2,
  completed: LAST_ORDER,
  failed: LAST_ORDER,
};

export interface ScanFeedPorts {
  readonly store: Pick<ScanStore, 'find' | 'findAll'>;
  readonly signals: ScanSignals;
  /** Asks for a look for the image of this scan, without waiting for the answer. */
  readonly lookFor: (scan: ScanRef) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * The states of scans as they come, for any number of watchers on one thread.
 *
 *     register ─▶ backfill: the row ─▶ stream: a signal or the clock says "look" ─▶ one query for all that are watched
 *
 * A watcher registers before it reads, so that no change is missed in between. Only the newest state is held for a
 * watcher: states that came and went meanwhile can be inferred from it.
 */
export class ScanFeed {
  readonly #ports: ScanFeedPorts;
  readonly #watched = new Map<ScanId, Watched>();
  readonly #toRead = new Set<ScanId>();
  readonly #stopListening: () => void;
  readonly #pollMs: number;
  /** Runs while anything is watched. */
  #polling: NodeJS.Timeout | undefined;
  #reading = false;

  constructor(ports: ScanFeedPorts, pollMs = FEED_POLL_MS) {
    this.#ports = ports;
    this.#stopListening = ports.signals.listen((signal) => {
      if (signal.kind === 'changed' && this.#watched.has(signal.id)) void this.#read([signal.id]);
    });
    this.#pollMs = pollMs;
  }

  /** Looks at everything that is watched. */
  poll(): void {
    void this.#read(this.#watched.keys());
  }

  /**
   * The current state, then each later one. Ends after the final state, when the scan is removed, or with `signal`. States
   * up to `seenOrder` are left out.
   */
  async *watch(scan: ScanRef, seenOrder: number, signal: AbortSignal): AsyncGenerator<ScanState, void> {
    const watcher = new Watcher(signal);
    const watched = this.#watched.get(scan.id) ?? { scan, watchers: new Set() };
    watched.watchers.add(watcher);
    this.#watched.set(scan.id, watched);
    this.#polling ??= setInterval(() => this.poll(), this.#pollMs).unref();
    try {
      let seen = seenOrder;
      let job = await this.#ports.store.find(scan);
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

  /** One query at a time; ids that are added meanwhile go into the next one. */
  async #read(ids: Iterable<ScanId>): Promise<void> {
    const { store, lookFor, onError } = this.#ports;
    for (const id of ids) this.#toRead.add(id);
    if (this.#reading) return;
    this.#reading = true;
    try {
      while (this.#toRead.size > 0) {
        const ids = [...this.#toRead].slice(0, MAX_READ_AT_ONCE);
        for (const id of ids) this.#toRead.delete(id);
        // Leaves out scans that nobody watches any more.
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

/** One reader's place in the feed: holds the newest state until it is asked for. */
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

  /** Undefined when there is nothing more to come. One call at a time. */
  next(): Promise<ScanJob | undefined> {
    const newest = this.#newest;
    this.#newest = undefined;
    if (newest !== undefined) return Promise.resolve(newest.job);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }
}

/** Adds `processing` before a final state where a watcher missed it, unless the image never came. */
function* statesAfter(seen: number, job: ScanJob): Generator<ScanState> {
  const order = ORDER[job.status];
  if (order <= seen) return;
  const skipsProcessing = seen === ORDER.upload_pending && order === LAST_ORDER;
  if (skipsProcessing && job.failure?.code !== 'upload_expired') {
    yield { order: ORDER.processing, status: 'processing', job };
  }
  yield { order, status: job.status, job };
}
