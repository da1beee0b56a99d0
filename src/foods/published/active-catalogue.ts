import type { Backoff } from '../../base/retry.ts';
import type { CopyProblem } from './fetch-problem.ts';

/**
 * The catalogue that a process should serve, and the way to get it. `ServedCatalogue` loads it, serves it, and reports the
 * result with `served` or `failed`.
 */
export interface ActiveCatalogue {
  /** Name of the first catalogue to serve; undefined if there is none. */
  current(): Promise<string | undefined>;
  /** Whether there is none because it is being replaced or compiled again; the process can begin without. */
  readonly isMending?: boolean;
  /** Calls `onChange` if another catalogue than `known` is active, and for each later one. */
  watch(known: string | undefined, onChange: (name: string) => void): ActiveCatalogueWatch;
  /** Reads and verifies a catalogue, which is fetched first if necessary. */
  load(name: string, signal: AbortSignal): Promise<SharedArrayBuffer>;
  /** Called when the process serves this catalogue. */
  served(name: string): Promise<void>;
  /** Called when this catalogue could not be loaded or served. Resolves with the pauses before further attempts. */
  failed(name: string, error: unknown): Promise<Backoff>;
  /** The state of a node of a cluster, for health and metrics. */
  readonly node?: NodeCatalogue;
}

export interface ActiveCatalogueWatch {
  close(): void;
}

/** State of the active catalogue of the cluster, as known to a node. */
export interface NodeCatalogue {
  /** Name of the active version; undefined before the first activation. */
  readonly active: string | undefined;
  /** Reason for which the process could not switch to the active version; undefined if it has not failed. */
  readonly problem: CopyProblem | undefined;
  /** Whether the process serves another version than the active one. */
  readonly isBehind: boolean;
  /** Attempts to get a copy by result: `fetched`, or the code of the problem. */
  readonly fetches: ReadonlyMap<string, number>;
  /** Calls `listener` when `active`, `problem` or `isBehind` may have changed. */
  onChange(listener: () => void): void;
  /** Checks at once which version is active, after a notification. */
  wake(): void;
}
