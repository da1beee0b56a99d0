import type { MessagePort } from 'node:worker_threads';
import { OperatorError, OutageError } from '@larder/core/errors.ts';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { ProcessMetrics } from '../../http/service/process-metrics.ts';
import type { ScanMetrics } from '../../http/service/scan-metrics.ts';
import type { ScanObserver } from '../../scan/jobs/scan-observer.ts';
import type { ScanQueueDepth } from '../../scan/jobs/scan-queue.ts';
import { ScanSweeper } from '../../scan/jobs/scan-sweeper.ts';
import { ScanWorker } from '../../scan/jobs/scan-worker.ts';
import type { IdleMemory } from '../../threads/idle-memory.ts';
import type { ScanEngine } from '../backend.ts';
import { watchInstallation } from '../installation/installation.ts';
import { openScanEngine } from '../open-backend.ts';
import { checkRecognizers } from '../recognizers.ts';
import type { SharedMemory } from '../shared-memory.ts';
import { startDeliveryWork } from '../webhooks.ts';
import type { openScanAnalysis } from './scan-analysis.ts';
import type { ServedCatalogue } from './served-catalogue.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const REST_POLL_MS = 5_000;
/** Claimed jobs beyond the number of processes, which are fetched or settled while the processes are busy. */
const JOBS_BESIDE_PROCESSES = 1;

export interface ScanWorkOptions {
  readonly config: Config;
  readonly engine: ScanEngine;
  readonly memory: SharedMemory;
  /** Whether the process is notified of all writes. */
  readonly isTold: boolean;
  readonly catalogue: Pick<ServedCatalogue, 'image'>;
  /** Number of images that are analysed in parallel; with 0 it only sweeps. */
  readonly threads: number;
  readonly metrics?: ScanMetrics;
  /** Owned by the thread that works. */
  readonly idleMemory?: IdleMemory;
  readonly log: Logger;
}

export interface ScanWork {
  depth(): Promise<ScanQueueDepth>;
  /** Returns unfinished jobs to the queue. */
  close(): Promise<void>;
}

/** Works on scans until it is closed. Throws an `OperatorError` if the recognizers cannot be used. */
async function startScanWork({
  config,
  engine,
  memory,
  isTold,
  catalogue,
  threads,
  metrics,
  idleMemory,
  log,
}: ScanWorkOptions): Promise<ScanWork> {
  await using opened = new AsyncDisposableStack();
  const { sql, scans: store, scanSignals: signals, objects, uploadEvents, customFoods, nowMs } = engine;
  /**
   * Loaded for the first scan: the main thread of a service needs foods, and code that reads texts, for
   * nothing else.
   */
  let analysis: ReturnType<typeof openScanAnalysis> | undefined;
  const whyNotNow = watchInstallation(config);
  const openAnalysis = () => {
    const reason = analysis === undefined ? whyNotNow() : undefined;
    if (reason !== undefined) throw new OutageError(reason);
    analysis ??= import('./scan-analysis.ts').then((loaded) =>
      loaded.openScanAnalysis({
        config,
        store: customFoods,
        sql,
        memory: memory.changeHints,
        isTold,
        catalogue,
        processes: threads,
        whyNotNow,
        nowMs,
        log,
      }),
    );
    return analysis;
  };
  opened.defer(async () => (await analysis)?.close());
  if (threads > 0) await checkRecognizers(config);
  const observer = observe(log, metrics, idleMemory);
  const worker = new ScanWorker({
    store,
    objects,
    signals,
    analyser: { analyse: async (image) => (await openAnalysis()).pool.analyse(image) },
    async foodsOf(owner) {
      if (catalogue.image === undefined) throw new OutageError('the catalogue is being mended');
      return (await openAnalysis()).foodsOf(owner);
    },
    timeoutMs: config.scanTimeoutMs,
    concurrency: threads === 0 ? 0 : threads + JOBS_BESIDE_PROCESSES,
    observer,
    nowMs,
    // A service with its own writer is notified of all jobs except those that a worker beside it released.
    restPollMs: isTold ? REST_POLL_MS : undefined,
  });
  const sweeper = new ScanSweeper({
    store,
    objects,
    signals,
    look: (scan) => uploadEvents.look(scan),
    keepImagesMs: config.imageRetentionHours * HOUR_MS,
    keepScansMs: config.scanRetentionDays * DAY_MS,
    observer,
    nowMs,
  });
  worker.start();
  sweeper.start();
  const all = opened.move();
  return {
    depth: () => store.depth(),
    async close() {
      // Returns jobs before closing the resources they use.
      await Promise.all([worker.stop(), sweeper.stop()]);
      await all.disposeAsync();
    },
  };
}

function observe(log: Logger, metrics?: ScanMetrics, idleMemory?: IdleMemory): ScanObserver {
  return {
    looked: (analysis) => metrics?.looked(analysis),
    settled({ id, attempt, ms }, outcome) {
      idleMemory?.worked();
      metrics?.settled({ id, attempt, ms }, outcome);
      log.info({ scan: id, outcome, attempt, ms }, 'a scan is settled');
    },
    postponed({ id, attempt, ms }, reason) {
      metrics?.postponed();
      log.warn({ scan: id, reason, attempt, ms }, 'a scan will be tried again');
    },
    lost: ({ id, attempt, ms }) =>
      log.warn({ scan: id, attempt, ms }, 'a scan was removed, or taken over by another worker, meanwhile'),
    broken: (doing, err, id) =>
      log.error(
        { err, doing, scan: id },
        err instanceof OperatorError || err instanceof OutageError
          ? `scans: ${err.message}`
          : 'scans: an error',
      ),
  };
}

export interface QueuedWorkOptions extends Omit<ScanWorkOptions, 'engine' | 'isTold' | 'metrics'> {
  /** From `SharedWork.connect`; absent in a process without API threads. */
  readonly port?: MessagePort;
  readonly metrics?: ProcessMetrics | undefined;
}

/** The work of a process on the queues that all processes share: scans and webhook deliveries. */
export interface QueuedWork {
  scanDepth(): Promise<ScanQueueDepth>;
  deliveryDepth(): Promise<number>;
  /** Returns unfinished jobs to the queue. */
  close(): Promise<void>;
}

/** Works until it is closed. Throws an `OperatorError` if the recognizers cannot be used. */
export async function startQueuedWork({ port, metrics, ...options }: QueuedWorkOptions): Promise<QueuedWork> {
  const { config, memory, log } = options;
  const isTold = port !== undefined;
  await using opened = new AsyncDisposableStack();
  const engine = await openScanEngine(config, { memory, port, log });
  opened.defer(() => engine.close());
  const scans = await startScanWork({
    ...options,
    engine,
    isTold,
    ...(metrics && { metrics: metrics.scans }),
  });
  opened.defer(() => scans.close());
  const deliveries = startDeliveryWork({
    engine,
    config,
    memory: memory.changeHints,
    isTold,
    metrics: metrics?.deliveries,
    log,
  });
  opened.defer(() => deliveries.close());
  const all = opened.move();
  return {
    scanDepth: () => scans.depth(),
    deliveryDepth: () => deliveries.depth(),
    close: () => all.disposeAsync(),
  };
}
