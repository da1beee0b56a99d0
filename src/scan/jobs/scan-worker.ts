import { Readable } from 'node:stream';
import type { FoodViewer } from '../../catalogue/tenant-foods/food-owner.ts';
import { OutageError } from '../../errors.ts';
import { MAX_OBJECT_BYTES, type ObjectStore } from '../../objects/object-store.ts';
import {
  type AnalysisOutcome,
  noAnalysis,
  type StoredAnalysis,
  toStoredAnalysis,
} from '../analysis/analysis.ts';
import { type ExaminationParts, examineImage } from '../analysis/examine-image.ts';
import type { ScanFoods } from '../analysis/scan-foods.ts';
import { analysisKey, isSettled, type ScanFailure, type ScanFailureCode, type ScanId } from '../scan-job.ts';
import { OUTAGE_PAUSE_MS, throughOutages } from './retry-outages.ts';
import type { ScanObserver, WorkedScan } from './scan-observer.ts';
import type { ScanSignals } from './scan-signals.ts';
import type { Claim, ClaimedScan, ScanStore } from './scan-store.ts';

/** After its third attempt a job fails. */
export const MAX_ATTEMPTS = 3;
/** A job whose lease is not extended for this long goes to another worker. */
export const LEASE_MS = 15_000;
const EXTEND_EVERY_MS = LEASE_MS / 3;
/** Leases not extended for this long may have run out, after the machine slept or the database was away. */
const OVERDUE_MS = 2 * EXTEND_EVERY_MS;
/** How late a job is noticed where no signal comes, such as from another process over the same folder. */
const QUEUE_POLL_MS = 500;
/** Pause before the second attempt; before each later one `PAUSE_GROWTH` times as long. */
export const FIRST_PAUSE_MS = 2_000;
const PAUSE_GROWTH = 4;
/** Failures that another attempt may cure. A time-out is none of them: the image would take all of its time again. */
const PASSING: readonly ScanFailureCode[] = ['recognizer_unavailable', 'internal_error'];
const BROKEN: ScanFailure = {
  code: 'internal_error',
  message: 'The image could not be analysed for a reason that lies with the service; try again later.',
  retryable: true,
};

export interface ScanWorkerPorts extends Pick<ExaminationParts, 'analyser' | 'timeoutMs'> {
  readonly store: Pick<ScanStore, 'claim' | 'extendLease' | 'release' | 'giveBack' | 'settle' | 'find'>;
  readonly objects: Pick<ObjectStore, 'read' | 'put' | 'delete'>;
  readonly signals: ScanSignals;
  /** The foods that the owner of a scan sees. */
  readonly foodsOf: (owner: FoodViewer) => ScanFoods;
  /** Jobs that it holds at one time. */
  readonly concurrency: number;
  readonly observer: ScanObserver;
  readonly nowMs: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
}

interface Running extends Claim {
  readonly done: Promise<void>;
}

/**
 * Works on scans whose images are there, a bounded number at a time.
 *
 *     signal, clock, a job done ──▶ claim ──nothing there──▶ wait
 *                                     │
 *                                     ▼       ┌─▶ keep the analysis ─▶ settle ─▶ tell
 *                              look at image ─┼─▶ a passing failure: let go, for another attempt after a pause
 *                                             └─▶ the third one, or a lasting one: settle ─▶ tell
 *
 * While PostgreSQL or the object store is away, each step waits for it with the job in hand and its lease extended; that
 * costs no attempt. A worker that loses a lease can no longer change the job: the store refuses it.
 */
export class ScanWorker {
  readonly #ports: ScanWorkerPorts;
  readonly #running = new Set<Running>();
  readonly #stopping = Promise.withResolvers<undefined>();
  #isStopping = false;
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #extendedAtMs = 0;
  #isQueueAway = false;
  #timers: NodeJS.Timeout[] = [];
  #stopListening = () => {};

  constructor(ports: ScanWorkerPorts) {
    this.#ports = ports;
  }

  start(): void {
    this.#stopListening = this.#ports.signals.listen(({ kind }) => {
      if (kind === 'queued') void this.look();
    });
    this.#timers = [
      setInterval(() => this.look(), QUEUE_POLL_MS),
      setInterval(() => this.extendLeases(), EXTEND_EVERY_MS),
    ];
    void this.look();
  }

  /** Claims waiting jobs up to `concurrency`. */
  look(): Promise<void> {
    this.#lookAgain = true;
    this.#looking ??= this.#claimAll()
      .then(
        () => {
          this.#isQueueAway = false;
        },
        (error) => this.#tellOnce(error),
      )
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  /** Reports an outage of the queue once, although it is polled twice a second. */
  #tellOnce(error: unknown): void {
    const isOutage = error instanceof OutageError;
    if (!isOutage || !this.#isQueueAway) this.#ports.observer.broken('taking scans from the queue', error);
    this.#isQueueAway = isOutage;
  }

  /** Works until nothing is left that could be done now. */
  async drain(): Promise<void> {
    await this.look();
    while (this.#running.size > 0) {
      await Promise.all(Array.from(this.#running, ({ done }) => done));
      await this.look();
    }
  }

  async extendLeases(): Promise<void> {
    const { observer } = this.#ports;
    await this.#extendAll((error, { id }) => observer.broken('extending a lease', error, id));
  }

  async #extendAll(onError: (error: unknown, claim: Claim) => void): Promise<void> {
    const { store, nowMs } = this.#ports;
    const now = nowMs();
    let isDone = true;
    const extend = (claim: Claim) =>
      store.extendLease(claim, now + LEASE_MS).catch((error) => {
        isDone = false;
        onError(error, claim);
      });
    await Promise.all(Array.from(this.#running, extend));
    if (isDone) this.#extendedAtMs = now;
  }

  /** Gives unfinished jobs back, so that others can take them at once. */
  async stop(): Promise<void> {
    const { store, signals, nowMs, observer } = this.#ports;
    this.#isStopping = true;
    this.#stopListening();
    for (const timer of this.#timers) clearInterval(timer);
    await this.#looking;
    const running = [...this.#running];
    const givenBack = await Promise.all(
      running.map((claim) =>
        store
          .giveBack(claim, nowMs())
          .catch((error) => observer.broken('giving a scan back', error, claim.id)),
      ),
    );
    if (givenBack.some((isBack) => isBack === true)) signals.announce({ kind: 'queued' });
    this.#stopping.resolve(undefined);
    await Promise.all(running.map(({ done }) => done));
  }

  async #claimAll(): Promise<void> {
    const { store, concurrency, nowMs } = this.#ports;
    while (this.#lookAgain) {
      this.#lookAgain = false;
      if (this.#running.size > 0 && nowMs() - this.#extendedAtMs > OVERDUE_MS) await this.#keepHeld();
      while (!this.#isStopping && this.#running.size < concurrency) {
        const now = nowMs();
        const request = { nowMs: now, leaseUntilMs: now + LEASE_MS, maxAttempts: MAX_ATTEMPTS };
        const claimed = await store.claim(request);
        if (claimed === undefined) break;
        this.#begin(claimed);
      }
    }
  }

  /** Extends overdue leases before it claims: otherwise it could claim a job that it still holds. */
  #keepHeld(): Promise<void> {
    return this.#extendAll((error) => {
      throw error;
    });
  }

  #begin(claimed: ClaimedScan): void {
    const running: Running = {
      ...toClaim(claimed),
      done: this.#work(claimed).finally(() => {
        this.#running.delete(running);
        void this.look();
      }),
    };
    this.#running.add(running);
  }

  async #work(claimed: ClaimedScan): Promise<void> {
    const { observer, nowMs } = this.#ports;
    const { job, attempt } = claimed;
    const startedAtMs = nowMs();
    const worked = () => ({ id: job.id, attempt, ms: nowMs() - startedAtMs });
    try {
      const examination = this.#examine(claimed);
      const outcome = await Promise.race([examination, this.#stopping.promise]);
      if (outcome === undefined) return;
      observer.looked(outcome.analysis);
      const isHeld = isWorthAnotherAttempt(outcome, attempt)
        ? await this.#postpone(claimed, outcome.failure, worked())
        : await this.#settle(claimed, outcome, worked);
      if (!isHeld) observer.lost(worked());
    } catch (error) {
      observer.broken('settling a scan', error, job.id);
      if (error instanceof OutageError) await this.#letGo(claimed);
      // After any other error the lease ends by itself, and the job is claimed again.
    }
  }

  #examine({ job }: ClaimedScan): Promise<AnalysisOutcome> {
    const { observer, foodsOf } = this.#ports;
    const examine = () => examineImage(job.id, { ...this.#ports, foods: foodsOf(job) });
    return this.#persist('looking at an image', job.id, examine).catch((error) => {
      if (error instanceof OutageError) throw error;
      observer.broken('looking at an image', error, job.id);
      return noAnalysis(BROKEN);
    });
  }

  /** Gives the job back without counting the attempt. */
  async #letGo(claimed: ClaimedScan): Promise<void> {
    const { store, nowMs, observer } = this.#ports;
    await store
      .giveBack(toClaim(claimed), nowMs() + OUTAGE_PAUSE_MS)
      .catch((error) => observer.broken('giving a scan back', error, claimed.job.id));
  }

  #persist<T>(doing: string, id: ScanId, step: () => Promise<T>): Promise<T> {
    const { nowMs, pause, observer } = this.#ports;
    return throughOutages(step, {
      nowMs,
      pause,
      isStopping: () => this.#isStopping,
      onOutage: (error) => observer.broken(doing, error, id),
    });
  }

  async #postpone(claimed: ClaimedScan, { code }: ScanFailure, worked: WorkedScan): Promise<boolean> {
    const { store, observer, nowMs } = this.#ports;
    const pauseMs = FIRST_PAUSE_MS * PAUSE_GROWTH ** (claimed.attempt - 1);
    const isReleased = await this.#persist('postponing a scan', claimed.job.id, () =>
      store.release(toClaim(claimed), nowMs() + pauseMs),
    );
    if (isReleased) observer.postponed(worked, code);
    return isReleased;
  }

  async #settle(claimed: ClaimedScan, outcome: AnalysisOutcome, worked: () => WorkedScan): Promise<boolean> {
    const { store, signals, observer, nowMs } = this.#ports;
    const claim = toClaim(claimed);
    const { id } = claim;
    const persist = <T>(step: () => Promise<T>) => this.#persist('settling a scan', id, step);
    if ('result' in outcome) {
      // Proves that the claim still holds: another worker's analysis must not be overwritten.
      if (!(await persist(() => store.extendLease(claim, nowMs() + LEASE_MS)))) return false;
      const analysis = toStoredAnalysis(claimed.job, outcome, nowMs());
      await persist(() => this.#keep(analysis));
    }
    const settledAtMs = nowMs();
    if (!(await persist(() => store.settle(claim, outcome, settledAtMs)))) {
      const job = await persist(() => store.find(claim));
      // The scan was removed, with everything but the analysis that was stored a moment ago.
      if (job === undefined) await persist(() => this.#ports.objects.delete(analysisKey(id)));
      // The settlement was ours if the times are equal: only its answer got lost.
      if (job === undefined || !isSettled(job) || job.settledAtMs !== settledAtMs) return false;
    }
    signals.announce({ kind: 'changed', id });
    observer.settled(worked(), 'result' in outcome ? 'completed' : outcome.failure.code);
    return true;
  }

  async #keep(analysis: StoredAnalysis): Promise<void> {
    await this.#ports.objects.put({
      key: analysisKey(analysis.jobId),
      contentType: 'application/json',
      body: Readable.from([Buffer.from(JSON.stringify(analysis))]),
      size: { maxBytes: MAX_OBJECT_BYTES },
    });
  }
}

function toClaim({ job, fencingToken }: ClaimedScan): Claim {
  const { tenant, userId, id } = job;
  return { tenant, ...(userId !== undefined && { userId }), id, fencingToken };
}

function isWorthAnotherAttempt(
  outcome: AnalysisOutcome,
  attempt: number,
): outcome is Extract<AnalysisOutcome, { readonly failure: ScanFailure }> {
  return 'failure' in outcome && PASSING.includes(outcome.failure.code) && attempt < MAX_ATTEMPTS;
}
