import { MAX_OBJECT_BYTES, type ObjectKey, type ObjectStore } from '../../blobs/object-store.ts';
import { IMAGE_TOO_LONG, imageKey, isScanId, type ScanId, type ScanRef } from '../scan-job.ts';
import type { ScanSignals } from '../signals/scan-signals.ts';
import type { ScanStore } from './scan-store.ts';

const IMAGE_KEY = /^images\/(.+)$/;

export interface UploadEventsPorts {
  readonly store: Pick<ScanStore, 'arrive' | 'expireUpload' | 'findByIds'>;
  readonly objects: Pick<ObjectStore, 'delete' | 'find'>;
  readonly signals: ScanSignals;
  readonly nowMs: () => number;
}

/** Moves a scan on when its image has arrived, once, however and however often that became known. */
export class UploadEvents {
  readonly #ports: UploadEventsPorts;

  constructor(ports: UploadEventsPorts) {
    this.#ports = ports;
  }

  /** Whether something may be stored under this key: an image may while its scan waits for it. */
  async expects(key: ObjectKey): Promise<boolean> {
    const id = scanOf(key);
    if (id === undefined) return true;
    const [job] = await this.#ports.store.findByIds([id]);
    return job?.status === 'upload_pending';
  }

  /**
   * To be called when something was stored under this key; with its length where nothing can replace it. Answers false for
   * the image of a scan that is gone.
   */
  async stored(key: ObjectKey, finalBytes?: number): Promise<boolean> {
    const id = scanOf(key);
    if (id === undefined) return true;
    const [job] = await this.#ports.store.findByIds([id]);
    if (job !== undefined) await this.#arrive(job, finalBytes);
    return job !== undefined;
  }

  /**
   * Checks the store, and answers whether the image of this scan has come. One that is too long, which a store such as S3
   * accepts, fails its scan and is deleted unread.
   */
  async look(scan: ScanRef): Promise<boolean> {
    const found = await this.#ports.objects.find(imageKey(scan.id));
    if (found === undefined) return false;
    if (found.sizeBytes > MAX_OBJECT_BYTES) await this.#refuse(scan);
    else await this.#arrive(scan);
    return true;
  }

  async #refuse(scan: ScanRef): Promise<void> {
    const { store, objects, signals, nowMs } = this.#ports;
    if (await store.expireUpload(scan, IMAGE_TOO_LONG, nowMs())) {
      signals.announce({ kind: 'changed', id: scan.id });
    }
    await objects.delete(imageKey(scan.id));
  }

  async #arrive(scan: ScanRef, imageBytes?: number): Promise<void> {
    const { store, signals, nowMs } = this.#ports;
    if (!(await store.arrive(scan, { nowMs: nowMs(), imageBytes }))) return;
    signals.announce({ kind: 'queued' });
    signals.announce({ kind: 'changed', id: scan.id });
  }
}

/** Undefined for what is no image of a scan. */
function scanOf(key: ObjectKey): ScanId | undefined {
  const id = IMAGE_KEY.exec(key)?.[1];
  return id !== undefined && isScanId(id) ? id : undefined;
}
