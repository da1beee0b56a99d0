import type { MessagePort } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Pause } from '../../base/pause.ts';
import { retry } from '../../base/retry.ts';
import type { Config } from '../../config/config.ts';
import type { ServiceStatus } from '../../http/service/health.ts';
import type { MetricValues } from '../../http/service/metric-values.ts';
import { Child } from '../../threads/child.ts';
import type { LogWarning } from '../operator/last-warnings.ts';
import type { SharedMemory } from '../shared-memory.ts';
import type { LogFormat } from './logger.ts';
import type { MainCalls, ThreadCalls, ThreadStart } from './protocol.ts';

/** Time limit of a thread's start, which loads the program and opens the database, and of each other step. */
const STEP = { timeoutMs: 60_000 };
const METRICS_TIMEOUT_MS = 3_000;
/** Limits V8's young generation, which would otherwise grow permanently when thousands of streams open at once. */
const MAX_YOUNG_GENERATION_MB = 8;
/** Attempts of one thread to load a catalogue; then it is replaced, and its successor loads it. */
const MAX_TAKES = 3;
const FIRST_RETRY_MS = 100;
/** Maximum crashed threads that are replaced within the window; with more crashes, restarting does not help. */
const MAX_RESTARTS = 5;
const RESTART_WINDOW_MS = 60_000;

export interface ApiThreadsOptions {
  /** The program of each thread. */
  readonly entry: URL;
  readonly config: Config;
  readonly logFormat: LogFormat;
  readonly memory: SharedMemory;
  /** A new thread's port to the shared work of the process, if threads need one. */
  readonly connectWork: () => MessagePort | undefined;
  readonly log: Logger;
  readonly calls: MainCalls;
  readonly nowMs: () => number;
  readonly pause?: Pause;
  /** Called once, when threads crash too often to be restarted. */
  readonly onGivenUp: (cause: Error) => void;
}

interface ApiThread {
  readonly child: Child<ThreadCalls, ThreadStart>;
  readonly started: Promise<void>;
}

/**
 * The worker threads that answer HTTP, all on one port: the kernel distributes connections among them. A
 * crashed one is replaced, and its successor gets the current catalogue and status.
 */
export class ApiThreads {
  readonly #options: ApiThreadsOptions;
  readonly #threads: ApiThread[] = [];
  #restartsAtMs: number[] = [];
  #restarts = 0;
  #port = 0;
  #image: SharedArrayBuffer | undefined;
  #status: ServiceStatus = { phase: 'starting' };
  #isStopping = false;

  constructor(options: ApiThreadsOptions) {
    this.#options = options;
  }

  /** Number of crashed threads that were replaced. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Starts all threads; returns the port when all listen on it. */
  async start(): Promise<number> {
    const { config } = this.#options;
    for (let index = 0; index < config.apiThreads; index++) this.#threads.push(this.#spawn(index));
    const [first, ...others] = this.#threads;
    await Promise.all(this.#threads.map(({ started }) => started));
    // The first thread finds a free port if none is given; the others use the same one.
    this.#port = await first!.child.channel.call('listen', config.port, STEP);
    await Promise.all(others.map(({ child }) => child.channel.call('listen', this.#port, STEP)));
    return this.#port;
  }

  /**
   * Resolves when every thread answers from this verified catalogue: a thread that cannot load it tries
   * again, and is then replaced. So threads never disagree permanently. Throws only before the service
   * listens, and when it cannot continue.
   */
  async useCatalogue(image: SharedArrayBuffer): Promise<void> {
    this.#image = image;
    await Promise.all(this.#threads.map((_, index) => this.#giveCatalogue(index, image)));
  }

  /** Sets the status of all threads. A thread that does not respond is replaced, and its successor gets the status. */
  async setStatus(status: ServiceStatus): Promise<void> {
    this.#status = status;
    await Promise.all(
      this.#threads.map(async ({ child, started }) => {
        try {
          await started;
          await child.channel.call('setStatus', status, STEP);
        } catch (error) {
          if (!this.#canReplace) throw error;
          await child.kill(error as Error);
        }
      }),
    );
  }

  /** Collects the metrics of the responding threads; one that is being replaced has none. */
  async metrics(): Promise<MetricValues[]> {
    const ask = ({ child }: ApiThread) =>
      child.channel.call('metrics', undefined, { timeoutMs: METRICS_TIMEOUT_MS });
    const values = await Promise.allSettled(this.#threads.map(ask));
    return values.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
  }

  /** Collects the last warnings of the responding threads. */
  async warnings(): Promise<(readonly LogWarning[])[]> {
    const ask = ({ child }: ApiThread) =>
      child.channel.call('warnings', undefined, { timeoutMs: METRICS_TIMEOUT_MS });
    const warnings = await Promise.allSettled(this.#threads.map(ask));
    return warnings.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
  }

  async stop(timeoutMs: number): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#threads.map(({ child }) => child.stop(timeoutMs)));
  }

  async #giveCatalogue(index: number, image: SharedArrayBuffer): Promise<void> {
    const { log, pause } = this.#options;
    let thread = this.#threads[index]!;
    const give = async () => {
      thread = this.#threads[index]!;
      await thread.started;
      return thread.child.channel.call('useCatalogue', image, STEP);
    };
    const delayMs = async (error: unknown, tries: number) => {
      if (!this.#canReplace) return undefined;
      log.warn({ err: error, apiThread: index, tries }, 'an API thread could not load a catalogue');
      if (tries % MAX_TAKES === 0) await thread.child.kill(error as Error);
      return FIRST_RETRY_MS * 2 ** Math.min(tries, MAX_TAKES);
    };
    await retry(give, { delayMs, ref: false, ...(pause && { pause }) });
  }

  /** Threads can be replaced only after the service listens. Until then a crash fails the start. */
  get #canReplace(): boolean {
    return !this.#isStopping && this.#port !== 0;
  }

  #spawn(index: number): ApiThread {
    const { entry, config, logFormat, memory, connectWork, calls } = this.#options;
    const child = Child.thread<ThreadCalls, ThreadStart>({
      entry,
      name: `api-${index}`,
      local: calls,
      resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_MB },
    });
    const workPort = connectWork();
    const transfer = workPort === undefined ? [] : [workPort];
    const started = child.start({ index, config, logFormat, memory, workPort }, { ...STEP, transfer });
    // Callers of the thread see this failure, and its end causes a replacement.
    started.catch(() => {});
    child.ended.then((cause) => child.isStopping || this.#replace(index, cause));
    return { child, started };
  }

  #replace(index: number, cause: Error): void {
    if (!this.#canReplace) return;
    const { log, nowMs, onGivenUp } = this.#options;
    const now = nowMs();
    this.#restartsAtMs = this.#restartsAtMs.filter((at) => now - at < RESTART_WINDOW_MS);
    if (this.#restartsAtMs.length >= MAX_RESTARTS) {
      this.#isStopping = true;
      onGivenUp(cause);
      return;
    }
    this.#restartsAtMs.push(now);
    this.#restarts++;
    log.error({ err: cause, crashedThread: index }, 'an API thread crashed and is replaced');
    const thread = this.#spawn(index);
    this.#threads[index] = thread;
    this.#bringUp(thread).catch((error) => thread.child.kill(error));
  }

  async #bringUp({ child: { channel }, started }: ApiThread): Promise<void> {
    await started;
    if (this.#image !== undefined) await channel.call('useCatalogue', this.#image, STEP);
    await channel.call('setStatus', this.#status, STEP);
    await channel.call('listen', this.#port, STEP);
  }
}
