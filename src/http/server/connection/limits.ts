// Limits of one connection, request or body. Times are in milliseconds, sizes in bytes.

/** Request line and headers together; Node refuses more before a handler sees it. */
export const MAX_HEADER_BYTES = 16 * 1024;
/** Path and query, as sent. */
export const MAX_URL_LENGTH = 8 * 1024;

/** Time-out for the headers of a request; cuts off slow senders. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** Time-out for the whole request: an image of 10 MiB over 1 Mbit/s takes 84 s. */
export const REQUEST_TIMEOUT_MS = 120_000;
/** How long an idle connection is kept. Above the 60 s of common load balancers, which then close first. */
export const KEEP_ALIVE_TIMEOUT_MS = 75_000;
/**
 * The longest answer that waits for an earlier one on its connection, unless it is a stream; a longer one ends the connection
 * instead. So a client that asks many times at once and reads nothing does not fill the send buffer of the kernel, up to 4 MB
 * for each connection. Clients that do not pipeline requests never meet this.
 */
export const MAX_PIPELINED_BYTES = 128 * 1024;
/** The most of a longer answer that is written before the thread handles other requests. */
export const PIECE_BYTES = 64 * 1024;
/** How often connections are checked against the time-outs above. */
export const CONNECTION_CHECK_INTERVAL_MS = 5_000;
/** Per API thread; further connections are closed at once. */
export const MAX_CONNECTIONS_PER_THREAD = 10_000;

/** A request that takes longer is always logged. */
export const SLOW_REQUEST_MS = 500;

export const MAX_FORM_FIELDS = 32;
/** Values in a body of JSON, at any depth. The largest batch of entries has 2,000. */
export const MAX_JSON_VALUES = 20_000;
/** How deeply arrays and objects may be nested, so that bodies can be walked recursively. Ours have at most four levels. */
export const MAX_JSON_DEPTH = 64;
/**
 * However small a chunk or packet of a body is, it costs about 2 us, and 200 bytes until the body is whole. A sender that
 * writes each token of JSON by itself needs 8,000 for the largest batch of entries.
 */
export const MAX_SMALL_PIECES = 20_000;
export const SMALL_PIECE_BYTES = 128;
/** How much of a refused upload is read and dropped while the client goes on sending; then the connection is cut. */
export const MAX_DROPPED_BYTES = 32 * 1024 * 1024;

/** Time-out for a body that is no image, after its headers: 1 MiB, the longest body, over 300 kbit/s take 28 s. */
export const BODY_TIMEOUT_MS = 30_000;
/** An image or file of which nothing comes for this long is given up, so that it holds no place which others could use. */
export const UPLOAD_STALL_MS = 20_000;
/** So is one that brings less than this on average, once it has taken `UPLOAD_STALL_MS`: EDGE has 16 kB/s. */
export const MIN_UPLOAD_BYTES_PER_S = 4 * 1024;
/** A long answer of which the client takes nothing for this long is given up, so that it holds no memory, file or place. */
export const ANSWER_STALL_MS = 30_000;
