import type { MessagePort } from 'node:worker_threads';
import type { Config } from '../../config/config.ts';
import type { ServiceStatus } from '../../http/service/health.ts';
import type { MetricValues } from '../../http/service/metric-values.ts';
import type { LogWarning } from '../operator/last-warnings.ts';
import type { ServiceFacts } from '../operator/status.ts';
import type { SharedMemory } from '../shared-memory.ts';
import type { LogFormat } from './logger.ts';

/** Options passed to an API thread at its start. */
export interface ThreadStart {
  /** 0 for the first one; used in logs and metrics. */
  readonly index: number;
  readonly config: Config;
  readonly logFormat: LogFormat;
  readonly memory: SharedMemory;
  /** The port to the shared work of the process. */
  readonly workPort: MessagePort | undefined;
}

/** Calls of the main thread to an API thread. */
export interface ThreadCalls {
  /** Opens the port, 0 for a free one; returns the port number. */
  listen(port: number): Promise<number>;
  /** Switches to this verified catalogue. */
  useCatalogue(image: SharedArrayBuffer): void;
  setStatus(status: ServiceStatus): void;
  metrics(_: undefined): Promise<MetricValues>;
  warnings(_: undefined): readonly LogWarning[];
  /** Accepts no new requests, finishes the running ones, and closes the remaining ones after this time. */
  stop(timeoutMs: number): Promise<void>;
}

/** Calls of an API thread to the main thread. */
export interface MainCalls {
  /** The metrics of the whole service in Prometheus's text format. */
  collectMetrics(_: undefined): Promise<string>;
  /** Rejections and warnings of all threads. */
  serviceFacts(_: undefined): Promise<ServiceFacts>;
}
