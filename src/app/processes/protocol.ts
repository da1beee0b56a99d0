import type { MessagePort } from 'node:worker_threads';
import type { Config } from '../../config/config.ts';
import type { ServiceStatus } from '../../http/service/health.ts';
import type { MetricValues } from '../../http/service/metric-values.ts';
import type { ServiceFacts } from '../operator/status.ts';
import type { SharedMemory } from '../shared-memory.ts';
import type { LogWarning } from './last-warnings.ts';
import type { LogFormat } from './logger.ts';

/** Options passed to an API thread at its start. */
export interface ThreadStart {
  /** 0 for the first; in logs and metrics. */
  readonly index: number;
  readonly config: Config;
  readonly logFormat: LogFormat;
  readonly memory: SharedMemory;
  /** The port to the shared work of the process. */
  readonly workPort: MessagePort | undefined;
}

/** Calls of the main thread to an API thread. */
export interface ThreadCalls {
  /** Opens the port, 0 for a free one; answers the port that it listens on. */
  listen(port: number): Promise<number>;
  /** Answers from this catalogue from now on. The image was verified. */
  useCatalogue(image: SharedArrayBuffer): void;
  setStatus(status: ServiceStatus): void;
  metrics(_: undefined): Promise<MetricValues>;
  warnings(_: undefined): readonly LogWarning[];
  /** Takes no new requests, finishes those under way, and closes what is left after this time. */
  stop(timeoutMs: number): Promise<void>;
}

/** Calls of an API thread to the main thread. */
export interface MainCalls {
  /** The metrics of the whole service in the text form of Prometheus. */
  collectMetrics(_: undefined): Promise<string>;
  /** What all threads refused and warned of. */
  serviceFacts(_: undefined): Promise<ServiceFacts>;
}
