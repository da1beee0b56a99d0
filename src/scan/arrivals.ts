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

/** Notices that an image is there, however it became known: each scan goes on once. */
export class Arrivals {
  readonly #ports: ArrivalsPorts;

  constructor(ports: ArrivalsPorts) {
    this.#ports = ports;
  }

  /** Something was stored under this key; nothing happens where no scan waits for it. */
  async stored(key: ObjectKey): Promise<void> {
    const id = IMAGE_KEY.exec(key)?.[1];
    if (id === undefined || !isScanId(id)) return;
    for (const job of await this.#ports.store.findByIds([id])) await this.#arrive(job);
  }

  /** Whether the image of this scan is there by now. */
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
