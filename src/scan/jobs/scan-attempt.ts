import { Readable } from 'node:stream';
import { OutageError } from '@larder/core/errors.ts';
import type { Stopping } from '../../base/leased-jobs.ts';
import type { Pause } from '../../base/pause.ts';
import { retry } from '../../base/retry.ts';
import { MAX_OBJECT_BYTES, type ObjectStore } from '../../blobs/object-store.ts';
import { type AnalysisOutcome, noAnalysis, toStoredAnalysis } from '../analysis/analysis.ts';
import { type ExaminationOptions, examineImage } from '../analysis/examine-image.ts';
import type { ScanFoods } from '../analysis/scan-foods.ts';
import { analysisKey, isSettled, type ScanFailure, type ScanFailureCode, type ScanJob } from '../scan-job.ts';
import type { ScanSignals } from '../signals/scan-signals.ts';
import type { ScanObserver, WorkedScan } from './scan-observer.ts';
import type { Claim, ClaimedScan } from './scan-queue.ts';
import type { ScanStore } from './scan-store.ts';

/** A job fails after its third attempt. */
export const MAX_ATTEMPTS = 3;
/** A job whose lease is not extended for this long goes to another worker. */
export const LEASE_MS = 15_000;
/** Pause before the second attempt; before each later one `PAUSE_GROWTH` times as long. */
export const FIRST_PAUSE_MS = 2_000;
const PAUSE_GROWTH = 4;
/** Pause between two tries of a step during an outage. */
export const OUTAGE_PAUSE_MS = 500;
/** How long a step is retried, counted from its first try. */
const MAX_OUTAGE_MS = 60_000;
/** Failures that another attempt may cure. A time-out is not one of them: the image would use all of its time again. */
const PASSING: readonly ScanFailureCode[] = ['recognizer_unavailable', 'internal_error'];
const BROKEN: ScanFailure = {
  code: 'internal_error',
  message: 'The image could not be analysed for a reason that lies with the service; try again later.',
  retryable: true,
};

export interface ScanAttemptOptions extends Pick<ExaminationOptions, 'analyser' | 'timeoutMs'>, Stopping {
  readonly store: Pick<ScanStore, 'extendLease' | 'release' | 'giveBack' | 'settle' | 'find'>;
  readonly objects: Pick<ObjectStore, 'read' | 'put' | 'delete'>;
  readonly signals: ScanSignals;
  /** The foods that the owner of a scan sees. */
  readonly foodsOf: (scan: ScanJob) => Promise<ScanFoods>;
  readonly observer: ScanObserver;
  readonly nowMs: () => number;
  readonly pause?: Pause;
}

/**
 * One attempt at a claimed scan.
 *
 *     examine the image ─┬─▶ prove the claim ─▶ store the analysis ─▶ settle ─▶ signal
 *                        ├─▶ a temporary failure: release, for another attempt after a pause
 *                        └─▶ the third one, or a permanent one: settle ─▶ signal
 *
 * During an outage of the database or the object store each step is retried for a minute. Then the job is returned to
 * the queue, which costs no attempt. Without its claim the attempt changes nothing: the store refuses an older fencing
 * token.
 */
export class ScanAttempt {
  readonly #options: ScanAttemptOptions;
  readonly #claimed: ClaimedScan;
  readonly #claim: Claim;
  readonly #startedAtMs: number;

  constructor(claimed: ClaimedScan, options: ScanAttemptOptions) {
    this.#options = options;
    this.#claimed = claimed;
    this.#claim = toClaim(claimed);
    this.#startedAtMs = options.nowMs();
  }

  /** Runs the attempt and reports every failure to the observer. */
  async run(): Promise<void> {
    const { store, observer, nowMs, stopped } = this.#options;
    const { id } = this.#claim;
    try {
      const outcome = await Promise.race([this.#examine(), stopped]);
      if (outcome === undefined) return;
      observer.looked(outcome.analysis);
      const isHeld =
        'failure' in outcome && PASSING.includes(outcome.failure.code) && this.#claimed.attempt < MAX_ATTEMPTS
          ? await this.#release(outcome.failure)
          : await this.#settle(outcome);
      if (!isHeld) observer.lost(this.#worked());
    } catch (error) {
      observer.broken('settling a scan', error, id);
      // After any other error the lease expires, and the job is claimed again.
      if (!(error instanceof OutageError)) return;
      await store
        .giveBack(this.#claim, nowMs() + OUTAGE_PAUSE_MS)
        .catch((broken) => observer.broken('giving a scan back', broken, id));
    }
  }

  #examine(): Promise<AnalysisOutcome> {
    const { observer, foodsOf } = this.#options;
    const { job } = this.#claimed;
    const examine = async () =>
      examineImage(job.id, { ...this.#options, foods: await foodsOf(job), kind: job.kind });
    return this.#throughOutages('looking at an image', examine).catch((error) => {
      if (error instanceof OutageError) throw error;
      observer.broken('looking at an image', error, job.id);
      return noAnalysis(BROKEN);
    });
  }

  /** Returns false if the claim was lost. */
  async #release({ code }: ScanFailure): Promise<boolean> {
    const { store, observer, nowMs } = this.#options;
    const pauseMs = FIRST_PAUSE_MS * PAUSE_GROWTH ** (this.#claimed.attempt - 1);
    const worked = this.#worked();
    const isReleased = await this.#throughOutages('postponing a scan', () =>
      store.release(this.#claim, nowMs() + pauseMs),
    );
    if (isReleased) observer.postponed(worked, code);
    return isReleased;
  }

  /** Returns false if the claim was lost or the scan was removed. */
  async #settle(outcome: AnalysisOutcome): Promise<boolean> {
    const { store, objects, signals, observer, nowMs } = this.#options;
    const claim = this.#claim;
    const { id } = claim;
    const settling = <T>(step: () => Promise<T>) => this.#throughOutages('settling a scan', step);
    if ('result' in outcome) {
      // Proves that the claim still holds: another worker's analysis must not be overwritten.
      if (!(await settling(() => store.extendLease(claim, nowMs() + LEASE_MS)))) return false;
      const analysis = JSON.stringify(toStoredAnalysis(this.#claimed.job, outcome, nowMs()));
      const keep = () =>
        objects.put({
          key: analysisKey(id),
          contentType: 'application/json',
          body: Readable.from([Buffer.from(analysis)]),
          size: { maxBytes: MAX_OBJECT_BYTES },
        });
      await settling(keep);
    }
    const settledAtMs = nowMs();
    if (!(await settling(() => store.settle(claim, outcome, settledAtMs)))) {
      const job = await settling(() => store.find(claim));
      // The scan was removed meanwhile, so the analysis that was just stored must be removed, too.
      if (job === undefined) await settling(() => objects.delete(analysisKey(id)));
      // Equal times show that this attempt settled the job and only the response was lost.
      if (job === undefined || !isSettled(job) || job.settledAtMs !== settledAtMs) return false;
    }
    signals.announce({ kind: 'changed', id });
    observer.settled(this.#worked(), 'result' in outcome ? 'completed' : outcome.failure.code);
    return true;
  }

  /**
   * Retries an idempotent step during an outage, and reports the first failure. Throws the last `OutageError` after
   * `MAX_OUTAGE_MS` or when the worker stops, and any other error at once.
   */
  #throughOutages<T>(doing: string, step: () => Promise<T>): Promise<T> {
    const { nowMs, pause, isStopping, observer } = this.#options;
    const untilMs = nowMs() + MAX_OUTAGE_MS;
    const delayMs = (error: unknown, failures: number) => {
      if (!(error instanceof OutageError)) return undefined;
      if (failures === 1) observer.broken(doing, error, this.#claim.id);
      return isStopping() || nowMs() >= untilMs ? undefined : OUTAGE_PAUSE_MS;
    };
    return retry(step, { delayMs, pause });
  }

  #worked(): WorkedScan {
    const { job, attempt } = this.#claimed;
    return { id: job.id, attempt, ms: this.#options.nowMs() - this.#startedAtMs };
  }
}

export function toClaim({ job, fencingToken }: ClaimedScan): Claim {
  const { tenant, userId, id } = job;
  return { tenant, userId, id, fencingToken };
}
