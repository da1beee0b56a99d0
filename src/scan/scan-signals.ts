import type { ScanId } from './scan-job.ts';

/** `queued`: an image waits for a worker. `changed`: a job is in another state, or gone. */
export type ScanSignal = { readonly kind: 'queued' } | { readonly kind: 'changed'; readonly id: ScanId };

/**
 * Tells threads, processes and nodes that it is worth looking now. A hint: it may come twice or not at all, so whoever
 * listens looks from time to time as well.
 */
export interface ScanSignals {
  /** Also heard by listeners of this thread. */
  announce(signal: ScanSignal): void;
  /** Until the answer is called. */
  listen(listener: (signal: ScanSignal) => void): () => void;
}
