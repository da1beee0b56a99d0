import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';
import { OperatorError } from '@larder/core/errors.ts';
import { type Calls, Channel, type ProcessPort } from './channel.ts';
import { BYTES_FD } from './parent.ts';

const EVERY_MS = 250;
const PAGE_BYTES = 4096;

/**
 * Watches the resident memory of a process until it exceeds the limit or the returned function is called.
 * Works on Linux only.
 */
function watchMemory(
  pid: number | undefined,
  maxBytes: number,
  onTooMuch: (error: Error) => void,
): () => void {
  if (process.platform !== 'linux' || pid === undefined) return () => {};
  const timer = setInterval(() => {
    const bytes = residentBytes(pid);
    if (bytes <= maxBytes) return;
    clearInterval(timer);
    onTooMuch(new Error(`the process took ${bytes} bytes of memory, more than ${maxBytes}`));
  }, EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** 0 if the process has ended. */
function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * PAGE_BYTES;
  } catch {
    return 0;
  }
}

/** Time for a child to answer `stop`, in addition to the time for finishing its work. */
const STOP_GRACE_MS = 2_000;

/** Linux and containers end processes so when memory is short. */
const KILLED = 'the process was killed (SIGKILL), mostly because memory is short: allow more';

/** The calls that every child answers; `stop` only if it is stopped gracefully. */
interface LifeCalls {
  /** Answered when the child can answer other calls; throws an `OperatorError` if it cannot. See `serveParent`. */
  start(options: unknown): void;
  /** Finishes running work within this time, closes the rest, and is answered when everything is closed. */
  stop(timeoutMs: number | undefined): unknown;
}

export interface StartOptions {
  readonly timeoutMs?: number;
  readonly transfer?: readonly Transferable[];
  /** Aborted if the child is not needed any more: it is killed, and the start fails with the reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface ThreadStartOptions {
  /** The program, which answers calls by `serveParent`. */
  readonly entry: URL;
  readonly name: string;
  /** The functions that the thread may call. */
  readonly local?: Calls<unknown>;
  readonly resourceLimits?: ResourceLimits;
}

export interface ProcessOptions extends Pick<ThreadStartOptions, 'entry' | 'local'> {
  /** Maximum JavaScript heap. */
  readonly maxHeapMb: number;
  /** Maximum memory; a process that exceeds it is killed. Only on Linux. */
  readonly maxMemoryBytes: number;
  /** Environment variables in addition to those of this process, which take precedence. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * A thread or a process that this thread started, from its start to its end. Its owner decides what its end
 * means, and whether another one replaces it.
 *
 *     starting ──`start` is answered──▶ ready ──stop──▶ stopping ──answered, or not in time──▶ killed ──▶ ended
 *        │                                │                                                     ▲
 *        └── rejected, aborted: killed ───┴── crash, kill ──────────────────────────────────────┘
 */
export class Child<Remote extends Calls<Remote>, Options> {
  /** The channel for calls after the start. Pending calls fail with the reason when the child ends. */
  readonly channel: Channel<Remote>;
  /** Resolves with the reason when the child has ended. */
  readonly ended: Promise<Error>;
  /** 0 for a thread, and for a process that could not be started. */
  readonly pid: number;
  /**
   * Writes to a process, which reads with `readBytes`. For many bytes this is cheaper than a message, which
   * is copied several times.
   */
  readonly bytes: Writable | undefined;
  readonly #kill: () => unknown;
  #cause: Error | undefined;
  #isStopping = false;

  static thread<Remote extends Calls<Remote>, Options>({
    entry,
    name,
    local,
    resourceLimits,
  }: ThreadStartOptions): Child<Remote, Options> {
    const worker = new Worker(entry, {
      name,
      // Node passes on the options it was started with, but not those that the program has added.
      execArgv: process.execArgv.filter((argument) => argument.startsWith('--import=')),
      ...(resourceLimits && { resourceLimits }),
    });
    return new Child({
      channel: new Channel({ port: worker, ...(local && { local }) }),
      kill: () => worker.terminate(),
      // Waits for `exit`, because `error` may arrive before the last messages.
      onEnd(end) {
        let cause: Error | undefined;
        worker.on('error', (error) => {
          cause = error as Error;
        });
        worker.on('exit', (code) => end(cause ?? new Error(`the thread exited with code ${code}`)));
      },
    });
  }

  static process<Remote extends Calls<Remote>, Options>({
    entry,
    local,
    maxHeapMb,
    maxMemoryBytes,
    env,
  }: ProcessOptions): Child<Remote, Options> {
    const forked = fork(entry, {
      env: { ...env, ...process.env },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'ipc'],
      execArgv: [...process.execArgv, `--max-old-space-size=${maxHeapMb}`],
    });
    const bytes = forked.stdio[BYTES_FD] as Writable;
    // A process that does not read any more has ended, and its exit event says so.
    bytes.on('error', () => {});
    const child: Child<Remote, Options> = new Child({
      bytes,
      channel: new Channel({ port: toPort(forked), ...(local && { local }) }),
      pid: forked.pid ?? 0,
      kill: () => forked.kill('SIGKILL'),
      onEnd(end) {
        const stopWatching = watchMemory(forked.pid, maxMemoryBytes, (error) => void child.kill(error));
        // A process that cannot be started has no exit event.
        forked.on('error', (error) => forked.pid === undefined && end(error));
        forked.on('exit', (code, signal) => {
          stopWatching();
          end(
            signal === 'SIGKILL'
              ? new OperatorError(KILLED)
              : new Error(`the process ended with ${signal ?? code}`),
          );
        });
      },
    });
    return child;
  }

  private constructor({
    channel,
    pid = 0,
    bytes,
    kill,
    onEnd,
  }: {
    channel: Channel<Remote>;
    pid?: number;
    bytes?: Writable;
    kill: () => unknown;
    onEnd: (end: (cause: Error) => void) => void;
  }) {
    this.channel = channel;
    this.pid = pid;
    this.bytes = bytes;
    this.#kill = kill;
    this.ended = new Promise((resolve) => {
      onEnd((cause) => {
        this.#cause ??= cause;
        // The owner is notified first, so that it can replace the child before callers learn of the end.
        resolve(this.#cause);
        channel.close(this.#cause);
      });
    });
  }

  /** Whether `stop` was called: then the end is not a crash. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Resolves when it answers calls. Throws the reason for which it could not start or has ended; it is killed then. */
  async start(options: Options, { signal, ...how }: StartOptions = {}): Promise<void> {
    const giveUp = () => void this.kill(signal?.reason);
    if (signal?.aborted) giveUp();
    signal?.addEventListener('abort', giveUp);
    try {
      await this.#life.call('start', options, how);
      // It may have become ready while it was being killed.
      signal?.throwIfAborted();
    } catch (error) {
      await this.kill(error as Error);
      throw error;
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  /** Gives it time to finish its work, unlimited if none is given, and kills it afterwards. */
  async stop(timeoutMs?: number): Promise<void> {
    this.#isStopping = true;
    if (timeoutMs !== 0) {
      const within = timeoutMs === undefined ? {} : { timeoutMs: timeoutMs + STOP_GRACE_MS };
      // The child is killed after any failure: it may have crashed, or never have started.
      await this.#life.call('stop', timeoutMs, within).catch(() => {});
    }
    await this.kill(new Error('it was stopped'));
  }

  /** Ends it immediately, whatever it is doing. */
  async kill(cause: Error): Promise<void> {
    this.#cause ??= cause;
    this.#kill();
    await this.ended;
  }

  get #life(): Channel<LifeCalls> {
    return this.channel as unknown as Channel<LifeCalls>;
  }
}

function toPort(child: ChildProcess): ProcessPort {
  return {
    // A child that cannot receive messages has ended, and its exit event says so.
    postMessage: (message) => void child.send(message, () => {}),
    onMessage: (listener) => void child.on('message', listener),
  };
}
