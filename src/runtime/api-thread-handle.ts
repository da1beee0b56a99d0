import { Worker } from 'node:worker_threads';
import type { MetricValues } from '../http/operations/duration-histogram.ts';
import type { ServiceStatus } from '../http/operations/health.ts';
import { Channel } from './channel.ts';
import type { MainCalls, ThreadCalls, ThreadStart } from './protocol.ts';

/** Loading the program and opening the database are part of it. */
const START_TIMEOUT_MS = 60_000;
const METRICS_TIMEOUT_MS = 3_000;
/** How long a thread may take to end beyond the time that requests under way are given. */
const STOP_GRACE_MS = 2_000;
/** Bounds V8's young generation, which thousands of streams opened at once would let grow for good to no benefit. */
const MAX_YOUNG_GENERATION_MB = 8;

export interface ApiThreadPorts {
  /** The program of the thread. */
  readonly entry: URL;
  readonly start: ThreadStart;
  readonly calls: MainCalls;
}

/** An API thread as the main thread sees it. */
export class ApiThread {
  /** Resolves if the thread ends without having been told to, with the reason. */
  readonly crashed: Promise<Error>;
  readonly #worker: Worker;
  readonly #channel: Channel<ThreadCalls>;
  #cause: Error | undefined;
  #isStopping = false;

  constructor({ entry, start, calls }: ApiThreadPorts) {
    this.#worker = new Worker(entry, {
      workerData: start,
      transferList: start.workPort === undefined ? [] : [start.workPort],
      name: `api-${start.index}`,
      resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_MB },
    });
    this.#channel = new Channel<ThreadCalls>({ port: this.#worker, local: calls });
    this.crashed = new Promise((resolve) => {
      this.#worker.on('error', (error) => {
        this.#cause ??= error as Error;
      });
      this.#worker.on('exit', (code) => {
        this.#cause ??= new Error(`the thread exited with code ${code}`);
        this.#channel.close(this.#cause);
        if (!this.#isStopping) resolve(this.#cause);
      });
    });
  }

  listen(port: number): Promise<number> {
    return this.#channel.call('listen', port, { timeoutMs: START_TIMEOUT_MS });
  }

  useCatalogue(image: SharedArrayBuffer): Promise<void> {
    return this.#channel.call('useCatalogue', image, { timeoutMs: START_TIMEOUT_MS });
  }

  setStatus(status: ServiceStatus): Promise<void> {
    return this.#channel.call('setStatus', status, { timeoutMs: START_TIMEOUT_MS });
  }

  metrics(): Promise<MetricValues> {
    return this.#channel.call('metrics', undefined, { timeoutMs: METRICS_TIMEOUT_MS });
  }

  /** Ends a thread that cannot do its work, as if it had crashed. */
  async fail(cause: Error): Promise<void> {
    this.#cause ??= cause;
    await this.#worker.terminate();
  }

  /** Ends the thread: gently, and by force where that fails. */
  async stop(timeoutMs: number): Promise<void> {
    this.#isStopping = true;
    if (timeoutMs > 0) {
      const stopped = this.#channel.call('stop', timeoutMs, { timeoutMs: timeoutMs + STOP_GRACE_MS });
      // Force is the answer to every failure: the thread may have crashed, or never have started.
      await stopped.catch(() => {});
    }
    await this.#worker.terminate();
  }
}
