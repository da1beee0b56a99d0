import { OperatorError, OutageError } from '@larder/core/errors.ts';
import type { Config } from '../../config/config.ts';
import { type AnalysisOutcome, CRASHED, noAnalysis, TIMED_OUT } from '../../scan/analysis/analysis.ts';
import type { ImageAnalyser, ImageToAnalyse } from '../../scan/analysis/examine-image.ts';
import { Grounding } from '../../scan/analysis/grounding.ts';
import { Child } from '../../threads/child.ts';
import type { AnalysisCalls, GroundCalls } from './analysis-main.ts';

const ANALYSIS = new URL('./analysis-main.ts', import.meta.url);
/**
 * Time limit for loading the program, its libraries and its models; the first process may download a model
 * and embed the names of foods.
 */
const START = { timeoutMs: 15 * 60_000 };
/** Maximum images that wait for a process; more are rejected. */
const MAX_WAITING = 64;
/** Time for which a process may take to react to its time-out before it is killed. */
const STOP_GRACE_MS = 1_000;
const MINUTE_MS = 60_000;
/** Maximum JavaScript heap. Pixels and models are outside the heap. */
const MAX_HEAP_MB = 512;
/**
 * Settings of glibc; other allocators ignore them. Large blocks return to the system when they are freed: otherwise
 * those of opening the dish model would take 300 MB for the life of the process.
 */
const NATIVE_MEMORY = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };
/** Memory limit: models take some 300 MB, and the largest accepted image some 700 MB during decoding. */
const MAX_MEMORY_BYTES = 2 * 1024 ** 3;

export interface AnalysisPoolOptions {
  readonly config: Config;
  /** Number of images that are analysed in parallel, each in a separate process. */
  readonly processes: number;
  /** Called with errors of a process, and whether the process was replaced. */
  readonly onError: (error: Error, isReplaced: boolean) => void;
  /** The program of each process. */
  readonly entry?: URL;
  readonly idleMs?: number;
  readonly maxMemoryBytes?: number;
  /** Why no process can be started now, such as during `npm ci`; images then wait. */
  readonly whyNotNow?: () => string | undefined;
}

interface Waiting {
  readonly image: ImageToAnalyse;
  readonly resolve: (outcome: AnalysisOutcome) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A separate process, because native code decodes images: it cannot be stopped in a thread, and its faults
 * end a process.
 */
interface AnalysisProcess {
  readonly child: Child<AnalysisCalls, Config>;
  /** Grounds proposals for the current image. */
  grounding: Grounding;
}

/**
 * Processes that analyse images in parallel; one that hangs, crashes or takes too much memory is replaced.
 * Each is started for its first image and ends after idling for a while, because it holds its models in
 * memory.
 */
export class AnalysisPool implements ImageAnalyser {
  readonly #options: AnalysisPoolOptions;
  readonly #waiting: Waiting[] = [];
  readonly #idle: ((next: Waiting | undefined) => void)[] = [];
  readonly #processes = new Set<AnalysisProcess>();
  readonly #slots: readonly Promise<void>[];
  #isClosed = false;

  constructor(options: AnalysisPoolOptions) {
    this.#options = options;
    this.#slots = Array.from({ length: options.processes }, () => this.#serve());
  }

  /** The running processes. */
  get pids(): readonly number[] {
    return Array.from(this.#processes, ({ child }) => child.pid);
  }

  analyse(image: ImageToAnalyse): Promise<AnalysisOutcome> {
    if (this.#isClosed) return Promise.reject(closed());
    if (this.#waiting.length >= MAX_WAITING) {
      return Promise.reject(new Error(`${MAX_WAITING} images wait for a process already`));
    }
    return new Promise((resolve, reject) => {
      const waiting = { image, resolve, reject };
      // The most recently used one, so that the others can end.
      const takeIt = this.#idle.pop();
      if (takeIt === undefined) this.#waiting.push(waiting);
      else takeIt(waiting);
    });
  }

  /** Cancels the running images and rejects those that wait. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(closed());
    for (const takeIt of this.#idle.splice(0)) takeIt(undefined);
    await Promise.all(Array.from(this.#processes, ({ child }) => child.kill(closed())));
    await Promise.all(this.#slots);
  }

  /** The loop of one slot: it analyses image after image, and replaces processes that images break. */
  async #serve(): Promise<void> {
    let running: AnalysisProcess | undefined;
    for (let next = await this.#next(running); next !== undefined; next = await this.#next(running)) {
      if (running === undefined || !this.#processes.has(running)) running = await this.#startFor(next);
      if (running !== undefined) await this.#look(running, next);
    }
  }

  async #next(running: AnalysisProcess | undefined): Promise<Waiting | undefined> {
    if (this.#isClosed) return undefined;
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) return waiting;
    const { config, idleMs = config.scanIdleMinutes * MINUTE_MS } = this.#options;
    const timer = setTimeout(() => {
      if (running === undefined) return;
      // The process is removed at once, so that it gets no image while it ends.
      this.#processes.delete(running);
      void running.child.kill(new Error('no image has come for a while'));
    }, idleMs);
    timer.unref();
    try {
      return await new Promise((resolve) => this.#idle.push(resolve));
    } finally {
      clearTimeout(timer);
    }
  }

  async #look(running: AnalysisProcess, { image, resolve, reject }: Waiting): Promise<void> {
    const tooLong = new Error(`the analysis took longer than ${image.timeoutMs} ms`);
    let isTooLong = false;
    const timer = setTimeout(() => {
      isTooLong = true;
      void running.child.kill(tooLong);
    }, image.timeoutMs + STOP_GRACE_MS);
    try {
      const { bytes, timeoutMs, kind } = image;
      running.grounding = new Grounding(image);
      // The timer limits it.
      const analysing = running.child.channel.call('analyse', { sizeBytes: bytes.length, timeoutMs, kind });
      running.child.bytes!.write(bytes);
      resolve(await analysing);
    } catch (error) {
      if (this.#isClosed) return reject(closed());
      // A dependency of the analysis is unavailable; the image can be analysed later.
      if (error instanceof OutageError) return reject(error);
      // An error of the analysis leaves its process alive.
      this.#options.onError(advised(error as Error), !this.#processes.has(running));
      resolve(isTooLong ? noAnalysis(TIMED_OUT, image.timeoutMs) : noAnalysis(CRASHED));
    } finally {
      clearTimeout(timer);
      if (isTooLong) await running.child.ended;
    }
  }

  /** Undefined if no process can be started; the image is then rejected, for another attempt. */
  async #startFor({ image, reject }: Waiting): Promise<AnalysisProcess | undefined> {
    if (this.#isClosed) {
      reject(closed());
      return undefined;
    }
    const {
      entry = ANALYSIS,
      config,
      maxMemoryBytes = MAX_MEMORY_BYTES,
      whyNotNow = () => undefined,
    } = this.#options;
    const missing = whyNotNow();
    if (missing !== undefined) {
      reject(new OutageError(missing));
      return undefined;
    }
    const local: GroundCalls = { ground: (proposals) => started.grounding.ground(proposals) };
    const child = Child.process<AnalysisCalls, Config>({
      entry,
      local,
      maxHeapMb: MAX_HEAP_MB,
      maxMemoryBytes,
      env: NATIVE_MEMORY,
    });
    const started: AnalysisProcess = { child, grounding: new Grounding(image) };
    this.#processes.add(started);
    void child.ended.then(() => this.#processes.delete(started));
    try {
      await child.start(config, START);
      return started;
    } catch (cause) {
      const reason = whyNotNow();
      if (this.#isClosed) reject(closed());
      else if (reason !== undefined) reject(new OutageError(reason, { cause }));
      else
        reject(new OperatorError(`images cannot be analysed: ${advised(cause as Error).message}`, { cause }));
      return undefined;
    }
  }
}

/** A process that was killed takes its setting with it. */
function advised(error: Error): Error {
  return error instanceof OperatorError
    ? new OperatorError(`${error.message}, or lower LARDER_SCAN_WORKERS`, { cause: error })
    : error;
}

function closed(): Error {
  return new Error('the analysis of images is being stopped');
}
