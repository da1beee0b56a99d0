import { OutageError } from '@larder/core/errors.ts';
import { RepeatedTask } from './repeated-task.ts';

/** Maximum delay of a job without a signal, such as one from another process over the same folder. */
const POLL_MS = 500;
/** Time after the last job until the queue is polled less often, if configured. */
const REST_AFTER_MS = 60_000;

/** Tells an attempt at a job that its holder stops. */
export interface Stopping {
  /** True stops the retries during an outage. */
  readonly isStopping: () => boolean;
  /** Resolves when the job was returned to the queue, so that the attempt must end. */
  readonly stopped: Promise<undefined>;
}

export interface LeasedJobsOptions<Job> {
  /** A job whose lease is not extended for this long can be claimed by others. */
  readonly leaseMs: number;
  /** Poll interval of an idle holder; the usual interval by default. */
  readonly restPollMs?: number | undefined;
  readonly nowMs: () => number;
  /** Claims jobs in addition to the held ones; none if none is due, or there is no room. */
  claim(held: ReadonlySet<Job>): Promise<readonly Job[]>;
  extendLease(job: Job, leaseUntilMs: number): Promise<unknown>;
  /** Returns an unfinished job to the queue; false if another holder has it. */
  giveBack(job: Job, dueAtMs: number): Promise<boolean>;
  /** Runs one attempt. Never throws. */
  run(job: Job, stopping: Stopping): Promise<void>;
  /** Called when a step failed. */
  onError(step: 'claim' | 'extend' | 'give back', error: unknown, job?: Job): void;
}

/**
 * Claims jobs of a queue, a bounded number at a time, and extends their leases until each attempt has ended.
 *
 *     signal, poll, end of an attempt ──▶ look ──▶ claim ──▶ attempt ──▶ end
 *                                          ▲        │          │ stop: returned to the queue, claimable at once
 *                                          └─ none ─┘          └ lease lost: another holder has it, and the store refuses this one
 */
export class LeasedJobs<Job> {
  readonly #options: LeasedJobsOptions<Job>;
  /** The held jobs with promises of their attempts. */
  readonly #running = new Map<Job, Promise<void>>();
  readonly #stopping = Promise.withResolvers<undefined>();
  readonly #looking: RepeatedTask;
  readonly #extending: RepeatedTask;
  #isStopping = false;
  #extendedAtMs = 0;
  #lastJobAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: LeasedJobsOptions<Job>) {
    this.#options = options;
    this.#looking = new RepeatedTask(() => this.#claimAll(), {
      everyMs: () => this.#pollMs(),
      // An outage of the queue is reported once, although it is polled twice a second.
      onError: (error, failures) => {
        if (failures === 1 || !(error instanceof OutageError)) options.onError('claim', error);
      },
      ref: true,
    });
    this.#extending = new RepeatedTask(() => this.extendLeases(), {
      everyMs: options.leaseMs / 3,
      onError: (error) => options.onError('extend', error),
    });
  }

  start(): void {
    this.#looking.start();
    this.#extending.start();
    void this.look();
  }

  /** Claims waiting jobs while there is room. */
  look(): Promise<void> {
    return this.#looking.runNow();
  }

  /** Works until no job is due. */
  async drain(): Promise<void> {
    await this.look();
    while (this.#running.size > 0) {
      await Promise.all(this.#running.values());
      await this.look();
    }
  }

  async extendLeases(): Promise<void> {
    await this.#extendAll((error, job) => this.#options.onError('extend', error, job));
  }

  /** Returns unfinished jobs to the queue, so that others can claim them at once. True if there was one. */
  async stop(): Promise<boolean> {
    const { giveBack, nowMs, onError } = this.#options;
    this.#isStopping = true;
    await Promise.all([this.#looking.stop(), this.#extending.stop()]);
    const running = [...this.#running];
    const givenBack = await Promise.all(
      running.map(([job]) => giveBack(job, nowMs()).catch((error) => onError('give back', error, job))),
    );
    this.#stopping.resolve(undefined);
    await Promise.all(running.map(([, done]) => done));
    return givenBack.includes(true);
  }

  #pollMs(): number {
    const { restPollMs = POLL_MS, nowMs } = this.#options;
    const isResting = this.#running.size === 0 && nowMs() - this.#lastJobAtMs > REST_AFTER_MS;
    return isResting ? restPollMs : POLL_MS;
  }

  async #extendAll(onError: (error: unknown, job: Job) => void): Promise<void> {
    const { extendLease, leaseMs, nowMs } = this.#options;
    const now = nowMs();
    let isDone = true;
    const extend = (job: Job) =>
      extendLease(job, now + leaseMs).catch((error) => {
        isDone = false;
        onError(error, job);
      });
    await Promise.all(Array.from(this.#running.keys(), extend));
    if (isDone) this.#extendedAtMs = now;
  }

  async #claimAll(): Promise<void> {
    const { claim, leaseMs, nowMs } = this.#options;
    // Leases may have expired, after the machine slept or the database was down: without extending them first the holder could
    // claim a job that it still holds.
    if (this.#running.size > 0 && nowMs() - this.#extendedAtMs > (2 * leaseMs) / 3)
      await this.#extendAll((error) => {
        throw error;
      });
    while (!this.#isStopping) {
      const claimed = await claim(new Set(this.#running.keys()));
      if (claimed.length === 0) return;
      for (const job of claimed) this.#begin(job);
    }
  }

  #begin(job: Job): void {
    const { run, nowMs } = this.#options;
    const stopping = { isStopping: () => this.#isStopping, stopped: this.#stopping.promise };
    const done = run(job, stopping).finally(() => {
      this.#running.delete(job);
      this.#lastJobAtMs = nowMs();
      // The job may have been released for another attempt soon.
      void this.look();
    });
    this.#running.set(job, done);
  }
}
