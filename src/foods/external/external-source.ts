import type { Gtin } from '@larder/core/gtin.ts';
import type { RawFood } from '../import/normalise/raw-food.ts';

/** An external nutrition service that may know a product by its number. */
export interface ExternalSource {
  /** The name in logs, metrics and settings. */
  readonly name: string;
  /**
   * The product with this number, as the service states it; undefined if the service does not know it. Throws
   * `ExternalFailure` if the service could not be called or its answer is invalid, and stops when `signal` is
   * aborted.
   */
  find(gtin: Gtin, signal: AbortSignal): Promise<RawFood | undefined>;
}

/** The external service failed, not the caller. */
export class ExternalFailure extends Error {
  /** Pause that the service requests. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { retryAfterMs, cause }: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause });
    this.name = 'ExternalFailure';
    this.retryAfterMs = retryAfterMs;
  }
}
