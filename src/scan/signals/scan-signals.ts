import type { ScanId } from '../scan-job.ts';

/** `queued`: an image waits for a worker. `changed`: a job has another state or was removed. */
export type ScanSignal = { readonly kind: 'queued' } | { readonly kind: 'changed'; readonly id: ScanId };

/**
 * Hints to threads, processes and nodes that a job has changed. A hint may arrive twice or not at all, so
 * listeners poll as well.
 */
export interface ScanSignals {
  /** Listeners of this thread receive the signal too. */
  announce(signal: ScanSignal): void;
  /** Calls `listener` until the caller calls the returned function. */
  listen(listener: (signal: ScanSignal) => void): () => void;
}
