import type { ScanId } from '../scan-job.ts';
import type { ScanSignal, ScanSignals } from './scan-signals.ts';

/** The NOTIFY channel for signals about scans: the id of a scan that changed, or `queued`. */
export const SCANS_CHANNEL = 'larder_scans';
const QUEUED = 'queued';

export interface NotifyingScanSignalsOptions {
  /** Sends a notification to all nodes that listen to the channel. */
  readonly notify: (channel: string, payload: string) => Promise<void>;
  /** Signals between the threads of this node. */
  readonly node: ScanSignals;
  readonly onError: (error: unknown) => void;
}

/** Notifies the threads of this node directly and the other nodes by NOTIFY; `hear` receives what LISTEN brings. */
export class NotifyingScanSignals implements ScanSignals {
  readonly #options: NotifyingScanSignalsOptions;

  constructor(options: NotifyingScanSignalsOptions) {
    this.#options = options;
  }

  announce(signal: ScanSignal): void {
    const { notify, node, onError } = this.#options;
    node.announce(signal);
    const payload = signal.kind === 'queued' ? QUEUED : signal.id;
    // A notification is only a hint: if it is lost, other nodes notice by polling.
    notify(SCANS_CHANNEL, payload).catch(onError);
  }

  listen(listener: (signal: ScanSignal) => void): () => void {
    return this.#options.node.listen(listener);
  }
}

/** The signal that another node sent. */
export function parseScanSignal(payload: string): ScanSignal {
  return payload === QUEUED ? { kind: 'queued' } : { kind: 'changed', id: payload as ScanId };
}
