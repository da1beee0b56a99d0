const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Pauses after the first, second, … failed attempt: ten attempts over 75.6 hours. Source: Standard Webhooks 1.0. */
export const RETRY_PAUSES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Maximum share by which a pause is lengthened, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;
/** Maximum pause that a receiver can request by `Retry-After`. */
const MAX_ASKED_MS = 24 * HOUR_MS;
/** Age at which a waiting delivery is given up, for example that of a disabled webhook. */
export const GIVEN_UP_AFTER_MS = 84 * HOUR_MS;
/** A webhook whose attempts all failed for this long is disabled. */
export const DISABLED_AFTER_MS = 72 * HOUR_MS;

/** The pause after this many failed attempts; undefined after the last. */
export function retryPauseMs(
  attempts: number,
  { askedMs = 0, random = Math.random() } = {},
): number | undefined {
  const pauseMs = RETRY_PAUSES_MS[attempts - 1];
  if (pauseMs === undefined) return undefined;
  return Math.round(Math.max(pauseMs * (1 + JITTER * random), Math.min(askedMs, MAX_ASKED_MS)));
}
