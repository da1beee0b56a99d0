import { type ChildProcess, fork } from 'node:child_process';
import type { Config } from '../config/config.ts';
import type { AnalysisOutcome } from '../scan/analysis/analysis.ts';
import type { ImageToAnalyse } from '../scan/analysis/examine-image.ts';
import type { ScanFoods } from '../scan/analysis/scan-foods.ts';
import type { AnalysisCalls, FoodCalls } from './analysis-thread-protocol.ts';
import { Channel, type ProcessPort } from './channel.ts';
import { watchMemory } from './memory-watch.ts';

/** Loading the program, its libraries and its models; the first process of all may fetch one and embed the names of foods. */
const START_TIMEOUT_MS = 15 * 60_000;
/** The pool kills what overruns its time; this only bounds the wait for a process that is being killed. */
const MAX_ANALYSIS_MS = 24 * 60 * 60_000;
/** Of the JavaScript heap. Pixels and models lie outside of it. */
const MAX_HEAP_MB = 512;

export interface AnalysisProcessOptions {
  /** The program. */
  readonly entry: URL;
  readonly config: Config;
  /** Of all its memory; a process that takes more is killed. Only on Linux. */
  readonly maxMemoryBytes: number;
}

/**
 * A process that analyses images, as the pool sees it. Not a thread: native code, which decodes images, cannot be stopped in
 * a thread, and a fault of it would end the whole service.
 */
export class AnalysisProcess {
  /** Resolves when the process is no more, with the reason. */
  readonly ended: Promise<Error>;
  readonly #child: ChildProcess;
  readonly #channel: Channel<AnalysisCalls>;
  readonly #config: Config;
  #foods: ScanFoods | undefined;
  #cause: Error | undefined;

  constructor({ entry, config, maxMemoryBytes }: AnalysisProcessOptions) {
    this.#config = config;
    this.#child = fork(entry, {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [...process.execArgv, `--max-old-space-size=${MAX_HEAP_MB}`],
    });
    const local: FoodCalls = {
      findByBarcode: async (digits) => this.#foods!.findByBarcode(digits),
      findById: async (id) => this.#foods!.findById(id),
      search: async ({ text, limit }) => this.#foods!.search(text, limit),
    };
    this.#channel = new Channel<AnalysisCalls>({ port: toPort(this.#child), local });
    const stopWatching = watchMemory(this.#child.pid, maxMemoryBytes, (error) => void this.end(error));
    this.ended = new Promise((resolve) => {
      const close = (cause: Error) => {
        stopWatching();
        this.#cause ??= cause;
        resolve(this.#cause);
        this.#channel.close(this.#cause);
      };
      // Where it cannot be started there is no exit.
      this.#child.on('error', (error) => this.#child.pid === undefined && close(error));
      this.#child.on('exit', (code, signal) => close(new Error(`the process ended with ${signal ?? code}`)));
    });
  }

  /** 0 where it could not be started. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Throws why it cannot look at images. */
  ready(): Promise<void> {
    return this.#channel.call('start', this.#config, { timeoutMs: START_TIMEOUT_MS });
  }

  /** Throws what the analysis threw, or why the process has ended. */
  analyse({ bytes, foods, timeoutMs }: ImageToAnalyse): Promise<AnalysisOutcome> {
    this.#foods = foods;
    return this.#channel.call('analyse', { bytes, timeoutMs }, { timeoutMs: MAX_ANALYSIS_MS });
  }

  /** Kills it, whatever it is doing. */
  async end(cause: Error): Promise<void> {
    this.#cause ??= cause;
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}

function toPort(child: ChildProcess): ProcessPort {
  return {
    // A child that cannot be sent anything has ended, which its exit tells.
    postMessage: (message) => void child.send(message, () => {}),
    onMessage: (listener) => void child.on('message', listener),
  };
}
