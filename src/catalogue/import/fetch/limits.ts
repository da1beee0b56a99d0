import type { HttpLimits } from '../../../outgoing/http-get.ts';

/** Bounds of a download. Tests hand in smaller ones. */
export interface DownloadLimits extends HttpLimits {
  /** All attempts of one download together. */
  readonly maxAttempts: number;
  /** Attempts in a row that brought not one new byte. */
  readonly maxFruitlessAttempts: number;
  /** The wait after the first fruitless attempt; doubled with each further one. */
  readonly firstRetryDelayMs: number;
  /** The longest wait, also where a server's `Retry-After` asks for more. */
  readonly maxRetryDelayMs: number;
}

export const DOWNLOAD_LIMITS: DownloadLimits = {
  answerTimeoutMs: 30_000,
  idleTimeoutMs: 60_000,
  maxRedirects: 5,
  maxAttempts: 200,
  maxFruitlessAttempts: 6,
  firstRetryDelayMs: 1_000,
  maxRetryDelayMs: 60_000,
};
