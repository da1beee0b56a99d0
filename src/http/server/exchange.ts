import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ErrorCode } from '@larder/core/errors.ts';
import type { Caller } from '../../access/api-key.ts';
import type { SecurityEvent } from '../../access/security-log.ts';
import type { CacheSlot, Operation, Reply } from '../../api/operation.ts';
import type { CalledReply, CallParts, HeaderValue } from '../../api/operation-call.ts';
import type { RawRequest } from '../../api/validation.ts';
import type { IdSource } from '../../base/time-ordered-id.ts';
import type { ClientAddresses } from './connection/client-addresses.ts';
import { ANSWER_STALL_MS, MAX_PIPELINED_BYTES, PIECE_BYTES } from './connection/limits.ts';

const SANE = /^[A-Za-z0-9._-]{1,128}$/;

/** The id that follows a request through answer and logs: the caller's own where it is sane, else a new one. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID();
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Headers of every answer. Answers depend on a credential and change with the catalogue, so caches must not store them;
 * an operation whose answer may be stored says so itself.
 */
export const BASE_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
} as const;

/** An answer with everything that its operation says of it, ready to be sent. */
export interface CompleteReply extends Pick<Reply, 'body'> {
  readonly status: number;
  /** Whether the endpoint may send it again. */
  readonly isKept?: boolean;
  /** Code of an error that is answered for the first time. */
  readonly code?: ErrorCode;
  /** Headers that not every answer has. Without a body there is no `content-type`. */
  readonly headers: Readonly<Record<string, HeaderValue>>;
}

/** Services that all exchanges of a server share. */
export interface ExchangeServices {
  readonly clients: ClientAddresses;
  /** `Strict-Transport-Security` of answers over TLS; absent if it is not sent. */
  readonly transportSecurity?: string | undefined;
  readonly calls: {
    make(operation: Operation<never>, parts: CallParts, outer: Exchange): Promise<CalledReply>;
  };
  readonly guard: { recheck(exchange: Exchange): Promise<void> };
}

/**
 * One request and the headers of its answer. Its handler gets it as an `OperationRequest`, after the guard has set the
 * caller and the schemas have accepted the rest.
 */
export class Exchange {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly startedAtMs: number;
  readonly requestId: string;
  /** Headers of the answer; names in lower case. */
  readonly replyHeaders: Record<string, HeaderValue>;
  readonly basePath: string;
  /** Path and query without the base path. */
  url: string;
  /** Path, query, headers and body as they came, untrusted. */
  readonly raw: { -readonly [Part in keyof RawRequest]: RawRequest[Part] };
  /** Undefined where the address has none, and until it is found. */
  endpoint: { readonly operation: Operation<never> } | undefined = undefined;
  /** Whether a rate limit has counted the request. */
  isCounted = false;
  caller: Caller | undefined = undefined;
  params: unknown = undefined;
  query: unknown = undefined;
  headers: unknown = undefined;
  body: unknown = undefined;
  ids: IdSource | undefined = undefined;
  /** The place of the answer in the cache of its endpoint, found before the data is read. */
  place: CacheSlot | undefined = undefined;
  readonly hasBody: boolean;
  /** Whether its client decides how long it lasts. */
  isLasting = false;
  errorCode: ErrorCode | undefined = undefined;
  /** The person whom an operation without a caller has found to be the sender. */
  identified: string | undefined = undefined;
  /** The security event, if it differs from that of the operation. */
  event: SecurityEvent | undefined = undefined;
  readonly #services: ExchangeServices;

  constructor(incoming: IncomingMessage, response: ServerResponse, services: ExchangeServices) {
    const { method, headers } = incoming;
    this.incoming = incoming;
    this.response = response;
    this.startedAtMs = performance.now();
    this.requestId = requestIdOf(headers['x-request-id']);
    this.replyHeaders = { ...BASE_HEADERS, 'x-request-id': this.requestId };
    const { transportSecurity } = services;
    // RFC 6797, 7.2: never over plain HTTP.
    if (transportSecurity !== undefined && services.clients.originOf(incoming).startsWith('https:'))
      this.replyHeaders['strict-transport-security'] = transportSecurity;
    this.basePath = services.clients.basePathOf(incoming);
    this.url = incoming.url!;
    this.raw = { params: {}, query: {}, headers, body: undefined };
    this.hasBody =
      method !== 'GET' &&
      method !== 'HEAD' &&
      (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0);
    this.#services = services;
  }

  left(): AbortSignal {
    const abort = new AbortController();
    this.isLasting = true;
    if (this.response.destroyed) abort.abort();
    else this.response.once('close', () => abort.abort());
    return abort.signal;
  }

  get cookies(): string | undefined {
    return this.incoming.headers.cookie;
  }

  get address(): string {
    return this.#services.clients.addressOf(this.incoming);
  }

  /** Address of this service without a path, such as `https://larder.example`. */
  get origin(): string {
    return this.#services.clients.originOf(this.incoming);
  }

  get baseUrl(): string {
    return this.origin + this.basePath;
  }

  /** Whether `origin` comes from the configuration, not from the request. */
  get isNamed(): boolean {
    return this.#services.clients.isNamed;
  }

  identify(personId: string, event?: SecurityEvent): void {
    this.identified = personId;
    this.event = event;
  }

  recheck(): Promise<void> {
    return this.#services.guard.recheck(this);
  }

  call(operation: Operation<never>, parts: CallParts): Promise<CalledReply> {
    return this.#services.calls.make(operation, parts, this);
  }
}

/** How often the credential of a download is checked again. */
const RECHECK_MS = 500;
const NO_CONTENT = 204;
export const NOT_MODIFIED = 304;

/**
 * Writes head and body. What is there at once goes out in one write, if it is not large; a stream is read as fast as the client
 * takes it. Calls `fail` where a stream breaks before its first byte.
 */
export function sendReply(exchange: Exchange, reply: CompleteReply, fail: (error: unknown) => void): void {
  const { response, incoming } = exchange;
  const { status, body } = reply;
  const headers = Object.assign(exchange.replyHeaders, reply.headers);
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    const length = Buffer.byteLength(body);
    headers['content-length'] = length;
    if (length > MAX_PIPELINED_BYTES && response.socket === null) {
      // RFC 9112, 9.3.2: the client asks again for what was not answered.
      incoming.socket.destroySoon();
      return;
    }
    response.writeHead(status, headers);
    if (length <= MAX_PIPELINED_BYTES || incoming.method === 'HEAD') return void response.end(body);
    endIfUnread(response);
    void writeInPieces(typeof body === 'string' ? Buffer.from(body) : body, response);
  } else if (body === undefined) {
    // RFC 9110, 8.6: these two must not have a length.
    if (status !== NO_CONTENT && status !== NOT_MODIFIED) headers['content-length'] = 0;
    response.writeHead(status, headers);
    response.end();
  } else if (typeof body === 'function') {
    headers['connection'] = 'close';
    response.writeHead(status, headers);
    if (incoming.method === 'HEAD') response.end();
    else body(response);
  } else {
    sendStream(body, exchange, status, fail);
  }
}

/** Never rejects. The thread handles other requests between two pieces: the kernel copies up to 4 MB for each client at once. */
async function writeInPieces(body: Buffer, response: ServerResponse): Promise<void> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) {
    if (at > 0) await nextTurn();
    if (response.destroyed) return;
    const isFull = !response.write(body.subarray(at, at + PIECE_BYTES));
    if (isFull) await drained(response);
  }
  response.end();
}

/** Resolves when more can be written, or never will be. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
  });
}

/** The head waits for the first bytes, since until then the answer can become an error. */
function sendStream(
  body: Readable,
  exchange: Exchange,
  status: number,
  fail: (error: unknown) => void,
): void {
  const { response, incoming, replyHeaders } = exchange;
  body.once('error', fail);
  response.once('close', () => body.destroy());
  body.once('readable', () => {
    body.off('error', fail);
    response.writeHead(status, replyHeaders);
    if (incoming.method === 'HEAD') {
      body.destroy();
      response.end();
    } else {
      endIfUnread(response);
      pipeline(
        body,
        (chunks: AsyncIterable<Buffer>) => whileAllowed(chunks, exchange),
        response,
        () => {},
      );
    }
  });
}

/** Ends a long download with the credential that began it. */
async function* whileAllowed(chunks: AsyncIterable<Buffer>, exchange: Exchange): AsyncGenerator<Buffer> {
  let checkedAtMs = performance.now();
  for await (const chunk of chunks) {
    if (performance.now() - checkedAtMs >= RECHECK_MS) {
      await exchange.recheck();
      checkedAtMs = performance.now();
    }
    yield chunk;
  }
}

/** Ends the connection of a client that takes nothing of an answer; not of one that waits for more. */
function endIfUnread(response: ServerResponse): void {
  response.setTimeout(ANSWER_STALL_MS, () => {
    if (response.writableLength > 0) response.destroy();
  });
}
