import { setTimeout as sleep } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { ActiveCatalogueWatch } from '../catalogue/compile/catalogue-store-types.ts';
import { Catalogue } from '../catalogue/file/catalogue.ts';
import type { CatalogueFollower } from '../catalogue/published/catalogue-follower.ts';
import type { CatalogueSource } from '../catalogue/published/catalogue-source.ts';
import type { SharedMemory } from '../compose/shared-memory.ts';
import type { Config } from '../config/config.ts';
import { OperatorError } from '../errors.ts';
import type { DiskReserve } from '../files/disk-reserve.ts';
import { type LoadedCatalogue, REFUSED, type ServiceStatus } from '../http/operations/health.ts';
import { ServiceMetrics } from '../http/operations/process-metrics.ts';
import type { ScanMetrics } from '../http/operations/scan-metrics.ts';
import { assertPortFree } from '../http/server/listening.ts';
import type { ScanQueueDepth } from '../scan/jobs/scan-store.ts';
import { ApiThreads } from './api-threads.ts';
import type { LogFormat } from './logger.ts';
import { CatalogueHolder } from './served-catalogue.ts';

const API_THREAD = new URL('./api-thread.ts', import.meta.url);

export interface ServicePorts {
  readonly config: Config;
  readonly catalogues: CatalogueSource;
  /** In a cluster: how the active catalogue is followed. */
  readonly following?: Following | undefined;
  /** Reads and checks a catalogue file; throws an `OperatorError` for one that cannot be used. */
  readonly loadImage: (file: string) => Promise<SharedArrayBuffer>;
  /** Starts the work that is done once for all API threads. */
  readonly startSharedWork: () => Promise<SharedWork>;
  /** Starts what works on scans. */
  readonly startScanWork: (parts: ScanWorkParts) => Promise<ScanWork>;
  /** Of the data folder. */
  readonly disk: DiskReserve;
  readonly logFormat: LogFormat;
  readonly memory: SharedMemory;
  readonly log: Logger;
  readonly nowMs: () => number;
  /** Called once, when the service cannot go on. */
  readonly onFatal: (cause: Error) => void;
}

type Following = Pick<CatalogueFollower, 'active' | 'problem' | 'isBehind' | 'fetches' | 'onChange'>;

/** What one process does for all its API threads, such as writing to its database. */
interface SharedWork {
  /** A port for one thread, where threads need one. */
  connect(): MessagePort | undefined;
  /** Finishes what is waiting and ends. */
  close(): Promise<void>;
}

interface ScanWorkParts {
  readonly catalogue: () => Catalogue;
  readonly metrics: ScanMetrics;
  /** See `SharedWork.connect`. */
  readonly port: MessagePort | undefined;
}

interface ScanWork {
  depth(): Promise<ScanQueueDepth>;
  /** Gives back what is not finished. */
  close(): Promise<void>;
}

export interface ServiceAddress {
  readonly url: string;
  readonly catalogue: LoadedCatalogue;
}

/**
 * The running service, seen from the main thread: API threads answer, this one loads catalogues for them.
 *
 *     starting ──all threads listen, catalogue loaded──▶ ready ──stop──▶ stopping
 *                                                        │   ▲
 *                                         another catalogue came into use:
 *                                   loaded and checked here, then handed to every thread;
 *                                     refused where it is damaged, and the old one stays
 */
export class Service {
  readonly #ports: ServicePorts;
  readonly #threads: ApiThreads;
  readonly #metrics: ServiceMetrics;
  readonly #catalogue = new CatalogueHolder();
  #status: ServiceStatus = { phase: 'starting' };
  #watch: ActiveCatalogueWatch | undefined;
  #work: SharedWork | undefined;
  #scans: ScanWork | undefined;
  /** Name of the catalogue to load next; only the newest matters. */
  #wanted: string | undefined;
  #loading: Promise<void> = Promise.resolve();
  /** Why the newest catalogue was refused. It names files, so only the log has it. */
  #refusal: string | undefined;

  constructor(ports: ServicePorts) {
    const { config, disk, logFormat, memory, log, nowMs, onFatal, following } = ports;
    this.#ports = ports;
    this.#threads = new ApiThreads({
      entry: API_THREAD,
      config,
      logFormat,
      memory,
      // Threads are only started after the work.
      connectWork: () => this.#work!.connect(),
      log,
      nowMs,
      pause: (ms) => sleep(ms, undefined, { ref: false }),
      calls: { collectMetrics: async () => this.#metrics.toText(await this.#threads.metrics()) },
      onGivenUp: onFatal,
    });
    this.#metrics = new ServiceMetrics({
      threadRestarts: () => this.#threads.restarts,
      scanDepth: () => this.#scans?.depth(),
      disk,
      following,
    });
  }

  /** Resolves when requests are answered. Throws an `OperatorError` where that cannot be; nothing is left open. */
  async start(): Promise<ServiceAddress> {
    const { config, catalogues, following, log } = this.#ports;
    await assertPortFree(config.host, config.port);
    this.#work = await this.#ports.startSharedWork();
    try {
      const [port, catalogue] = await Promise.all([this.#threads.start(), this.#loadFirst()]);
      this.#scans = await this.#startScans();
      await this.#setStatus({ phase: 'ready', catalogue });
      following?.onChange(() => this.#tellFollowing());
      this.#watch = catalogues.watch(catalogue.name, (name) => this.#take(name));
      this.#tellFollowing();
      const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
      log.info({ url, threads: config.apiThreads, catalogue }, 'listening');
      return { url, catalogue };
    } catch (error) {
      await this.#scans?.close();
      await this.#threads.stop(0);
      await this.#work.close();
      throw error;
    }
  }

  /** Finishes the requests under way within `shutdownTimeoutMs`. */
  async stop(): Promise<void> {
    this.#watch?.close();
    this.#status = { ...this.#status, phase: 'stopping' };
    this.#ports.log.info('stopping');
    // Other workers can go on with the scans while requests are finished here.
    await Promise.all([this.#scans?.close(), this.#threads.stop(this.#ports.config.shutdownTimeoutMs)]);
    await this.#work?.close();
    await this.#loading;
    this.#ports.log.info('stopped');
  }

  #startScans(): Promise<ScanWork> {
    return this.#ports.startScanWork({
      catalogue: () => this.#catalogue.get(),
      metrics: this.#metrics.ofProcess.scans,
      port: this.#work!.connect(),
    });
  }

  async #loadFirst(): Promise<LoadedCatalogue> {
    const name = await this.#ports.catalogues.current();
    if (name === undefined) {
      throw new OperatorError(`There is no catalogue in ${this.#ports.config.dataDir}; import one first.`);
    }
    return this.#swapTo(name);
  }

  /** Loads one catalogue at a time; of those that came into use meanwhile, only the newest. */
  #take(name: string): Promise<string | undefined> {
    this.#wanted = name;
    const taken = this.#loading.then(() => {
      if (this.#wanted !== name || this.#status.phase === 'stopping') return 'it is not wanted any more';
      this.#wanted = undefined;
      return this.#tryToSwap(name);
    });
    this.#loading = taken.then(() => {});
    return taken;
  }

  async #tryToSwap(name: string): Promise<string | undefined> {
    const { log } = this.#ports;
    try {
      const catalogue = await this.#swapTo(name);
      this.#refusal = undefined;
      await this.#setStatus({ ...this.#status, catalogue, catalogueProblem: undefined });
      log.info({ catalogue }, 'answering from another catalogue');
      return undefined;
    } catch (error) {
      const reason = error instanceof OperatorError ? error.message : 'it could not be loaded';
      const isNews = reason !== this.#refusal;
      this.#refusal = reason;
      await this.#setStatus({ ...this.#status, catalogueProblem: REFUSED }).catch((err) =>
        log.error({ err }, 'API threads could not be told'),
      );
      if (isNews) {
        this.#metrics.ofProcess.catalogueRefused();
        log.error({ err: error, catalogue: name }, 'a catalogue was refused, the one before keeps serving');
      }
      return reason;
    }
  }

  async #swapTo(name: string): Promise<LoadedCatalogue> {
    const { catalogues, loadImage } = this.#ports;
    const image = await loadImage(catalogues.pathOf(name));
    const opened = Catalogue.open(image);
    const { info } = opened;
    await this.#threads.useCatalogue(image);
    this.#catalogue.use(opened);
    this.#metrics.ofProcess.catalogueLoaded(info);
    return { name, foods: info.foods, checksum: info.checksum };
  }

  #tellFollowing(): void {
    const { following, log } = this.#ports;
    if (following === undefined) return;
    const { active, problem } = following;
    const told = active === undefined ? undefined : { active, problem: problem?.message };
    this.#setStatus({ ...this.#status, following: told }).catch((err) =>
      log.error({ err }, 'API threads could not be told'),
    );
  }

  async #setStatus(status: ServiceStatus): Promise<void> {
    if (this.#status.phase === 'stopping') return;
    this.#status = status;
    await this.#threads.setStatus(status);
  }
}
