import { LeasedJobs } from '../../base/leased-jobs.ts';
import { LEASE_MS, MAX_ATTEMPTS, ScanAttempt, type ScanAttemptOptions, toClaim } from './scan-attempt.ts';
import type { ClaimedScan } from './scan-queue.ts';
import type { ScanStore } from './scan-store.ts';

const DOING = {
  claim: 'taking scans from the queue',
  extend: 'extending a lease',
  'give back': 'giving a scan back',
} as const;

export interface ScanWorkerOptions extends Omit<ScanAttemptOptions, 'store' | 'isStopping' | 'stopped'> {
  readonly store: Pick<ScanStore, 'claim'> & ScanAttemptOptions['store'];
  /** Maximum jobs held at one time. */
  readonly concurrency: number;
  /** Poll interval of an idle worker; the usual interval by default. */
  readonly restPollMs?: number;
}

/** Works on scans with stored images; see `LeasedJobs`. */
export class ScanWorker {
  readonly #options: ScanWorkerOptions;
  readonly #jobs: LeasedJobs<ClaimedScan>;
  #stopListening = () => {};

  constructor(options: ScanWorkerOptions) {
    this.#options = options;
    const { store, concurrency, nowMs, observer, restPollMs } = options;
    this.#jobs = new LeasedJobs<ClaimedScan>({
      leaseMs: LEASE_MS,
      restPollMs,
      nowMs,
      async claim({ size }) {
        if (size >= concurrency) return [];
        const now = nowMs();
        const request = { nowMs: now, leaseUntilMs: now + LEASE_MS, maxAttempts: MAX_ATTEMPTS };
        const claimed = await store.claim(request);
        return claimed === undefined ? [] : [claimed];
      },
      extendLease: (claimed, leaseUntilMs) => store.extendLease(toClaim(claimed), leaseUntilMs),
      giveBack: (claimed, dueAtMs) => store.giveBack(toClaim(claimed), dueAtMs),
      run: (claimed, stopping) => new ScanAttempt(claimed, { ...options, ...stopping }).run(),
      onError: (step, error, claimed) => observer.broken(DOING[step], error, claimed?.job.id),
    });
  }

  start(): void {
    this.#stopListening = this.#options.signals.listen(({ kind }) => {
      if (kind === 'queued') void this.look();
    });
    this.#jobs.start();
  }

  /** Claims waiting jobs up to `concurrency`. */
  look(): Promise<void> {
    return this.#jobs.look();
  }

  /** Works until no job is due. */
  drain(): Promise<void> {
    return this.#jobs.drain();
  }

  extendLeases(): Promise<void> {
    return this.#jobs.extendLeases();
  }

  /** Returns unfinished jobs to the queue, so that others can claim them at once. */
  async stop(): Promise<void> {
    this.#stopListening();
    if (await this.#jobs.stop()) this.#options.signals.announce({ kind: 'queued' });
  }
}
