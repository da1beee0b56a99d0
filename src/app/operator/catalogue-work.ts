import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError, OperatorError } from '@larder/core/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Config } from '../../config/config.ts';
import { withoutFolders } from '../../files/without-folders.ts';
import { HEARTBEAT_TIMEOUT_MS, type ImportRunner } from '../../foods/import/catalogue-imports.ts';
import { type ImportJob, type ImportPosition, NO_PROGRESS } from '../../foods/import/import-job.ts';
import type { ImportJobStore } from '../../foods/import/import-job-store.ts';
import { Child } from '../../threads/child.ts';
import type { CatalogueProcessCalls, CatalogueProcessParent, ReportedProgress } from './catalogue-process.ts';

const ENTRY = new URL('./catalogue-process.ts', import.meta.url);
/**
 * Memory limit of an import: a complete one takes 1 GB, and more indicates a defect that must not exhaust the
 * machine.
 */
const MAX_HEAP_MB = 3_072;
const MAX_MEMORY_BYTES = 6e9;
const START = { timeoutMs: 60_000 };
const USE_TIMEOUT_MS = 110_000;
const BEAT_MS = 1_000;

type CatalogueProcess = Child<CatalogueProcessCalls, Config>;

export interface CatalogueWorkOptions {
  readonly config: Config;
  readonly store: ImportJobStore;
  readonly nowMs: () => number;
  readonly log: Log;
}

/** Starts processes that import and verify catalogues: one for each task, and one task of each kind at a time. */
export class CatalogueWork implements ImportRunner {
  readonly #options: CatalogueWorkOptions;
  readonly #imports = new Map<string, CatalogueProcess>();
  readonly #running = new Set<Promise<void>>();
  #using: CatalogueProcess | undefined;

  constructor(options: CatalogueWorkOptions) {
    this.#options = options;
  }

  /** Activates a stored catalogue, and returns the name of the one in use afterwards. */
  use(name: string): Promise<string> {
    return this.#once(({ channel }) => channel.call('use', name, { timeoutMs: USE_TIMEOUT_MS }));
  }

  /** Copies the database into a new file in one step, which would block a thread; returns its SHA-256. */
  backUp(file: string): Promise<string> {
    return this.#once(({ channel }) => channel.call('backUp', file, { timeoutMs: USE_TIMEOUT_MS }));
  }

  async #once<T>(work: (child: CatalogueProcess) => Promise<T>): Promise<T> {
    if (this.#using !== undefined)
      throw new AppError({
        code: 'conflict',
        message: 'A catalogue is being verified, or a backup made; try again in a moment.',
      });
    const child = this.#open(() => {});
    this.#using = child;
    try {
      await child.start(this.#options.config, START);
      return await work(child);
    } finally {
      this.#using = undefined;
      await child.kill(new Error('it is done'));
    }
  }

  run(job: ImportJob, file: string | undefined): void {
    const work = this.#run(job, file).catch((err) =>
      this.#options.log.error({ err, import: job.id }, 'the state of an import could not be stored'),
    );
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  cancel(id: string): void {
    void this.#imports.get(id)?.kill(new Error('it was cancelled'));
  }

  /** Cancels running tasks; imports then count as failed. */
  async close(): Promise<void> {
    const children = [...this.#imports.values(), ...(this.#using === undefined ? [] : [this.#using])];
    await Promise.all(
      children.map((child) => child.kill(new OperatorError('interrupted: the service was stopped'))),
    );
    await Promise.all(this.#running);
  }

  async #run({ id, source, slice, choices, update }: ImportJob, file: string | undefined): Promise<void> {
    const { config, store, nowMs, log } = this.#options;
    const position = new Position(nowMs);
    const child = this.#open((told) => position.take(told));
    this.#imports.set(id, child);
    const beat = setInterval(() => {
      store.move(id, position.now, nowMs() + HEARTBEAT_TIMEOUT_MS).then(
        (isRunning) => (isRunning ? undefined : child.kill(new Error('it was cancelled'))),
        // The next heartbeat stores it; without any the import counts as interrupted.
        () => undefined,
      );
    }, BEAT_MS);
    beat.unref();
    try {
      await child.start(config, START);
      const done = await child.channel.call('import', { source, file, slice, choices, update });
      clearInterval(beat);
      await store.move(id, position.now, nowMs() + HEARTBEAT_TIMEOUT_MS);
      await store.finish(id, { state: 'completed', ...done }, nowMs());
      log.info({ import: id, source }, 'an import is done');
    } catch (err) {
      clearInterval(beat);
      const message =
        err instanceof OperatorError ? err.message : `The import broke: ${(err as Error).message}.`;
      const error = withoutFolders(message, config.dataDir);
      if (await store.finish(id, { state: 'failed', error }, nowMs()))
        log.warn({ err, import: id, source }, 'an import failed');
    } finally {
      clearInterval(beat);
      this.#imports.delete(id);
      await child.kill(new Error('it is done'));
      if (file !== undefined) await rm(dirname(file), { recursive: true, force: true });
    }
  }

  #open(onProgress: (told: ReportedProgress) => void): CatalogueProcess {
    return Child.process<CatalogueProcessCalls, Config>({
      entry: ENTRY,
      local: { progress: onProgress } satisfies CatalogueProcessParent,
      maxHeapMb: MAX_HEAP_MB,
      maxMemoryBytes: MAX_MEMORY_BYTES,
    });
  }
}

/** Progress of an import, with its speed in the current phase. */
class Position {
  readonly #nowMs: () => number;
  #beganAtMs = 0;
  #beganAtRows = 0;
  now: ImportPosition = NO_PROGRESS;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  take({ phase, done, total, rows }: ReportedProgress): void {
    if (phase !== this.now.phase) {
      this.#beganAtMs = this.#nowMs();
      this.#beganAtRows = rows;
    }
    const seconds = Math.max(1, (this.#nowMs() - this.#beganAtMs) / 1_000);
    const rowsPerSecond = Math.max(0, Math.round((rows - this.#beganAtRows) / seconds));
    this.now = { phase, bytes: done, rows, rowsPerSecond, ...(total > 0 && { totalBytes: total }) };
  }
}
