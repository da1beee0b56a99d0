import type { Gtin } from '@larder/core/gtin.ts';
import type { RawFood } from '../import/normalise/raw-food.ts';

/** An external nutrition service that may know a product by its number. */
export interface ExternalSource {
  /** The name in logs, metrics and settings. */
  readonly name: string;
  /**
   * The product with this number, as the service states it; undefined when the service knows none. Throws
   * `ExternalFailure` when it could not be asked or answered nonsense, and stops when the signal says so.
   */
  find(gtin: Gtin, signal: AbortSignal): Promise<RawFood | undefined>;
}

/** The external service is at fault, not the caller. */
export class ExternalFailure extends Error {
  /** How long the service wants to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { retryAfterMs, cause }: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause });
    this.name = 'ExternalFailure';
    this.retryAfterMs = retryAfterMs;
  }
}
