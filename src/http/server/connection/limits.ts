// What one connection or request may take. Times in milliseconds, sizes in bytes.

/** Request line and headers together; Node refuses more before a handler sees it. */
export const MAX_HEADER_BYTES = 16 * 1024;
/** Path and query, as sent. */
export const MAX_URL_LENGTH = 8 * 1024;

/** Until the headers of a request have arrived; cuts off slow senders. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** Until the whole request has arrived: an image of 10 MiB over 1 Mbit/s takes 84 s. */
export const REQUEST_TIMEOUT_MS = 120_000;
/** How long an idle connection is kept. Above the 60 s of common load balancers, which then close first. */
export const KEEP_ALIVE_TIMEOUT_MS = 75_000;
/** How often connections are checked against the time-outs above. */
export const CONNECTION_CHECK_INTERVAL_MS = 5_000;
/** Per API thread; further connections are closed at once. */
export const MAX_CONNECTIONS_PER_THREAD = 10_000;

/** A request that takes longer is always logged. */
export const SLOW_REQUEST_MS = 500;
