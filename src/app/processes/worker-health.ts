import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { assertPortFree, closeGracefully, listen } from '../../http/server/connection/listening.ts';
import { toEndpoints } from '../../http/server/endpoint.ts';
import { createServer } from '../../http/server/server.ts';
import { DatabaseProbe } from '../../http/service/database-probe.ts';
import { getHealth, getReadiness, type ServiceStatus } from '../../http/service/health.ts';
import { getMetrics } from '../../http/service/metrics.ts';
import { ProcessMetrics } from '../../http/service/process-metrics.ts';
import { openOwnAccess } from '../access.ts';
import { openDisk } from '../data-folder.ts';
import { findScanPackages } from '../installation/scan-packages.ts';
import { openDatabase } from '../open-backend.ts';
import type { QueuedWork } from './scan-work.ts';

/** One connection for the health query and one for authenticating a key. */
const CONNECTIONS = 2;
/** Short, because only health and metrics requests can be running at the end. */
const CLOSE_TIMEOUT_MS = 1_000;

interface RunningWorker {
  status(): ServiceStatus;
  readonly work: Pick<QueuedWork, 'scanDepth' | 'deliveryDepth'>;
}

export interface WorkerHealth extends AsyncDisposable {
  readonly metrics: ProcessMetrics;
  /** Reports the state of this worker from now on; until then it reports that it is starting. */
  follow(worker: RunningWorker): void;
}

/**
 * Health and metrics of a worker process at the port for workers: `/healthz`, `/readyz` and `/metrics`, with
 * the same rules as in a service. Undefined if no port is configured. Throws an `OperatorError` if it cannot
 * listen there.
 */
export async function openWorkerHealth(config: Config, log: Logger): Promise<WorkerHealth | undefined> {
  const { workerPort, host, trustedProxies } = config;
  if (workerPort === undefined) return undefined;
  await using opened = new AsyncDisposableStack();
  const database = opened.adopt(await openDatabase(config, { connections: CONNECTIONS }), (open) =>
    open.close(),
  );
  const { authentication, limiter, idempotentRequests, checkDatabase } = openOwnAccess(config, database);
  const probe = new DatabaseProbe({ check: checkDatabase, nowMs: Date.now });
  const isDatabaseReachable = () => probe.isReachable();
  const disk = openDisk(config);
  let worker: RunningWorker | undefined;
  const metrics = new ProcessMetrics({
    scanDepth: () => worker?.work.scanDepth(),
    deliveryDepth: () => worker?.work.deliveryDepth(),
    disk,
  });
  metrics.watchDatabase(isDatabaseReachable);
  const server = createServer({
    authentication,
    limiter,
    idempotentRequests,
    trustedProxies,
    log,
    endpoints: toEndpoints([getHealth, getReadiness, getMetrics], {
      status: () => worker?.status() ?? { phase: 'starting' },
      isDatabaseReachable,
      missingScanPackages: findScanPackages(config).missing,
      sharedLimits: undefined,
      disk,
      collectMetrics: () => metrics.toText(),
    }),
    publicUrl: undefined,
    corsOrigins: [],
    nowMs: Date.now,
    observer: { started: () => {}, originRefused: () => {}, finished: () => {} },
    service: { isStopping: false },
  });
  opened.defer(() => closeGracefully(server, CLOSE_TIMEOUT_MS));
  await assertPortFree(host, workerPort, 'LARDER_WORKER_PORT');
  const port = await listen(server, { host, port: workerPort });
  log.info({ host, port }, 'listening for health and metrics');
  const all = opened.move();
  return {
    metrics,
    follow(running) {
      worker = running;
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
