import { AggregatorRegistry, Gauge } from 'prom-client';
import type { CatalogueFollower } from '../../catalogue/published/catalogue-follower.ts';
import type { MetricValues } from '../../runtime/protocol.ts';
import { ProcessMetrics, type ProcessMetricsPorts } from './process-metrics.ts';

export interface ServiceMetricsPorts extends ProcessMetricsPorts {
  readonly threadRestarts: () => number;
  /** Absent where this is no node of a cluster. */
  readonly following: Pick<CatalogueFollower, 'isBehind' | 'fetches'> | undefined;
}

/** Metrics of the process, and those of all API threads added up. */
export class ServiceMetrics {
  readonly ofProcess: ProcessMetrics;

  constructor({ threadRestarts, scanDepth, disk, following }: ServiceMetricsPorts) {
    this.ofProcess = new ProcessMetrics({ scanDepth, disk });
    const restarts: Gauge = new Gauge({
      name: 'larder_api_thread_restarts',
      help: 'API threads that crashed and were replaced, since the start.',
      registers: [this.ofProcess.registry],
      collect: () => restarts.set(threadRestarts()),
    });
    if (following !== undefined) this.ofProcess.watchFollowing(following);
  }

  /** All metrics in the text form of Prometheus. */
  async toText(threads: readonly MetricValues[]): Promise<string> {
    return `${await this.ofProcess.toText()}\n${await AggregatorRegistry.aggregate([...threads]).metrics()}`;
  }
}
