import type { ScanSignal, ScanSignals } from '../../scan/jobs/scan-signals.ts';
import type { ScanId } from '../../scan/scan-job.ts';
import type { DatabasePool } from './database-pool.ts';

/** The NOTIFY channel for signals about scans: the id of a scan that changed, or `queued`. */
export const SCANS_CHANNEL = 'larder_scans';
const QUEUED = 'queued';

export interface NotifyingScanSignalsPorts {
  readonly pool: Pick<DatabasePool, 'query'>;
  /** Signals between the threads of this node. */
  readonly node: ScanSignals;
  readonly onError: (error: unknown) => void;
}

/** Reaches the threads of this node directly and the other nodes by NOTIFY; `hear` is what LISTEN brings. */
export class NotifyingScanSignals implements ScanSignals {
  readonly #ports: NotifyingScanSignalsPorts;

  constructor(ports: NotifyingScanSignalsPorts) {
    this.#ports = ports;
  }

  announce(signal: ScanSignal): void {
    const { pool, node, onError } = this.#ports;
    node.announce(signal);
    const payload = signal.kind === 'queued' ? QUEUED : signal.id;
    // Only a hint: where it is lost, others notice by polling.
    pool.query({ text: 'select pg_notify($1, $2)', values: [SCANS_CHANNEL, payload] }).catch(onError);
  }

  listen(listener: (signal: ScanSignal) => void): () => void {
    return this.#ports.node.listen(listener);
  }
}

/** The signal that another node notified. */
export function parseScanSignal(payload: string): ScanSignal {
  return payload === QUEUED ? { kind: 'queued' } : { kind: 'changed', id: payload as ScanId };
}
