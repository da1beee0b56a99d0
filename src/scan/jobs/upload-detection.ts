import { LRUCache } from 'lru-cache';
import { withFallback } from '../../base/with-fallback.ts';
import type { ScanId, ScanRef } from '../scan-job.ts';

/** Minimum interval between two look-ups of the same image, however many callers ask. */
export const LOOK_UP_EVERY_MS = 1_000;
/** Maximum time that a caller waits for a look-up, which then continues without it. */
const LOOK_PATIENCE_MS = 500;
/** Maximum concurrent look-ups; others wait in a queue. */
export const MAX_CONCURRENT_LOOK_UPS = 16;
const MAX_REMEMBERED_LOOKS = 10_000;

export interface UploadDetectorOptions {
  /** Checks the object store for the image; see `UploadEvents`. */
  readonly look: (scan: ScanRef) => Promise<boolean>;
  readonly onFailure: (error: unknown) => void;
  readonly nowMs: () => number;
  readonly patienceMs?: number;
}

interface Look {
  readonly beganAtMs: number;
  isOver: boolean;
}

/**
 * Detects uploads by polling if the object store sends no notifications. A slow or unavailable store does not delay
 * callers: they only want the state of a scan, which is known without it.
 */
export class UploadDetector {
  readonly #options: UploadDetectorOptions;
  /** The latest look-up of each image. */
  readonly #looks = new LRUCache<ScanId, Look>({ max: MAX_REMEMBERED_LOOKS });
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: UploadDetectorOptions) {
    this.#options = options;
  }

  /**
   * Returns true if this look-up found the image. Returns false between look-ups, and if the response takes too long.
   */
  async lookFor(scan: ScanRef): Promise<boolean> {
    const { patienceMs = LOOK_PATIENCE_MS, nowMs } = this.#options;
    const latest = this.#looks.get(scan.id);
    if (latest !== undefined && (!latest.isOver || nowMs() - latest.beganAtMs < LOOK_UP_EVERY_MS))
      return false;
    return withFallback(patienceMs, this.#look(scan), false);
  }

  async #look(scan: ScanRef): Promise<boolean> {
    const { look, nowMs, onFailure } = this.#options;
    const begun: Look = { beganAtMs: nowMs(), isOver: false };
    this.#looks.set(scan.id, begun);
    if (this.#running < MAX_CONCURRENT_LOOK_UPS) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await look(scan);
    } catch (error) {
      onFailure(error);
      return false;
    } finally {
      begun.isOver = true;
      this.#passTurn();
    }
  }

  #passTurn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running--;
    else next();
  }
}
