import type { MessagePort } from 'node:worker_threads';
import type { ProcessMetrics } from '../../http/service/process-metrics.ts';
import type { ScanQueueDepth } from '../../scan/jobs/scan-queue.ts';
import { openScanEngine } from '../open-backend.ts';
import { startDeliveryWork } from '../webhooks.ts';
import { type ScanWorkOptions, startScanWork } from './scan-work.ts';

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
