import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { DiskReserve } from '../../files/disk-reserve.ts';
import type { CatalogueInfo } from '../../foods/catalogue/catalogue-info.ts';
import type { NodeCatalogue } from '../../foods/published/active-catalogue.ts';
import type { ScanQueueDepth } from '../../scan/jobs/scan-queue.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';
import type { MetricValues } from './metric-values.ts';
import { ScanMetrics } from './scan-metrics.ts';

const HOUR_MS = 60 * 60_000;

interface ProcessMetricsOptions {
  /** Undefined while this process does not work on scans. */
  readonly scanDepth: () => Promise<ScanQueueDepth> | undefined;
  readonly deliveryDepth: () => Promise<number> | undefined;
  /** Disk reserve of the data folder. */
  readonly disk: DiskReserve;
  /** Undefined without backups on a schedule. */
  readonly backups?: BackupFigures | undefined;
  /** Whether the database was found damaged. */
  readonly isDamaged?: () => boolean;
  readonly build?: { readonly version: string; readonly commit?: string };
  /** When the certificate of the service ends; undefined if it has none. */
  readonly certificateEndsAtMs?: () => number | undefined;
}

/** Facts about backups on a schedule. */
interface BackupFigures {
  readonly state: { readonly kind: string };
  readonly newestAtMs: number | undefined;
  readonly everyMs: number;
  readonly failures: number;
}

/** Metrics of both services and workers: of the process, its catalogue, scans and webhooks. */
export class ProcessMetrics {
  readonly registry = new Registry();
  readonly scans: ScanMetrics;
  readonly deliveries: DeliveryMetrics;
  readonly #version: Gauge<'checksum'>;
  readonly #loads: Counter<'result'>;
  #catalogue: CatalogueInfo | undefined;

  constructor(options: ProcessMetricsOptions) {
    const { scanDepth, deliveryDepth, disk, backups } = options;
    const registers = [this.registry];
    this.scans = new ScanMetrics({ register: this.registry, depth: scanDepth });
    this.deliveries = new DeliveryMetrics({ register: this.registry, depth: deliveryDepth });
    this.#collectDefaults();
    this.gauge('larder_catalogue_foods', 'Foods that are served.', () => this.#catalogue?.foods ?? 0);
    this.gauge(
      'larder_catalogue_created_timestamp_seconds',
      'When the catalogue that is served was compiled.',
      () => (this.#catalogue?.createdAt ?? 0) / 1000,
    );
    this.#version = new Gauge({
      name: 'larder_catalogue_info',
      help: 'The catalogue that is served.',
      labelNames: ['checksum'],
      registers,
    });
    this.#loads = new Counter({
      name: 'larder_catalogue_loads_total',
      help: 'Catalogues that were loaded or refused.',
      labelNames: ['result'],
      registers,
    });
    for (const result of ['loaded', 'refused']) this.#loads.inc({ result }, 0);
    // An unreadable disk is reported as full.
    const freeBytes = () => disk.freeBytes().catch(() => 0);
    this.gauge('larder_disk_free_bytes', 'Free space on the disk of the data folder.', freeBytes);
    const reserve = 'Space there that uploads and imports leave free.';
    this.gauge('larder_disk_reserve_bytes', reserve, () => disk.reserveBytes);
    this.#watchBackups(backups);
    this.#watchService(options);
  }

  /** Excludes metrics that would check the event loop of the main thread a hundred times a second. */
  #collectDefaults(): void {
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: HOUR_MS });
    for (const figure of ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99']) {
      this.registry.removeSingleMetric(`nodejs_eventloop_lag_${figure}_seconds`);
    }
  }

  /** A metric without labels that is read when metrics are collected. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [this.registry],
      collect: async () => gauge.set(await read()),
    });
  }

  #watchService({ isDamaged = () => false, build, certificateEndsAtMs }: ProcessMetricsOptions): void {
    const registers = [this.registry];
    const damage = '1 after damage of the database was found, else 0.';
    this.gauge('larder_database_damaged', damage, () => (isDamaged() ? 1 : 0));
    const info = new Gauge({
      name: 'larder_build_info',
      help: 'The version that runs, and its commit if that is known.',
      labelNames: ['version', 'commit'],
      registers,
    });
    if (build !== undefined) info.set({ version: build.version, commit: build.commit ?? '' }, 1);
    const ends: Gauge<'file'> = new Gauge({
      name: 'larder_tls_certificate_expiry_timestamp_seconds',
      help: 'When the certificate of the service ends.',
      labelNames: ['file'],
      registers,
      collect() {
        const atMs = certificateEndsAtMs?.();
        if (atMs !== undefined) ends.set({ file: 'LARDER_TLS_CERT' }, atMs / 1000);
      },
    });
  }

  /** Without values where no backups are made on a schedule. */
  #watchBackups(backups: BackupFigures | undefined): void {
    const common = { labelNames: ['to' as const], registers: [this.registry] };
    const newest: Gauge<'to'> = new Gauge({
      name: 'larder_backup_timestamp_seconds',
      help: 'When the newest backup on schedule was made; 0 without any.',
      ...common,
      collect: () => backups && newest.set({ to: backups.state.kind }, (backups.newestAtMs ?? 0) / 1000),
    });
    const interval = new Gauge({
      name: 'larder_backup_interval_seconds',
      help: 'Time from one backup on schedule to the next.',
      ...common,
    });
    if (backups !== undefined) interval.set({ to: backups.state.kind }, backups.everyMs / 1000);
    const failures: Gauge<'to'> = new Gauge({
      name: 'larder_backup_failures',
      help: 'Backups on schedule that failed since the start.',
      ...common,
      collect: () => backups && failures.set({ to: backups.state.kind }, backups.failures),
    });
  }

  /** Called once in a node of a cluster. */
  watchActiveCatalogue(node: NodeCatalogue): void {
    this.gauge(
      'larder_catalogue_behind',
      '1 while another catalogue is active in the cluster than the one that is served, else 0.',
      () => (node.isBehind ? 1 : 0),
    );
    const fetches: Counter<'result'> = new Counter({
      name: 'larder_catalogue_fetches_total',
      help: 'Attempts to copy the active catalogue from the object store and to use it.',
      labelNames: ['result'],
      registers: [this.registry],
      collect: () => {
        fetches.reset();
        for (const [result, count] of node.fetches) fetches.inc({ result }, count);
      },
    });
  }

  /** Adds the state of the database, in a process with a single probe. */
  watchDatabase(isReachable: () => Promise<boolean>): void {
    this.gauge('larder_database_reachable', '1 while the database answers, else 0.', async () =>
      (await isReachable()) ? 1 : 0,
    );
  }

  catalogueLoaded(catalogue: CatalogueInfo): void {
    this.#catalogue = catalogue;
    this.#version.reset();
    this.#version.set({ checksum: catalogue.checksum }, 1);
    this.#loads.inc({ result: 'loaded' });
  }

  catalogueRefused(): void {
    this.#loads.inc({ result: 'refused' });
  }

  /** The metrics in Prometheus's text format. */
  toText(): Promise<string> {
    return this.registry.metrics();
  }
}

export interface ServiceMetricsOptions extends ProcessMetricsOptions {
  readonly threadRestarts: () => number;
}

/** Metrics of the process, and sums of those of all API threads. */
export class ServiceMetrics {
  readonly ofProcess: ProcessMetrics;

  constructor({ threadRestarts, ...options }: ServiceMetricsOptions) {
    this.ofProcess = new ProcessMetrics(options);
    const restarts = 'API threads that crashed and were replaced, since the start.';
    this.ofProcess.gauge('larder_api_thread_restarts', restarts, threadRestarts);
  }

  /** All metrics in Prometheus's text format. */
  async toText(threads: readonly MetricValues[]): Promise<string> {
    return `${await this.ofProcess.toText()}\n${await AggregatorRegistry.aggregate([...threads]).metrics()}`;
  }
}
