import { OutageError } from '../errors.ts';
import { type AnalysisOutcome, noAnalysis } from '../scan/analysis.ts';
import type { ImageAnalyser, ImageToAnalyse } from '../scan/image-analyser.ts';
import { BROKE, TIMED_OUT } from './analysis-failures.ts';
import { AnalysisThread } from './analysis-thread-handle.ts';
import type { AnalysisThreadStart } from './protocol.ts';

/** Images that wait for a thread; more are refused. */
const MAX_WAITING = 64;
/** How long a thread may take to react to its time-out; one that takes longer is terminated. */
const STOP_GRACE_MS = 1_000;

export interface AnalysisPoolPorts {
  /** The program of each thread. */
  readonly entry: URL;
  readonly start: AnalysisThreadStart;
  readonly threads: number;
  /** Hears of what went wrong in a thread, and whether the thread was replaced. */
  readonly onError: (error: Error, isReplaced: boolean) => void;
}

interface Waiting {
  readonly image: ImageToAnalyse;
  readonly resolve: (outcome: AnalysisOutcome) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Threads that analyse images in parallel; one that hangs or crashes is replaced. Each is started for its first image,
 * since it loads models that a service without scans need not hold.
 */
export class AnalysisPool implements ImageAnalyser {
  readonly #ports: AnalysisPoolPorts;
  readonly #waiting: Waiting[] = [];
  readonly #idle: ((next: Waiting | undefined) => void)[] = [];
  readonly #threads = new Set<AnalysisThread>();
  readonly #slots: readonly Promise<void>[];
  #isClosed = false;

  constructor(ports: AnalysisPoolPorts) {
    this.#ports = ports;
    this.#slots = Array.from({ length: ports.threads }, () => this.#serve());
  }

  analyse(image: ImageToAnalyse): Promise<AnalysisOutcome> {
    if (this.#isClosed) return Promise.reject(closed());
    if (this.#waiting.length >= MAX_WAITING) {
      return Promise.reject(new Error(`${MAX_WAITING} images wait for a thread already`));
    }
    return new Promise((resolve, reject) => {
      const waiting = { image, resolve, reject };
      const takeIt = this.#idle.shift();
      if (takeIt === undefined) this.#waiting.push(waiting);
      else takeIt(waiting);
    });
  }

  /** Breaks off the images under way and rejects those that wait. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(closed());
    for (const takeIt of this.#idle.splice(0)) takeIt(undefined);
    await Promise.all(Array.from(this.#threads, (thread) => thread.end(closed())));
    await Promise.all(this.#slots);
  }

  /** The life of one slot: image after image, and thread after thread where images break them. */
  async #serve(): Promise<void> {
    let thread: AnalysisThread | undefined;
    for (let next = await this.#next(); next !== undefined; next = await this.#next()) {
      if (thread === undefined || !this.#threads.has(thread)) thread = await this.#startFor(next);
      if (thread !== undefined) await this.#look(thread, next);
    }
  }

  #next(): Promise<Waiting | undefined> | Waiting | undefined {
    if (this.#isClosed) return undefined;
    return this.#waiting.shift() ?? new Promise((resolve) => this.#idle.push(resolve));
  }

  async #look(thread: AnalysisThread, { image, resolve, reject }: Waiting): Promise<void> {
    const tooLong = new Error(`the analysis took longer than ${image.timeoutMs} ms`);
    let isTooLong = false;
    const timer = setTimeout(() => {
      isTooLong = true;
      void thread.end(tooLong);
    }, image.timeoutMs + STOP_GRACE_MS);
    try {
      resolve(await thread.analyse(image));
    } catch (error) {
      if (this.#isClosed) return reject(closed());
      // What the analysis asks for is away; the image can be looked at later.
      if (error instanceof OutageError) return reject(error);
      // An error of the analysis leaves its thread alive; an error of the thread itself comes a moment before its end.
      const isReplaced = isTooLong || !(await this.#isAlive(thread));
      this.#ports.onError(error as Error, isReplaced);
      resolve(isTooLong ? noAnalysis(TIMED_OUT, image.timeoutMs) : noAnalysis(BROKE));
    } finally {
      clearTimeout(timer);
      if (isTooLong) await thread.ended;
    }
  }

  async #isAlive(thread: AnalysisThread): Promise<boolean> {
    await new Promise(setImmediate);
    return this.#threads.has(thread);
  }

  /** Undefined where no thread can be started; the image is then rejected, for another attempt. */
  async #startFor({ reject }: Waiting): Promise<AnalysisThread | undefined> {
    if (this.#isClosed) {
      reject(closed());
      return undefined;
    }
    const thread = new AnalysisThread(this.#ports);
    this.#threads.add(thread);
    void thread.ended.then(() => this.#threads.delete(thread));
    try {
      await thread.ready();
      return thread;
    } catch (cause) {
      void thread.end(cause as Error);
      if (this.#isClosed) reject(closed());
      else reject(new Error(`images cannot be analysed: ${(cause as Error).message}`, { cause }));
      return undefined;
    }
  }
}

function closed(): Error {
  return new Error('the analysis of images is being stopped');
}
