import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, type ErrorCode } from '@larder/core/errors.ts';
import type { LoggedEvent } from '../../access/security-event-store.ts';
import { EVENT_OF, resultOf } from '../../access/security-log.ts';
import type { BodyDeclaration } from '../../api/operation.ts';
import { withoutBasePath } from '../../base/base-path.ts';
import { prefersHtml } from './connection/accept-headers.ts';
import { admitFile, bodyTooLarge, brokeOff, receiveBody, tookTooLong } from './connection/body.ts';
import type { ClientAddresses } from './connection/client-addresses.ts';
import {
  MAX_DROPPED_BYTES,
  MAX_URL_LENGTH,
  MIN_UPLOAD_BYTES_PER_S,
  SLOW_REQUEST_MS,
  SMALL_PIECE_BYTES,
  UPLOAD_STALL_MS,
} from './connection/limits.ts';
import { type AllowOrigin, isPreflight, preflightReply, requireOwnOrigin } from './cors.ts';
import type { Endpoint } from './endpoint.ts';
import { errorReply, FIRST_SERVER_FAULT } from './error-response.ts';
import { type CompleteReply, Exchange, type ExchangeServices, sendReply } from './exchange.ts';
import { Execution, type ExecutionOptions } from './execution.ts';
import { OperationCalls } from './operation-calls.ts';
import { PAGE_TYPE, PLAIN_PAGE_HEADERS, plainPage } from './plain-page.ts';
import type { FoundPath, Router } from './router.ts';

/** Whether a browser asks for a page that does not exist. Paths of the API and files of the page answer JSON. */
function isMissingPage({ incoming: { method, headers }, endpoint, url }: Exchange): boolean {
  if (method !== 'GET' || url.startsWith('/v1/') || !prefersHtml(headers.accept)) return false;
  return endpoint === undefined || endpoint.operation.answer.contentType === PAGE_TYPE;
}

/** The page in place of the JSON of `not_found`. */
function notFoundPage(error: CompleteReply, basePath: string): CompleteReply {
  const body = plainPage(
    'Not found · Larder',
    `    <h1>There is nothing at this address</h1>
    <p><a href="${basePath}/">Open Larder</a> or read the <a href="${basePath}/docs">documentation of the API</a>.</p>`,
  );
  return { ...error, headers: PLAIN_PAGE_HEADERS, body };
}

/**
 * The body of a request; the connection survives a reader that stops early. Throws `invalid_request` where nothing comes
 * for `UPLOAD_STALL_MS`, or less than `MIN_UPLOAD_BYTES_PER_S`; the connection can then be used for nothing else.
 */
export async function* rawBody(request: IncomingMessage, onStall: () => void): AsyncGenerator<Buffer, void> {
  const chunks = request.iterator({ destroyOnReturn: false });
  const beganAtMs = performance.now();
  let sizeBytes = 0;
  try {
    for (;;) {
      const next = await unlessStalled(chunks.next());
      if (next?.done === true) return;
      sizeBytes += next?.value.length ?? 0;
      if (next === undefined || trickles(sizeBytes, performance.now() - beganAtMs)) {
        onStall();
        throw tookTooLong();
      }
      yield next.value;
    }
  } catch (cause) {
    if (cause instanceof AppError || !request.destroyed || request.complete) throw cause;
    throw brokeOff(cause);
  } finally {
    // Not awaited: after a stall it has to wait for the client. Its failure is that of the connection.
    chunks.return?.().catch(() => {});
  }
}

function trickles(sizeBytes: number, elapsedMs: number): boolean {
  return elapsedMs > UPLOAD_STALL_MS && sizeBytes < (elapsedMs / 1_000) * MIN_UPLOAD_BYTES_PER_S;
}

/** Undefined where it takes too long. */
async function unlessStalled<T>(next: Promise<T>): Promise<T | undefined> {
  const stalled = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => stalled.resolve(undefined), UPLOAD_STALL_MS);
  try {
    return await Promise.race([next, stalled.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads past the rest of a body, so that the connection can take the next request. */
function dropRest(request: IncomingMessage): void {
  let droppedBytes = 0;
  request.on('data', (chunk: Buffer) => {
    // However small, a piece costs as much as this.
    droppedBytes += Math.max(chunk.length, SMALL_PIECE_BYTES);
    if (droppedBytes > MAX_DROPPED_BYTES) request.destroy();
  });
  // The answer is on its way already, so a client that breaks off now needs no error.
  request.on('error', () => {});
  request.resume();
}

/** One answered request, as metrics see it. */
export interface ObservedRequest {
  /** The declared path, never the one that was sent: a bounded set of names. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly durationMs: number;
  /** Code of the error, if it is one. */
  readonly code: ErrorCode | undefined;
}

export interface RequestObserver {
  started(): void;
  /** A page of an origin that is not allowed sent a request. */
  originRefused(): void;
  finished(request: ObservedRequest): void;
}

/** Changed by whoever runs the server. */
export interface ServiceState {
  /** While true, requests that still arrive on open connections are turned away. */
  readonly isStopping: boolean;
}

const UNKNOWN_ROUTE = 'unknown';
/** Operations whose clients decide how long they last, so they are never slow: streams, and uploads over slow lines. */
const LASTING: ReadonlySet<unknown> = new Set(['stream', 'uncounted']);

export interface RequestHandlerOptions extends ExecutionOptions {
  readonly router: Router;
  readonly endpoints: readonly Endpoint[];
  readonly clients: ClientAddresses;
  /** See `ExchangeServices`. */
  readonly transportSecurity?: string | undefined;
  readonly allowOrigin: AllowOrigin;
  readonly observer: RequestObserver;
  readonly service: ServiceState;
  /** Keeps security events for operators. */
  readonly securityEvents?: { keep(event: LoggedEvent): void } | undefined;
}

/**
 * The life of every request, from top to bottom. Each step throws what refuses the request. A request of a known caller for an
 * answer that is kept is answered before this returns, without waiting for anything.
 */
export class RequestHandler {
  readonly #options: RequestHandlerOptions;
  readonly #logsAll: boolean;
  readonly #execution: Execution;
  readonly #services: ExchangeServices;

  constructor(options: RequestHandlerOptions) {
    this.#options = options;
    this.#execution = new Execution(options);
    this.#services = {
      clients: options.clients,
      transportSecurity: options.transportSecurity,
      guard: options.guard,
      calls: new OperationCalls({ ...options, execution: this.#execution }),
    };
    this.#logsAll = options.log.isLevelEnabled('debug');
  }

  /** Never rejects. */
  readonly take = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { observer } = this.#options;
    const exchange = new Exchange(incoming, response, this.#services);
    // Rejected requests are counted as started.
    observer.started();
    try {
      await this.#answer(exchange);
    } catch (error) {
      await this.#refuse(exchange, error);
    }
  };

  async #answer(exchange: Exchange): Promise<void> {
    const { router, guard, allowOrigin, service } = this.#options;
    const mayBeRead = allowOrigin(exchange);
    if (lacksSlash(exchange)) return this.#send(exchange, withSlash(exchange));
    const found = findPath(router, exchange);
    // Uncounted: browsers ask once for each address, and to refuse costs as much as to answer. And before anything else
    // refuses it: a page may only read why its request is refused where its preflight is not.
    if (mayBeRead && isPreflight(exchange) && found.allowed.length > 0) {
      return this.#send(exchange, preflightReply(found.allowed));
    }
    const endpoint = found.endpoints.get(exchange.incoming.method!);
    exchange.endpoint = endpoint;
    exchange.raw.params = found.params;
    exchange.raw.query = found.query;
    admit(exchange, endpoint, service);
    if (endpoint === undefined) {
      await guard.unknown(exchange);
      throw notFound(exchange, found);
    }
    const { ownPagesOnly } = endpoint.operation;
    if (ownPagesOnly !== undefined && !mayBeRead) requireOwnOrigin(exchange, ownPagesOnly === 'named');
    if (!guard.admitNow(endpoint, exchange)) await guard.admit(endpoint, exchange);
    const { body } = endpoint.operation;
    if (body !== undefined) return this.#runWithBody(endpoint, body, exchange);
    if (exchange.hasBody) throw bodyTooLarge(0);
    if (exchange.incoming.method === 'POST')
      return this.#send(exchange, await this.#execution.run(endpoint, exchange));
    endpoint.read(exchange);
    this.#send(exchange, endpoint.findKept(exchange) ?? (await endpoint.perform(exchange)));
  }

  async #runWithBody(endpoint: Endpoint, declared: BodyDeclaration, exchange: Exchange): Promise<void> {
    const { incoming, raw } = exchange;
    // The rest of the body is not worth waiting for.
    const giveUp = () => (exchange.replyHeaders['connection'] = 'close');
    if (declared === 'raw') raw.body = rawBody(incoming, giveUp);
    else if ('file' in declared) {
      admitFile(exchange, declared);
      raw.body = rawBody(incoming, giveUp);
    } else {
      try {
        raw.body = await receiveBody(exchange, declared);
      } catch (error) {
        if (!incoming.complete) giveUp();
        throw error;
      }
    }
    // Unknown until now if the body holds the credential.
    if (exchange.caller === undefined) await this.#options.guard.admitByBody(endpoint, exchange);
    this.#send(exchange, await this.#execution.run(endpoint, exchange));
  }

  #send(exchange: Exchange, reply: CompleteReply): void {
    const { response } = exchange;
    exchange.errorCode = reply.code;
    sendReply(exchange, reply, (error) => void this.#refuse(exchange, error));
    if (response.writableEnded) this.#finished(exchange);
    else response.once('close', () => this.#finished(exchange));
  }

  /** Counts the request, and logs it if it was slow or failed; at level debug all of them. */
  #finished(exchange: Exchange): void {
    this.#logEvent(exchange);
    this.#count(exchange);
  }

  /** Records security events: changes of credentials, and data that is exported or erased. */
  #logEvent(exchange: Exchange): void {
    const { endpoint, response, caller, identified, address, errorCode: code, requestId } = exchange;
    const event = exchange.event ?? (endpoint && EVENT_OF[endpoint.operation.id]);
    if (event === undefined) return;
    const person = identified ?? (caller?.isMember ? caller.userId : undefined);
    const who = person === undefined ? caller && `key:${caller.key.id}` : `person:${person}`;
    const result = resultOf(event, response.statusCode, who);
    // The address comes before what senders choose, so that filters cannot be misled.
    const logged = { event, result, address, who, code, requestId };
    this.#options.log.info(logged, 'security event');
    this.#options.securityEvents?.keep(logged);
  }

  #count({
    endpoint,
    incoming,
    response,
    startedAtMs,
    isLasting,
    requestId,
    caller,
    errorCode: code,
  }: Exchange): void {
    const { observer, log } = this.#options;
    const durationMs = performance.now() - startedAtMs;
    const route = endpoint?.operation.path ?? UNKNOWN_ROUTE;
    const method = incoming.method!;
    const status = response.statusCode;
    observer.finished({ route, method, status, durationMs, code });
    const isSlow = durationMs > SLOW_REQUEST_MS && !isLasting && !LASTING.has(endpoint?.operation.counts);
    const isNoteworthy = status >= FIRST_SERVER_FAULT || isSlow;
    if (!isNoteworthy && !this.#logsAll) return;
    const line = { requestId, method, route, status, code, durationMs, caller: caller?.key.id };
    if (isNoteworthy) log.warn(line, 'request');
    else log.debug(line, 'request');
  }

  /** Never rejects. */
  async #refuse(exchange: Exchange, error: unknown): Promise<void> {
    const { guard, log } = this.#options;
    const { incoming, endpoint, hasBody, isCounted } = exchange;
    if (hasBody && !incoming.complete) dropRest(incoming);
    try {
      if (!isCounted && endpoint?.operation.counts !== 'uncounted') await guard.refused(exchange);
      const reply = errorReply(error, exchange, log);
      const isForBrowser = reply.code === 'not_found' && isMissingPage(exchange);
      this.#send(exchange, isForBrowser ? notFoundPage(reply, exchange.basePath) : reply);
    } catch (cause) {
      this.#giveUp(exchange, cause);
    }
  }

  /** Ends the connection of a request that cannot be answered. */
  #giveUp({ response, requestId }: Exchange, err: unknown): void {
    const { log } = this.#options;
    log.error({ err, requestId }, 'request could not be answered');
    response.destroy();
  }
}

/** Whether somebody opens the base path itself: links of the page lead to its folder, which it names only with a slash at its end. */
function lacksSlash({ incoming: { method, url }, basePath }: Exchange): boolean {
  if (basePath === '' || (method !== 'GET' && method !== 'HEAD')) return false;
  return url === basePath || url!.startsWith(`${basePath}?`);
}

function withSlash({ incoming, basePath }: Exchange): CompleteReply {
  return { status: 308, headers: { location: `${basePath}/${incoming.url!.slice(basePath.length)}` } };
}

/** Proxies may remove the base path or leave it in. */
function findPath(router: Router, exchange: Exchange): FoundPath {
  const found = router.find(exchange.url);
  const rest = found.allowed.length > 0 ? undefined : withoutBasePath(exchange.url, exchange.basePath);
  if (rest === undefined) return found;
  exchange.url = rest;
  return router.find(rest);
}

function notFound(exchange: Exchange, { allowed }: FoundPath): AppError {
  if (allowed.length === 0) {
    const message = `There is nothing at this address; see ${exchange.basePath}/docs.`;
    return new AppError({ code: 'not_found', message });
  }
  exchange.replyHeaders['allow'] = allowed.join(', ');
  return new AppError({
    code: 'method_not_allowed',
    message: `This address answers ${allowed.join(', ')} only.`,
    details: { allowed },
  });
}

/** Refuses requests that no operation should see, before authentication. */
function admit(exchange: Exchange, endpoint: Endpoint | undefined, { isStopping }: ServiceState): void {
  const { incoming, raw } = exchange;
  if (isStopping) {
    exchange.replyHeaders['connection'] = 'close';
    throw new AppError({ code: 'unavailable', message: 'The service is stopping; try again in a moment.' });
  }
  if (incoming.url!.length > MAX_URL_LENGTH) {
    endpoint?.operation.refuseLongUrl?.(raw.query);
    throw new AppError({
      code: 'invalid_request',
      message: `The address is longer than ${MAX_URL_LENGTH} characters.`,
      details: { limit: MAX_URL_LENGTH },
    });
  }
  // RFC 9112, 3.2: a server MUST answer 400 to an HTTP/1.1 request without Host,
  if (incoming.headers.host === undefined && incoming.httpVersionMinor >= 1) {
    throw new AppError({ code: 'invalid_request', message: 'The Host header is missing.' });
  }
  // and to any request with more than one. Node keeps only the first, and a proxy in front may have gone by another one.
  let hosts = 0;
  for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
    const name = incoming.rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (hosts > 1) {
    throw new AppError({ code: 'invalid_request', message: 'There is more than one Host header.' });
  }
}
