import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '@larder/core/errors.ts';
import { STATUS_CODES } from '../../base/node-http.ts';
import type { LimitDecision } from '../../counters/counters.ts';
import { tookTooLong } from './connection/body.ts';
import { MAX_HEADER_BYTES } from './connection/limits.ts';
import { ERROR_STATUS, errorBody } from './error-response.ts';
import { BASE_HEADERS, JSON_TYPE, requestIdOf } from './exchange.ts';
import type { GuardOptions } from './guard.ts';

type LimiterPort = Pick<GuardOptions, 'limiter'>;

/**
 * Answers connections without a valid request: bytes that are no HTTP, headers that are too large or too slow.
 * The parser has given up on the connection, so it ends with the answer.
 */
export async function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex & { readonly bytesRead?: number },
  options: LimiterPort,
): Promise<void> {
  // Browsers open connections in advance. They would take bytes on an unused one for the answer to their next request.
  const isUnused = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
  if (isUnused || error.code === 'ECONNRESET' || isOfTls(error) || !socket.writable || isAnswering(socket)) {
    socket.destroy();
    return;
  }
  // Node would close the socket as soon as the client has ended its side, while the request may still be being counted.
  socket.removeAllListeners('end');
  const headers = limitHeaders(await count(socket, options));
  endWith(socket, toRefusal(error), requestIdOf(undefined), headers);
}

/** Nothing can be said over a connection whose handshake failed. */
function isOfTls({ code = '' }: NodeJS.ErrnoException): boolean {
  return code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS') || code === 'EPROTO';
}

/** CONNECT asks for a tunnel, which Node hands over as a bare socket. */
export async function refuseTunnel(
  request: IncomingMessage,
  socket: Duplex,
  options: LimiterPort,
): Promise<void> {
  const error = new AppError({ code: 'method_not_allowed', message: 'This is not a proxy.' });
  const requestId = requestIdOf(request.headers['x-request-id']);
  endWith(socket, error, requestId, { ...limitHeaders(await count(socket, options)), allow: '' });
}

function toRefusal(error: NodeJS.ErrnoException): AppError {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return new AppError({
      code: 'invalid_request',
      message: `The request's headers are larger than ${MAX_HEADER_BYTES} bytes.`,
      details: { limitBytes: MAX_HEADER_BYTES },
    });
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return tookTooLong();
  }
  if (error.code === 'HPE_INVALID_URL') {
    return new AppError({
      code: 'invalid_request',
      message: 'The address has characters that have to be percent-encoded: spaces, or letters beyond ASCII.',
    });
  }
  return new AppError({ code: 'invalid_request', message: 'This is not a valid HTTP request.' });
}

/** Counted like every request without a credential, so that this answer too has the rate limit headers. */
function count(
  socket: Duplex & { remoteAddress?: string },
  { limiter }: LimiterPort,
): Promise<LimitDecision | undefined> {
  return limiter.take('other', { address: socket.remoteAddress ?? '' });
}

function limitHeaders(decision: LimitDecision | undefined): Record<string, number> {
  if (decision === undefined) return {};
  return {
    'x-ratelimit-limit': decision.limit,
    'x-ratelimit-remaining': decision.remaining,
    'x-ratelimit-reset': decision.resetsAt,
  };
}

function endWith(
  socket: Duplex,
  error: AppError,
  requestId: string,
  extraHeaders: Readonly<Record<string, string | number>>,
): void {
  // The client may have gone while its request was counted.
  if (!socket.writable) return;
  const body = errorBody(error, requestId);
  const status = ERROR_STATUS[error.code];
  const headers = {
    ...BASE_HEADERS,
    'content-type': JSON_TYPE,
    ...extraHeaders,
    'x-request-id': requestId,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

/** Whether an answer to an earlier request is half written; another in between would corrupt it. */
function isAnswering(socket: Duplex & { _httpMessage?: { headersSent: boolean } | null }): boolean {
  return socket._httpMessage?.headersSent === true;
}
