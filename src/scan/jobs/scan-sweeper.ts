import { OutageError } from '@larder/core/errors.ts';
import { RepeatedTask } from '../../base/repeated-task.ts';
import {
  type ListedObject,
  MAX_LISTED_OBJECTS,
  MAX_OBJECT_BYTES,
  type ObjectStore,
} from '../../blobs/object-store.ts';
import {
  analysisKey,
  imageKey,
  isScanId,
  isSettled,
  type ScanFailure,
  type ScanId,
  type ScanJob,
  type ScanRef,
} from '../scan-job.ts';
import type { ScanSignals } from '../signals/scan-signals.ts';
import { MAX_ATTEMPTS } from './scan-attempt.ts';
import type { ScanObserver } from './scan-observer.ts';
import type { ScanStore } from './scan-store.ts';

export const SCAN_SWEEP_EVERY_MS = 10_000;
/** The interval is long because a sweep lists every object. */
const SWEEP_OBJECTS_EVERY_MS = 60 * 60_000;
/**
 * An upload that began while its URL was valid may end later, and its scan must not have expired when it is answered
 * with 200. So this is `REQUEST_TIMEOUT_MS` of `http/` plus half a minute for storing and noticing the image.
 */
export const UPLOAD_GRACE_MS = 150_000;
/** Delay after which a notification of the upload should have arrived. */
const LOOK_AFTER_MS = 5_000;
/** Younger objects may belong to a job that is being settled or removed. */
export const ORPHAN_AGE_MS = 60 * 60_000;
/** Maximum jobs per step of a sweep; the next sweep continues with the rest. */
const MAX_AT_ONCE = 500;
/** Maximum reported failures of one kind per sweep, since one cause usually affects all scans. */
export const MAX_REPORTED_FAILURES = 10;
/** Key prefixes of the objects of scans. */
const FOLDERS = ['images/', 'analyses/'] as const;
const SCAN_OBJECT = /^(?:images\/([^/.]+)|analyses\/([^/.]+)\.json)$/;

const UPLOAD_EXPIRED: ScanFailure = {
  code: 'upload_expired',
  message: 'No image came before the upload address expired; create another scan.',
  retryable: true,
};
const ABANDONED: ScanFailure = {
  code: 'internal_error',
  message: 'The analysis of the image broke off several times; try again later.',
  retryable: true,
};

export interface ScanSweeperOptions {
  readonly store: Pick<
    ScanStore,
    | 'pendingUploads'
    | 'expireUpload'
    | 'failAbandoned'
    | 'withImageSettledBefore'
    | 'imageDeleted'
    | 'imageMeasured'
    | 'removeSettledBefore'
    | 'findByIds'
  >;
  readonly objects: Pick<ObjectStore, 'delete' | 'list' | 'removeLeftovers'>;
  readonly signals: ScanSignals;
  /** Checks whether the image of this scan is stored; see `UploadEvents`. */
  readonly look: (scan: ScanRef) => Promise<boolean>;
  /** Retention of an image after its scan was settled. */
  readonly keepImagesMs: number;
  /** Retention of a scan with its result after it was settled. */
  readonly keepScansMs: number;
  readonly observer: Pick<ScanObserver, 'broken'>;
  readonly nowMs: () => number;
}

/**
 * Finds events that no signal reported: images that arrived unnoticed, unused upload URLs, jobs abandoned by
 * their workers, images and scans past their retention, and objects without a scan. Several sweepers may run
 * concurrently. A failure of one item is reported and does not delay others. An outage ends the sweep: the
 * rest would meet it as well, and no upload may expire before it could be looked up.
 */
export class ScanSweeper extends RepeatedTask {
  readonly #options: ScanSweeperOptions;
  #objectsSweptAtMs = Number.NEGATIVE_INFINITY;
  /** Number of failures of this sweep by activity. */
  readonly #failures = new Map<string, number>();

  constructor(options: ScanSweeperOptions) {
    super(() => this.#sweepWhatIsDue(), {
      everyMs: SCAN_SWEEP_EVERY_MS,
      onError: (error) => options.observer.broken('sweeping scans', error),
    });
    this.#options = options;
  }

  /** Begins with a sweep. */
  override start(): void {
    super.start();
    void this.runNow();
  }

  /** Sweeps the rows of scans. Throws an `OutageError`; reports all other failures to the observer. */
  async sweep(): Promise<void> {
    this.#failures.clear();
    // Steps that need the object store come last, because it may be unavailable.
    await this.#attempt('failing abandoned scans', () => this.#sweepAbandoned());
    await this.#attempt('expiring uploads', () => this.#sweepUploads());
    await this.#attempt('deleting images', () => this.#sweepImages());
    await this.#attempt('removing old scans', () => this.#sweepSettled());
  }

  /**
   * Deletes objects without a row, such as an image that was uploaded again after its deletion, and leftovers of
   * interrupted uploads. Throws as `sweep` does.
   */
  async sweepObjects(): Promise<void> {
    const { objects } = this.#options;
    this.#failures.clear();
    for (const folder of FOLDERS) {
      await this.#attempt(`sweeping ${folder}`, () => this.#sweepFolder(folder));
    }
    await this.#attempt('removing what uploads left', () => objects.removeLeftovers());
  }

  async #sweepWhatIsDue(): Promise<void> {
    const { nowMs } = this.#options;
    await this.sweep();
    if (nowMs() - this.#objectsSweptAtMs < SWEEP_OBJECTS_EVERY_MS) return;
    this.#objectsSweptAtMs = nowMs();
    await this.sweepObjects();
  }

  async #sweepUploads(): Promise<void> {
    const { store, nowMs } = this.#options;
    for (const job of await store.pendingUploads(nowMs() - LOOK_AFTER_MS, MAX_AT_ONCE)) {
      if (this.isStopped) return;
      await this.#attempt('looking at an upload', () => this.#sweepUpload(job), job.id);
    }
  }

  /** Expires an overdue upload, even if looking for its image fails for a reason other than an outage. */
  async #sweepUpload(job: ScanJob): Promise<void> {
    const { look, nowMs } = this.#options;
    const isOver = nowMs() >= job.uploadExpiresAtMs + UPLOAD_GRACE_MS;
    let hasCome = false;
    try {
      hasCome = await look(job);
    } catch (error) {
      if (isOver && !(error instanceof OutageError)) await this.#expire(job);
      throw error;
    }
    if (isOver && !hasCome) await this.#expire(job);
  }

  async #expire(job: ScanJob): Promise<void> {
    const { store, signals, nowMs } = this.#options;
    if (await store.expireUpload(job, UPLOAD_EXPIRED, nowMs()))
      signals.announce({ kind: 'changed', id: job.id });
  }

  async #sweepAbandoned(): Promise<void> {
    const { store, signals, nowMs } = this.#options;
    const limits = { nowMs: nowMs(), maxAttempts: MAX_ATTEMPTS, limit: MAX_AT_ONCE };
    for (const id of await store.failAbandoned(ABANDONED, limits)) signals.announce({ kind: 'changed', id });
  }

  async #sweepImages(): Promise<void> {
    const { store, objects, keepImagesMs, nowMs } = this.#options;
    for (const scan of await store.withImageSettledBefore(nowMs() - keepImagesMs, MAX_AT_ONCE)) {
      if (this.isStopped) return;
      const remove = async () => {
        await objects.delete(imageKey(scan.id));
        await store.imageDeleted(scan);
      };
      await this.#attempt('deleting an image', remove, scan.id);
    }
  }

  /**
   * Removes rows first, as `Scans.remove` does: objects left by an outage then have no row and are swept as orphans.
   */
  async #sweepSettled(): Promise<void> {
    const { store, objects, keepScansMs, nowMs } = this.#options;
    for (const id of await store.removeSettledBefore(nowMs() - keepScansMs, MAX_AT_ONCE)) {
      const removeObjects = async () => {
        await Promise.all([objects.delete(imageKey(id)), objects.delete(analysisKey(id))]);
      };
      await this.#attempt('deleting the objects of an old scan', removeObjects, id);
    }
  }

  async #sweepFolder(prefix: string): Promise<void> {
    for (let after: ListedObject['key'] | undefined; ; ) {
      const page = await this.#options.objects.list({ prefix, after, limit: MAX_LISTED_OBJECTS });
      await this.#refuseTooLong(page);
      await this.#sweepOld(page);
      after = page.at(-1)?.key;
      if (page.length < MAX_LISTED_OBJECTS || this.isStopped) break;
    }
  }

  /** Refuses images over the size limit, such as a longer one uploaded again, which no other check finds. */
  async #refuseTooLong(page: readonly ListedObject[]): Promise<void> {
    const { store, objects, look } = this.#options;
    const tooLong = named(page.filter(({ sizeBytes }) => sizeBytes > MAX_OBJECT_BYTES));
    const jobs = new Map((await store.findByIds(tooLong.map(({ id }) => id))).map((job) => [job.id, job]));
    for (const { key, id } of tooLong) {
      const job = jobs.get(id);
      const refuse = async () => {
        if (job?.status === 'upload_pending') await look(job);
        else await objects.delete(key);
      };
      await this.#attempt('deleting an object that is too long', refuse, id);
    }
  }

  /** Deletes objects without a scan, and sets the real size of the others, which no upload can replace any more. */
  async #sweepOld(page: readonly ListedObject[]): Promise<void> {
    const { store, objects, nowMs } = this.#options;
    const old = named(page.filter(({ storedAtMs }) => storedAtMs < nowMs() - ORPHAN_AGE_MS));
    const jobs = new Map((await store.findByIds(old.map(({ id }) => id))).map((job) => [job.id, job]));
    for (const { key, id, sizeBytes } of old) {
      const job = jobs.get(id);
      if (job === undefined || (key === imageKey(id) && this.#hadItsTime(job))) {
        await this.#attempt('deleting an object without a scan', () => objects.delete(key), id);
      } else if (key === imageKey(id) && job.imageBytes !== sizeBytes) {
        await this.#attempt('measuring an image', () => store.imageMeasured(job, sizeBytes), id);
      }
    }
  }

  /** Runs a step and reports its failure; throws an `OutageError`. */
  async #attempt(doing: string, step: () => Promise<void>, id?: ScanId): Promise<void> {
    try {
      await step();
    } catch (error) {
      if (error instanceof OutageError) throw error;
      const failures = (this.#failures.get(doing) ?? 0) + 1;
      this.#failures.set(doing, failures);
      if (failures <= MAX_REPORTED_FAILURES) this.#options.observer.broken(doing, error, id);
    }
  }

  #hadItsTime(job: ScanJob): boolean {
    const { keepImagesMs, nowMs } = this.#options;
    return isSettled(job) && job.settledAtMs! < nowMs() - keepImagesMs;
  }
}

/** Selects the objects of scans. */
function named(objects: readonly ListedObject[]): (ListedObject & { readonly id: ScanId })[] {
  return objects.flatMap((object) => {
    const id = idOf(object.key);
    return id === undefined ? [] : [{ ...object, id }];
  });
}

/** Returns undefined if the key is not an object of a scan. */
function idOf(key: string): ScanId | undefined {
  const [, image, analysis] = SCAN_OBJECT.exec(key) ?? [];
  const id = image ?? analysis;
  return id !== undefined && isScanId(id) ? id : undefined;
}
