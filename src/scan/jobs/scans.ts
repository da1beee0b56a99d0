import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { AppError } from '@larder/core/errors.ts';
import { areEqualSecrets } from '../../base/equal-secrets.ts';
import { counted } from '../../base/texts.ts';
import { createIds, type IdSource, type RandomBytes } from '../../base/time-ordered-id.ts';
import { MAX_OBJECT_BYTES, type ObjectStore } from '../../blobs/object-store.ts';
import type { DiskReserve } from '../../files/disk-reserve.ts';
import { storageFull } from '../../files/file-errors.ts';
import {
  analysisKey,
  imageKey,
  isScanId,
  type NewScan,
  type ScanId,
  type ScanJob,
  type ScanOwner,
  type ScanRef,
  type ScanViewer,
} from '../scan-job.ts';
import type { ScanSignals } from '../signals/scan-signals.ts';
import type { ScanCounts, ScanLimits } from './scan-queue.ts';
import type { ScanStore } from './scan-store.ts';
import { UPLOAD_GRACE_MS } from './scan-sweeper.ts';
import type { UploadDetector } from './upload-detection.ts';
import type { UploadEvents } from './upload-events.ts';

/** Validity of an upload URL; the upload must begin within it. */
export const UPLOAD_LIFETIME_MS = 15 * 60_000;
/** Validity of the URL of a full analysis; later, clients ask for a new one. */
const RESULT_ADDRESS_LIFETIME_MS = 60 * 60_000;
/** Maximum scans of one user that are erased in one step. */
const ERASED_AT_ONCE = 100;

export interface ScanRequest
  extends Pick<NewScan, 'clientId' | 'contentType' | 'imageType' | 'kind' | 'credential' | 'diaries'> {
  /** The image's length in bytes, if the client knows it: the upload URL then accepts no other length. */
  readonly contentLength?: number;
}

export interface OpenedScan {
  readonly job: ScanJob;
  /** The signed URL for the upload; see `ObjectStore`. */
  readonly uploadAddress: string;
}

export interface ScansOptions {
  readonly store: ScanStore;
  readonly objects: ObjectStore;
  readonly signals: ScanSignals;
  readonly uploadEvents: UploadEvents;
  /** Signs stream tickets. */
  readonly ticketSecret: Uint8Array;
  /** Absent if the object store notifies of uploads, so that no polling is needed. */
  readonly uploadDetector?: UploadDetector;
  readonly limits: Omit<ScanLimits, 'expiredBeforeMs'>;
  /** The disk of the images, if this service stores them: without room, no upload is offered. */
  readonly disk?: DiskReserve;
  /** Returns why scans can permanently not be analysed, if so. */
  readonly unavailable?: string | undefined;
  readonly nowMs: () => number;
  readonly randomBytes: RandomBytes;
}

/** Scans as their owners see them. Scans of other owners are treated as missing. */
export class Scans {
  readonly #options: ScansOptions;

  constructor(options: ScansOptions) {
    this.#options = options;
  }

  /**
   * Creates a scan, or returns a new URL for the same upload if a scan exists under `ids`. Throws
   * `idempotency_conflict` when the time for that upload is over, `quota_exceeded` when there are too many scans or
   * images, `storage_full`, and `unavailable` if nobody can analyse scans.
   */
  async create(
    owner: ScanOwner,
    { contentLength, ...request }: ScanRequest,
    ids?: IdSource,
  ): Promise<OpenedScan> {
    const { store, limits, disk, unavailable, nowMs, randomBytes } = this.#options;
    if (unavailable !== undefined) throw new AppError({ code: 'unavailable', message: unavailable });
    // Uses the current time, not that of `ids`: a request may be repeated much later than its first attempt.
    const createdAtMs = nowMs();
    const [text] = createIds(1, ids?.timeMs ?? createdAtMs, ids?.randomBytes ?? randomBytes);
    const id = text!.toLowerCase() as ScanId;
    const known = ids?.mayExist === true ? await store.find({ ...owner, id }) : undefined;
    if (known !== undefined) {
      if (createdAtMs >= known.uploadExpiresAtMs) throw tooLate();
      return { job: known, uploadAddress: await this.#uploadAddress(known, contentLength) };
    }
    if ((await disk?.hasRoom()) === false) throw storageFull();
    const scan: NewScan = {
      id,
      ...owner,
      ...request,
      createdAtMs,
      uploadExpiresAtMs: createdAtMs + UPLOAD_LIFETIME_MS,
      imageBytes: contentLength ?? MAX_OBJECT_BYTES,
    };
    const tooMany = await store.create(scan, {
      ...limits,
      expiredBeforeMs: createdAtMs - UPLOAD_GRACE_MS,
    });
    if (tooMany !== undefined) throw quotaExceeded(tooMany, limits, scan.imageBytes);
    const uploadAddress = await this.#uploadAddress(scan, contentLength);
    return { job: { ...scan, status: 'upload_pending' }, uploadAddress };
  }

  async find({ barred, ...viewer }: ScanViewer, id: string): Promise<ScanJob | undefined> {
    if (!isScanId(id)) return undefined;
    const { store, uploadDetector } = this.#options;
    const job = await store.find({ ...viewer, id });
    if (job?.userId !== undefined && barred?.has(job.userId)) return undefined;
    const hasCome = job?.status === 'upload_pending' && (await uploadDetector?.lookFor(job));
    return hasCome ? store.find(job) : job;
  }

  /** Throws `scan_job_not_found`. */
  async get(viewer: ScanViewer, id: string): Promise<ScanJob> {
    const job = await this.find(viewer, id);
    if (job === undefined) throw notFound();
    return job;
  }

  /** Finds the scan for the holder of a stream ticket. Throws `scan_job_not_found`, also after the credential of its creator has ended. */
  async getByTicket(id: string, ticket: string): Promise<ScanJob> {
    if (!isScanId(id)) throw notFound();
    if (!areEqualSecrets(ticket, this.ticketOf({ id }))) throw notFound();
    const [job] = await this.#options.store.findByIds([id]);
    if (job === undefined) throw notFound();
    await this.requireLiveCredential(job);
    return job;
  }

  /** Throws `scan_job_not_found` after the credential that created the scan has ended. */
  async requireLiveCredential(job: ScanJob): Promise<void> {
    const { store, nowMs } = this.#options;
    if (!(await store.hasLiveCredential(job, nowMs()))) throw notFound();
  }

  /** Stores the image of a waiting scan whose client cannot upload. */
  async receive(job: ScanJob, image: Buffer): Promise<void> {
    const { objects, uploadEvents } = this.#options;
    const { id, contentType } = job;
    const size = { maxBytes: MAX_OBJECT_BYTES, exactBytes: image.length };
    const body = Readable.from([image], { objectMode: false });
    await objects.put({ key: imageKey(id), contentType, body, size });
    await uploadEvents.stored(imageKey(id), image.length);
  }

  /** Removes job, image and result. Throws `scan_job_not_found`. */
  async remove(viewer: ScanViewer, id: string): Promise<void> {
    await this.#erase(await this.get(viewer, id));
  }

  /** Removes all scans of one user. */
  async removeAllOf(owner: { readonly tenant: string; readonly userId: string }): Promise<void> {
    for (;;) {
      const ids = await this.#options.store.ofUser(owner, ERASED_AT_ONCE);
      for (const id of ids) await this.#erase({ ...owner, id });
      if (ids.length < ERASED_AT_ONCE) return;
    }
  }

  /** A signed URL of the full analysis; undefined if there is none. */
  resultAddress(job: ScanJob): Promise<string | undefined> {
    return resultAddressOf(job, this.#options);
  }

  /**
   * Allows a browser's EventSource, which cannot send a credential, to watch one scan and nothing else. A ticket
   * reveals nothing to its holder, and is worthless after the scan is removed.
   */
  ticketOf({ id }: Pick<ScanJob, 'id'>): string {
    const { ticketSecret } = this.#options;
    return createHmac('sha256', ticketSecret).update(`stream of scan ${id}`).digest('base64url');
  }

  #uploadAddress(
    { id, contentType, uploadExpiresAtMs }: NewScan,
    exactBytes: number | undefined,
  ): Promise<string> {
    return this.#options.objects.uploadAddress({
      key: imageKey(id),
      contentType,
      size: { maxBytes: MAX_OBJECT_BYTES, exactBytes },
      expiresAtMs: uploadExpiresAtMs,
    });
  }

  /** Removes the row first: then a worker stores no result, or notices that it must remove it again. */
  async #erase(scan: ScanRef): Promise<void> {
    const { store, objects, signals } = this.#options;
    const { id } = scan;
    await store.remove(scan);
    signals.announce({ kind: 'changed', id });
    await Promise.all([objects.delete(imageKey(id)), objects.delete(analysisKey(id))]);
  }
}

/** A signed URL of the full analysis; undefined if there is none. */
export async function resultAddressOf(
  { id, status }: ScanJob,
  { objects, nowMs }: Pick<ScansOptions, 'objects' | 'nowMs'>,
): Promise<string | undefined> {
  if (status !== 'completed') return undefined;
  return objects.readAddress({ key: analysisKey(id), expiresAtMs: nowMs() + RESULT_ADDRESS_LIFETIME_MS });
}

function tooLate(): AppError {
  return new AppError({
    code: 'idempotency_conflict',
    message: 'The upload address of this scan has expired; create another scan under a new Idempotency-Key.',
  });
}

function quotaExceeded(
  { ofTenant, ofUser, images, imageBytes }: ScanCounts,
  limits: ScansOptions['limits'],
  addedBytes: number,
): AppError {
  if (ofUser >= limits.perUser || ofTenant >= limits.perTenant) {
    const [quota, limit, used, whose] =
      ofUser >= limits.perUser
        ? ['unfinished_scans_per_user', limits.perUser, ofUser, 'This user']
        : ['unfinished_scans_per_tenant', limits.perTenant, ofTenant, 'This tenant'];
    return new AppError({
      code: 'quota_exceeded',
      message:
        `${whose} has ${counted(used, 'unfinished scan')} of at most ${limit}; ` +
        'wait until some are finished, or delete those whose image will not come.',
      details: { quota, limit, used },
    });
  }
  if (images >= limits.images) {
    return new AppError({
      code: 'quota_exceeded',
      message:
        `This tenant has ${counted(images, 'image')} of at most ${limits.images}; ` +
        'wait until some are deleted, or delete scans.',
      details: { quota: 'stored_images_per_tenant', limit: limits.images, used: images },
    });
  }
  return new AppError({
    code: 'quota_exceeded',
    message:
      `The images of this tenant count ${imageBytes} of ${limits.imageBytes} bytes, and this one would count ${addedBytes}; ` +
      'state its contentLength, wait until some are deleted, or delete scans.',
    details: { quota: 'stored_image_bytes_per_tenant', limit: limits.imageBytes, used: imageBytes },
  });
}

function notFound(): AppError {
  return new AppError({ code: 'scan_job_not_found', message: 'There is no scan with this id.' });
}
