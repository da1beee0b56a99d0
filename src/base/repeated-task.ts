export interface RepeatedTaskOptions {
  /** The pause between two runs. */
  readonly everyMs: number | (() => number);
  /** Called when a run fails, with the number of consecutive failures. */
  readonly onError: (error: unknown, failures: number) => void;
  /** Whether the pauses keep the process alive; by default they do not. */
  readonly ref?: boolean;
}

/**
 * Runs a task repeatedly, one run at a time.
 *
 *     start ──▶ pause ──▶ run ──▶ pause ──▶ run ──▶ … ──▶ stop
 *
 * `runNow` ends a pause; during a run it makes another run follow at once.
 */
export class RepeatedTask {
  readonly #task: () => Promise<unknown>;
  readonly #options: RepeatedTaskOptions;
  #isStarted = false;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isDue = false;
  #failures = 0;

  constructor(task: () => Promise<unknown>, options: RepeatedTaskOptions) {
    this.#task = task;
    this.#options = options;
  }

  /** A long run looks at it between its steps. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Begins with a pause. Without `start` the task runs only when `runNow` is called. */
  start(): void {
    this.#isStarted = true;
    this.reschedule();
  }

  /** Resolves when a run that began after this call has ended. Does nothing after `stop`. */
  async runNow(): Promise<void> {
    if (this.#isStopped) return;
    this.#isDue = true;
    this.#running ??= Promise.resolve().then(() => this.#runWhileDue());
    await this.#running;
  }

  /** Restarts the current pause, after `everyMs` has changed. */
  reschedule(): void {
    if (this.#isStarted && !this.#isStopped && this.#running === undefined) this.#schedule();
  }

  /** Resolves when the current run has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#isDue = false;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #runWhileDue(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#isDue) {
      this.#isDue = false;
      try {
        await this.#task();
        this.#failures = 0;
      } catch (error) {
        this.#options.onError(error, ++this.#failures);
      }
    }
    this.#running = undefined;
    this.reschedule();
  }

  #schedule(): void {
    const { everyMs, ref = false } = this.#options;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.runNow(), typeof everyMs === 'number' ? everyMs : everyMs());
    if (!ref) this.#timer.unref();
  }
}
