import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import type { Logger } from 'pino';
import type { Log } from '../../base/log.ts';
import { pause } from '../../base/pause.ts';
import { RepeatedTask } from '../../base/repeated-task.ts';
import type { Config } from '../../config/config.ts';
import { DAMAGE_ADVICE, DamageFlag } from '../../db/damage-flag.ts';
import { LockedError, ProcessLock } from '../../files/process-lock.ts';
import type { ActiveCatalogue } from '../../foods/published/active-catalogue.ts';
import { assertPortFree } from '../../http/server/connection/listening.ts';
import type { LoadedCatalogue, ServiceStatus } from '../../http/service/health.ts';
import { ServiceMetrics } from '../../http/service/process-metrics.ts';
import { refusalsByCode } from '../../http/service/refusal-metrics.ts';
import { collectOldGarbageEarly, IdleMemory } from '../../threads/idle-memory.ts';
import { inProcess } from '../../threads/in-process.ts';
import type { ProcessWork } from '../backend.ts';
import { ScheduledBackups } from '../backups/scheduled-backups.ts';
import { databaseFile, openDisk } from '../data-folder.ts';
import { readBuild } from '../installation/build.ts';
import { PAGE_BUILDER, PAGE_LOCK } from '../installation/page-folder.ts';
import { findScanPackages } from '../installation/scan-packages.ts';
import { certificateEndsAtMs } from '../installation/tls-files.ts';
import { startSharedWork } from '../open-backend.ts';
import { mergeWarnings } from '../operator/last-warnings.ts';
import type { ServiceFacts } from '../operator/status.ts';
import { createSharedMemory } from '../shared-memory.ts';
import { ApiThreads } from './api-threads.ts';
import type { DatabaseCheckCalls } from './database-check-process.ts';
import { type LogFormat, lastWarnings } from './logger.ts';
import { type QueuedWork, startQueuedWork } from './scan-work.ts';
import { ServedCatalogue } from './served-catalogue.ts';

const TIMEOUT_MS = 120_000;
const WAIT_STEP_MS = 50;

/**
 * Builds the page if it is missing or its sources have changed: that takes a second, and downloads nothing.
 * If several services start at the same time, one of them builds. A service runs without a page if that
 * fails.
 */
export async function buildPage({ page }: Config, log: Logger): Promise<void> {
  if (page === 'off' || !existsSync(PAGE_BUILDER)) return;
  try {
    const { isBuilt }: { isBuilt(): boolean } = await import(pathToFileURL(PAGE_BUILDER).href);
    if (isBuilt()) return;
    const lock = await takeLock();
    try {
      if (!isBuilt()) await build(log);
    } finally {
      lock.release();
    }
  } catch (error) {
    log.warn(
      { reason: reasonOf(error) },
      `the page could not be built, and the API is served without it: run \`npm ci --omit=dev && npm run build-page\` in ${dirname(dirname(PAGE_BUILDER))} as the owner of that folder, or set LARDER_PAGE=off`,
    );
  }
}

async function build(log: Logger): Promise<void> {
  const startMs = performance.now();
  await promisify(execFile)(process.execPath, [PAGE_BUILDER], { timeout: TIMEOUT_MS });
  log.info({ ms: Math.round(performance.now() - startMs) }, 'the page is built');
}

/** Waits for another process that builds, without blocking this one. */
async function takeLock(): Promise<ProcessLock> {
  for (const deadlineMs = performance.now() + TIMEOUT_MS; ; ) {
    try {
      return ProcessLock.acquire({ file: PAGE_LOCK, refusal: () => 'Another process has not built it.' });
    } catch (error) {
      if (!(error instanceof LockedError) || performance.now() > deadlineMs) throw error;
      await pause(WAIT_STEP_MS);
    }
  }
}

/** The error in the builder's output, without its stack. */
function reasonOf(error: unknown): string {
  const { stderr = '', message } = error as { stderr?: string; message: string };
  const text = stripVTControlCharacters(stderr);
  return /^Build failed with .*\s+([\s\S]*?)\n {4}at /m.exec(text)?.[1]?.trim() ?? message;
}

const ENTRY = new URL('./database-check-process.ts', import.meta.url);
const START_TIMEOUT_MS = 60_000;
const MAX_HEAP_MB = 256;
const MAX_MEMORY_BYTES = 2e9;
const DAY_MS = 24 * 60 * 60_000;
/** Hour of the day, in the time zone of the service, at which few people are there. */
const NIGHT_HOUR = 4;

export interface DatabaseCheckOptions {
  readonly file: string;
  readonly flag: DamageFlag;
  readonly log: Log;
}

/** Checks the database of a data folder at the start and each night, in a process of low priority. */
export class DatabaseCheck {
  readonly #options: DatabaseCheckOptions;
  readonly #task: RepeatedTask;
  readonly #abort = new AbortController();

  constructor(options: DatabaseCheckOptions) {
    this.#options = options;
    this.#task = new RepeatedTask(() => this.#run(), {
      everyMs: () => untilNightMs(new Date()),
      onError: (err) => {
        if (!this.#abort.signal.aborted)
          options.log.warn({ err }, 'the database could not be checked for damage');
      },
    });
  }

  start(): void {
    this.#task.start();
    void this.runNow();
  }

  /** Resolves when the check has ended. */
  runNow(): Promise<void> {
    return this.#task.runNow();
  }

  async close(): Promise<void> {
    this.#abort.abort(new Error('the service stops'));
    await this.#task.stop();
  }

  async #run(): Promise<void> {
    const { file, flag, log } = this.#options;
    const damage = await inProcess<DatabaseCheckCalls, undefined, string | undefined>(
      {
        entry: ENTRY,
        maxHeapMb: MAX_HEAP_MB,
        maxMemoryBytes: MAX_MEMORY_BYTES,
        options: undefined,
        timeoutMs: START_TIMEOUT_MS,
        signal: this.#abort.signal,
      },
      (channel) => channel.call('find', file),
    );
    if (damage !== undefined && flag.set())
      log.error({ damage }, `the database is damaged. ${DAMAGE_ADVICE}`);
  }
}

/** Time until the next night. */
export function untilNightMs(now: Date): number {
  const night = new Date(now).setHours(NIGHT_HOUR, 0, 0, 0);
  return night > now.getTime() ? night - now.getTime() : night + DAY_MS - now.getTime();
}

const API_THREAD = new URL('./api-thread.ts', import.meta.url);

export interface ServiceOptions {
  readonly config: Config;
  /** Not closed by the service: close it afterwards. */
  readonly active: ActiveCatalogue;
  readonly logFormat: LogFormat;
  readonly log: Logger;
  /** Called once, if the service cannot continue. */
  readonly onFatal: (cause: Error) => void;
  /** Aborts the start; `start` then fails instead of waiting for another process. */
  readonly signal?: AbortSignal;
}

export interface ServiceAddress {
  readonly url: string;
  /** Undefined while one has to be mended. */
  readonly catalogue: LoadedCatalogue | undefined;
}

/**
 * The running service, seen from the main thread: API threads answer requests, this thread does the work that
 * is done once for all of them.
 *
 *     starting ──all threads listen, catalogue loaded──▶ ready ──stop──▶ stopping
 */
export class Service {
  readonly #options: ServiceOptions;
  readonly #memory = createSharedMemory();
  readonly #idleMemory = new IdleMemory();
  readonly #threads: ApiThreads;
  readonly #metrics: ServiceMetrics;
  readonly #catalogue: ServedCatalogue;
  #phase: ServiceStatus['phase'] = 'starting';
  #work: ProcessWork | undefined;
  #queued: QueuedWork | undefined;
  readonly #backups: ScheduledBackups | undefined;
  readonly #damage: DamageFlag;
  readonly #check: DatabaseCheck | undefined;

  constructor(options: ServiceOptions) {
    this.#options = options;
    const { config, active, logFormat, log, onFatal } = options;
    this.#threads = new ApiThreads({
      entry: API_THREAD,
      config,
      logFormat,
      memory: this.#memory,
      // Threads are started after the work only.
      connectWork: () => this.#work!.connect(),
      log,
      nowMs: Date.now,
      calls: {
        collectMetrics: async () => this.#metrics.toText(await this.#threads.metrics()),
        serviceFacts: () => this.#facts(),
      },
      onGivenUp: onFatal,
    });
    this.#damage = new DamageFlag({ memory: this.#memory.damage });
    if (config.mode === 'embedded')
      this.#check = new DatabaseCheck({ file: databaseFile(config), flag: this.#damage, log });
    this.#backups = ScheduledBackups.open({ config, nowMs: Date.now, log });
    this.#metrics = new ServiceMetrics({
      threadRestarts: () => this.#threads.restarts,
      scanDepth: () => this.#queued?.scanDepth(),
      deliveryDepth: () => this.#queued?.deliveryDepth(),
      disk: openDisk(config),
      backups: this.#backups,
      isDamaged: () => this.#damage.isSet,
      build: readBuild(),
      certificateEndsAtMs: () => certificateEndsAtMs(config),
    });
    this.#catalogue = new ServedCatalogue({
      active,
      share: (image) => this.#threads.useCatalogue(image),
      metrics: this.#metrics.ofProcess,
      log,
      onChange: () =>
        void this.#tellStatus().catch((err) => log.error({ err }, 'API threads could not be notified')),
    });
  }

  /**
   * Resolves when requests are answered. Throws an `OperatorError` and releases everything if the service
   * cannot start.
   */
  async start(): Promise<ServiceAddress> {
    const { config, active, log, onFatal, signal } = this.#options;
    collectOldGarbageEarly();
    await assertPortFree(config.host, config.port);
    await buildPage(config, log);
    this.#work = await startSharedWork(config, {
      memory: this.#memory,
      log,
      onFailure: onFatal,
      onActivation: () => active.node?.wake(),
      ...(signal && { signal }),
    });
    try {
      const [port, catalogue] = await Promise.all([this.#threads.start(), this.#catalogue.begin()]);
      this.#queued = await startQueuedWork({
        config,
        memory: this.#memory,
        log,
        // Without packages to open photos it only sweeps: another program may work on scans instead.
        threads: findScanPackages(config).canOpenPhotos ? config.scanWorkers : 0,
        catalogue: this.#catalogue,
        metrics: this.#metrics.ofProcess,
        idleMemory: this.#idleMemory,
        port: this.#work.connect(),
      });
      this.#phase = 'ready';
      await this.#tellStatus();
      this.#catalogue.follow();
      this.#backups?.start();
      this.#check?.start();
      const url = `${config.tls === undefined ? 'http' : 'https'}://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
      log.info({ url, threads: config.apiThreads, catalogue, ...readBuild() }, 'listening');
      return { url, catalogue };
    } catch (error) {
      await this.#queued?.close();
      await this.#threads.stop(0);
      await this.#work.close();
      throw error;
    }
  }

  /** Finishes running requests within `shutdownTimeoutMs`. */
  async stop(): Promise<void> {
    const { config, log } = this.#options;
    this.#phase = 'stopping';
    log.info('stopping');
    const catalogue = this.#catalogue.close();
    // Other workers can continue with scans and deliveries while requests are finished here.
    await Promise.all([
      this.#backups?.close(),
      this.#check?.close(),
      this.#queued?.close(),
      this.#threads.stop(config.shutdownTimeoutMs),
    ]);
    await this.#work?.close();
    await catalogue;
    log.info('stopped');
  }

  async #facts(): Promise<ServiceFacts> {
    const [metrics, warnings] = await Promise.all([this.#threads.metrics(), this.#threads.warnings()]);
    return {
      refused: refusalsByCode(metrics),
      warnings: mergeWarnings([lastWarnings.all(), ...warnings]),
      ...(this.#backups && { backups: this.#backups.state }),
    };
  }

  /** Stopping threads already have the status. */
  async #tellStatus(): Promise<void> {
    // Runs after the start, and after another catalogue has replaced one.
    this.#idleMemory.worked();
    if (this.#phase !== 'stopping')
      await this.#threads.setStatus({ phase: this.#phase, ...this.#catalogue.status });
  }
}
