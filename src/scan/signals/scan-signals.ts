import type { ScanId } from '../scan-job.ts';

/** `queued`: an image waits for a worker. `changed`: a job is in another state, or gone. */
export type ScanSignal = { readonly kind: 'queued' } | { readonly kind: 'changed'; readonly id: ScanId };

/**
 * Tells threads, processes and nodes that it is worth looking now. Only a hint: it may come twice or not at all, so
 * listeners poll as well.
 */
export interface ScanSignals {
  /** Also heard by listeners of this thread. */
  announce(signal: ScanSignal): void;
  /** Calls `listener` until the returned function is called. */
  listen(listener: (signal: ScanSignal) => void): () => void;
}
