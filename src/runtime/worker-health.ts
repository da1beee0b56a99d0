import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { CatalogueInfo } from '../catalogue/file/catalogue-info.ts';
import type { CatalogueFollower } from '../catalogue/published/catalogue-follower.ts';
import type { DiskReserve } from '../files/disk-reserve.ts';
import { REFUSED, type ServiceStatus } from '../http/operations/health.ts';
import { operationsRoutes } from '../http/operations/operations-routes.ts';
import { ProcessMetrics } from '../http/operations/process-metrics.ts';
import type { GuardPorts } from '../http/server/guard.ts';
import { assertPortFree, closeGracefully } from '../http/server/listening.ts';
import { createServer } from '../http/server/server.ts';
import type { IdempotentRequests } from '../idempotency/idempotent-requests.ts';
import type { ScanQueueDepth } from '../scan/jobs/scan-store.ts';

/** Short, since only health and metrics requests can be under way at the end. */
const CLOSE_TIMEOUT_MS = 1_000;

type Following = Pick<CatalogueFollower, 'active' | 'problem' | 'isBehind' | 'fetches'>;

export interface WorkerHealthPorts extends Pick<GuardPorts, 'authenticate' | 'limiter'> {
  readonly idempotentRequests: IdempotentRequests;
  readonly isDatabaseReachable: () => Promise<boolean>;
  /** Of the data folder. */
  readonly disk: DiskReserve;
  readonly trustedProxies: readonly string[];
  readonly log: Logger;
}

/**
 * Health and metrics of a worker process, at a port of its own: `/healthz`, `/readyz` and `/metrics`, under the same
 * rules as in a service.
 */
export class WorkerHealth {
  readonly metrics: ProcessMetrics;
  readonly #server: FastifyInstance;
  #status: ServiceStatus = { phase: 'starting' };
  #depth: (() => Promise<ScanQueueDepth>) | undefined;
  #following: Following | undefined;

  constructor({ isDatabaseReachable, disk, ...ports }: WorkerHealthPorts) {
    this.metrics = new ProcessMetrics({ scanDepth: () => this.#depth?.(), disk });
    this.metrics.watchDatabase(isDatabaseReachable);
    this.#server = createServer({
      ...ports,
      routes: operationsRoutes({
        status: () => ({ ...this.#status, following: this.#followed() }),
        isDatabaseReachable,
        sharedLimits: undefined,
        disk,
        collectMetrics: () => this.metrics.toText(),
      }),
      corsOrigins: [],
      nowMs: Date.now,
      observer: { started: () => {}, finished: () => {} },
      isStopping: () => false,
    });
  }

  /** Answers the port that it listens on. Throws an `OperatorError` where the address cannot be listened at. */
  async listen(host: string, port: number): Promise<number> {
    await assertPortFree(host, port, 'LARDER_WORKER_PORT');
    await this.#server.listen({ host, port });
    return (this.#server.server.address() as AddressInfo).port;
  }

  /** In a cluster: to be called once. */
  watchFollowing(following: Following): void {
    this.#following = following;
    this.metrics.watchFollowing(following);
  }

  catalogueLoaded(name: string, info: CatalogueInfo): void {
    const { foods, checksum } = info;
    this.metrics.catalogueLoaded(info);
    this.#status = { ...this.#status, catalogue: { name, foods, checksum }, catalogueProblem: undefined };
  }

  catalogueRefused(): void {
    this.metrics.catalogueRefused();
    this.#status = { ...this.#status, catalogueProblem: REFUSED };
  }

  /** Reports ready: scans are worked on from here on, and `depth` tells how many are waiting. */
  ready(depth: () => Promise<ScanQueueDepth>): void {
    this.#depth = depth;
    this.#status = { ...this.#status, phase: 'ready' };
  }

  stopping(): void {
    this.#status = { ...this.#status, phase: 'stopping' };
  }

  close(): Promise<void> {
    return closeGracefully(this.#server, CLOSE_TIMEOUT_MS);
  }

  #followed(): ServiceStatus['following'] {
    const { active, problem } = this.#following ?? {};
    return active === undefined ? undefined : { active, problem: problem?.message };
  }
}
