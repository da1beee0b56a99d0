import type { ObjectKey } from '../objects/object-key.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { imageKey, isScanId, type ScanRef } from './scan-job.ts';
import type { ScanSignals } from './scan-signals.ts';
import type { ScanStore } from './scan-store.ts';

const IMAGE_KEY = /^images\/(.+)$/;

export interface ArrivalsPorts {
  readonly store: Pick<ScanStore, 'arrive' | 'findByIds'>;
  readonly objects: Pick<ObjectStore, 'find'>;
  readonly signals: ScanSignals;
  readonly nowMs: () => number;
}

/** Moves a scan on when its image has arrived, once, however and however often that became known. */
export class Arrivals {
  readonly #ports: ArrivalsPorts;

  constructor(ports: ArrivalsPorts) {
    this.#ports = ports;
  }

  /** To be called when something was stored under this key. Does nothing where no scan waits for it. */
  async stored(key: ObjectKey): Promise<void> {
    const id = IMAGE_KEY.exec(key)?.[1];
    if (id === undefined || !isScanId(id)) return;
    for (const job of await this.#ports.store.findByIds([id])) await this.#arrive(job);
  }

  /** Checks the store, and answers whether the image of this scan is there. */
  async look(scan: ScanRef): Promise<boolean> {
    const { objects } = this.#ports;
    if ((await objects.find(imageKey(scan.id))) === undefined) return false;
    await this.#arrive(scan);
    return true;
  }

  async #arrive(scan: ScanRef): Promise<void> {
    const { store, signals, nowMs } = this.#ports;
    if (!(await store.arrive(scan, nowMs()))) return;
    signals.announce({ kind: 'queued' });
    signals.announce({ kind: 'changed', id: scan.id });
  }
}
