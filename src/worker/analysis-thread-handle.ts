import { Worker } from 'node:worker_threads';
import { Channel } from '../channel.ts';
import type { AnalysisOutcome } from '../scan/analysis.ts';
import type { ImageToAnalyse } from '../scan/image-analyser.ts';
import type { ScanFoods } from '../scan/scan-foods.ts';
import type { AnalysisCalls, AnalysisThreadStart, FoodCalls } from './protocol.ts';

/** Loading the program, its libraries and its models; the first thread of all may fetch one and embed the names of foods. */
const START_TIMEOUT_MS = 15 * 60_000;
/** The pool terminates what overruns its time; this only bounds the wait for a thread that is being terminated. */
const MAX_ANALYSIS_MS = 24 * 60 * 60_000;
/** Of the thread's JavaScript heap. Pixels and models lie outside of it, bounded by the limits of images. */
const MAX_HEAP_MB = 512;

/** An analysis thread as the pool sees it. */
export class AnalysisThread {
  /** Resolves when the thread is no more, with the reason. */
  readonly ended: Promise<Error>;
  readonly #worker: Worker;
  readonly #channel: Channel<AnalysisCalls>;
  #foods: ScanFoods | undefined;
  #cause: Error | undefined;

  constructor({ entry, start }: { entry: URL; start: AnalysisThreadStart }) {
    this.#worker = new Worker(entry, {
      workerData: start,
      name: 'analysis',
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    const local: FoodCalls = {
      findByBarcode: async (digits) => this.#foods!.findByBarcode(digits),
      findById: async (id) => this.#foods!.findById(id),
      search: async ({ text, limit }) => this.#foods!.search(text, limit),
    };
    this.#channel = new Channel<AnalysisCalls>({ port: this.#worker, local });
    this.ended = new Promise((resolve) => {
      this.#worker.on('error', (error) => {
        this.#cause ??= error as Error;
      });
      this.#worker.on('exit', (code) => {
        const cause = this.#cause ?? new Error(`the thread exited with code ${code}`);
        this.#channel.close(cause);
        resolve(cause);
      });
    });
  }

  /** Throws why it cannot look at images. */
  ready(): Promise<void> {
    return this.#channel.call('ready', undefined, { timeoutMs: START_TIMEOUT_MS });
  }

  /** Transfers the bytes to the thread: they are gone here. Throws what the analysis threw, or why the thread has ended. */
  analyse({ bytes, foods, timeoutMs }: ImageToAnalyse): Promise<AnalysisOutcome> {
    this.#foods = foods;
    const transfer = bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
    return this.#channel.call('analyse', { bytes, timeoutMs }, { timeoutMs: MAX_ANALYSIS_MS, transfer });
  }

  async end(cause: Error): Promise<void> {
    this.#cause ??= cause;
    await this.#worker.terminate();
  }
}
