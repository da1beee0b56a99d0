import type { AppError } from '@larder/core/errors.ts';
import { MAX_OBJECT_BYTES, type ObjectKey, type ObjectStore } from '../../blobs/object-store.ts';
import type { UploadExpectation } from '../../blobs/signed-url-access.ts';
import {
  IMAGE_TOO_LONG,
  imageKey,
  isScanId,
  type ScanFailure,
  type ScanId,
  type ScanJob,
  type ScanRef,
} from '../scan-job.ts';
import type { ScanSignals } from '../signals/scan-signals.ts';
import type { ScanStore } from './scan-store.ts';

const IMAGE_KEY = /^images\/(.+)$/;

const CREDENTIAL_ENDED: ScanFailure = {
  code: 'upload_expired',
  message: 'The credential that created this scan has ended; sign in again and create another scan.',
  retryable: true,
};

export interface UploadEventsOptions {
  readonly store: Pick<ScanStore, 'arrive' | 'expireUpload' | 'find' | 'findByIds' | 'hasLiveCredential'>;
  readonly objects: Pick<ObjectStore, 'delete' | 'find'>;
  readonly signals: ScanSignals;
  readonly nowMs: () => number;
}

/** Moves a scan to `processing` once after its image was stored, by whatever and however many reports. */
export class UploadEvents {
  readonly #options: UploadEventsOptions;

  constructor(options: UploadEventsOptions) {
    this.#options = options;
  }

  /** Whether an image is still expected: it has not arrived, its time is not over and its scan was not deleted. */
  async wishFor(key: ObjectKey): Promise<UploadExpectation> {
    const id = scanOf(key);
    if (id === undefined) return 'waited';
    const [job] = await this.#options.store.findByIds([id]);
    if (job?.status === 'upload_pending') return (await this.#isWanted(job)) ? 'waited' : 'gone';
    if (job === undefined) return 'gone';
    // A scan may fail before its image arrives: after its time, or because of an invalid upload.
    const isUnused = job.status === 'failed' && (await this.#options.objects.find(key)) === undefined;
    return isUnused ? 'gone' : 'arrived';
  }

  /**
   * Handles the event that an object was stored under this key, with its length if nothing can replace it. Returns
   * false for the image of a removed scan, and for one whose creator's credential has ended.
   */
  async stored(key: ObjectKey, finalBytes?: number): Promise<boolean> {
    const id = scanOf(key);
    if (id === undefined) return true;
    const [job] = await this.#options.store.findByIds([id]);
    if (job === undefined) return false;
    if (job.status === 'upload_pending' && !(await this.#isWanted(job))) {
      await this.#refuse(job, CREDENTIAL_ENDED);
      return false;
    }
    await this.#arrive(job, finalBytes);
    return true;
  }

  /** Fails the scan of an invalid upload, so that its watchers need not wait until it expires. */
  async refused(key: ObjectKey, { code, message }: AppError): Promise<void> {
    const id = scanOf(key);
    const [job] = id === undefined ? [] : await this.#options.store.findByIds([id]);
    if (job === undefined) return;
    const { store, signals, nowMs } = this.#options;
    const failure: ScanFailure =
      code === 'payload_too_large'
        ? IMAGE_TOO_LONG
        : {
            code: code === 'unsupported_media_type' ? 'unsupported_image' : 'image_unreadable',
            message: `The upload was refused: ${message}`,
            retryable: false,
          };
    if (await store.expireUpload(job, failure, nowMs())) signals.announce({ kind: 'changed', id: job.id });
  }

  /**
   * Checks the store, and returns whether the image of this scan is stored. An image over the size limit, which a store
   * such as S3 accepts, fails its scan and is deleted without being read.
   */
  async look(scan: ScanRef): Promise<boolean> {
    const found = await this.#options.objects.find(imageKey(scan.id));
    if (found === undefined) return false;
    if (found.sizeBytes > MAX_OBJECT_BYTES) await this.#refuse(scan, IMAGE_TOO_LONG);
    else if (await this.#isWanted(await this.#options.store.find(scan))) await this.#arrive(scan);
    else await this.#refuse(scan, CREDENTIAL_ENDED);
    return true;
  }

  /** An image of a credential that has ended is not analysed: addresses of S3 outlive it. */
  async #isWanted(job: ScanJob | undefined): Promise<boolean> {
    return job === undefined || this.#options.store.hasLiveCredential(job, this.#options.nowMs());
  }

  async #refuse(scan: ScanRef, failure: ScanFailure): Promise<void> {
    const { store, objects, signals, nowMs } = this.#options;
    if (await store.expireUpload(scan, failure, nowMs())) {
      signals.announce({ kind: 'changed', id: scan.id });
    }
    await objects.delete(imageKey(scan.id));
  }

  async #arrive(scan: ScanRef, imageBytes?: number): Promise<void> {
    const { store, signals, nowMs } = this.#options;
    if (!(await store.arrive(scan, { nowMs: nowMs(), imageBytes }))) return;
    signals.announce({ kind: 'queued' });
    signals.announce({ kind: 'changed', id: scan.id });
  }
}

/** Returns undefined if the key is not an image of a scan. */
function scanOf(key: ObjectKey): ScanId | undefined {
  const id = IMAGE_KEY.exec(key)?.[1];
  return id !== undefined && isScanId(id) ? id : undefined;
}
