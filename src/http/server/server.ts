import type { IncomingMessage, ServerResponse } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { parseSearchText } from '../../catalogue/food/search-request.ts';
import { AppError } from '../../errors.ts';
import type { IdempotentRequests } from '../../idempotency/idempotent-requests.ts';
import { andThen } from '../../maybe-promise.ts';
import { bodyDeadline, hasBodyToRead, refuseEncodedBodies } from './body-checks.ts';
import { refuseBodies, withBodyLimit } from './body-limit.ts';
import { acceptForms, acceptJson, dropRest, leaveBodiesUnread } from './body-parsers.ts';
import { refuseSmallPieces } from './body-pieces.ts';
import { type AllowOrigin, allowOrigins, answerPreflight, isAllowedPreflight } from './cors.ts';
import { errorAnswer } from './error-response.ts';
import { type FastLanePorts, FastPath } from './fast-path.ts';
import { countRefused, createGuard, createNotFoundGuard, type GuardPorts } from './guard.ts';
import { BASE_HEADERS, hasSeveralHosts, requestIdOf } from './headers.ts';
import { idempotencyHooks, isRepeatable } from './idempotency.ts';
import * as limits from './limits.ts';
import { hasEmptyParameter, MethodTable } from './method-table.ts';
import { observeRequests, RequestLog, type RequestObserver } from './request-log.ts';
import type { Route, RouteInput } from './route.ts';
import { answerClientError, refuseTunnel } from './socket-errors.ts';
import { trustedProxies } from './trusted-proxies.ts';

export interface ServerPorts extends GuardPorts {
  readonly routes: readonly Route[];
  readonly idempotentRequests: IdempotentRequests;
  /** Origins whose pages may read answers; see `allowOrigins`. */
  readonly corsOrigins: readonly string[];
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly observer: RequestObserver;
  readonly log: Logger;
  /** While true, requests that still arrive on open connections are turned away. */
  readonly isStopping: () => boolean;
}

/** The HTTP server of one thread, not yet listening. Every route it has was declared. */
export function createServer(ports: ServerPorts): FastifyInstance {
  const allowOrigin = allowOrigins(ports.corsOrigins);
  const server = Fastify({
    logger: false,
    trustProxy: ports.trustedProxies.length > 0 && trustedProxies(ports.trustedProxies),
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    bodyLimit: limits.MAX_BODY_BYTES,
    requestTimeout: limits.REQUEST_TIMEOUT_MS,
    keepAliveTimeout: limits.KEEP_ALIVE_TIMEOUT_MS,
    routerOptions: { maxParamLength: limits.MAX_URL_LENGTH },
    return503OnClosing: false,
    http: {
      maxHeaderSize: limits.MAX_HEADER_BYTES,
      headersTimeout: limits.HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: limits.CONNECTION_CHECK_INTERVAL_MS,
      // Node's own refusal has no body; `admit` refuses in our words.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, ports),
    frameworkErrors: (error, request, reply) => {
      addBaseHeaders(request, reply, allowOrigin);
      refuse(error, request, reply, ports);
    },
  });
  prepareSocketServer(server, ports);
  server.removeContentTypeParser('text/plain');
  acceptJson(server);
  server.decorateRequest('caller', null);
  server.decorateRequest('ids', undefined);
  server.setErrorHandler((error, request, reply) =>
    refuse(withBodyLimit(error, request), request, reply, ports),
  );
  const requests = new RequestLog(ports);
  // First: what is turned away has begun, too.
  observeRequests(server, requests);
  const methods = new MethodTable(ports.routes);
  server.addHook('onRequest', (request, reply, done) => {
    // The framework would look for a parser of this type, though there is nothing to parse.
    if (request.method === 'DELETE' && !hasBodyToRead(request)) delete request.headers['content-type'];
    addBaseHeaders(request, reply, allowOrigin);
    // Uncounted: browsers ask once for each address, and to refuse costs as much as to answer. And before anything else
    // refuses it: a page may only read why its request is refused where its preflight is not.
    const asked = isAllowedPreflight(request, reply) ? methods.allowedAt(request.raw.url!) : [];
    if (asked.length > 0) return answerPreflight(asked, reply);
    admit(request, reply, ports.isStopping());
    done();
  });
  addRoutes(server, methods, ports);
  addFastLane(server, { ...ports, methods, allowOrigin, requests });
  return server;
}

function prepareSocketServer({ server }: FastifyInstance, ports: GuardPorts): void {
  server.maxConnections = limits.MAX_CONNECTIONS_PER_THREAD;
  server.on('connect', (request, socket) => refuseTunnel(request, socket, ports));
  // An expectation that we do not know may be ignored (RFC 9110, 10.1.1); Node's own refusal has no body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

function addBaseHeaders(request: FastifyRequest, reply: FastifyReply, allowOrigin: AllowOrigin): void {
  reply.headers(BASE_HEADERS);
  reply.header('x-request-id', request.id);
  allowOrigin(request.headers.origin, reply);
}

/** Turns away what no route should see. */
function admit(request: FastifyRequest, reply: FastifyReply, isStopping: boolean): void {
  if (isStopping) {
    reply.header('connection', 'close');
    throw new AppError({ code: 'unavailable', message: 'The service is stopping; try again in a moment.' });
  }
  if (request.raw.url!.length > limits.MAX_URL_LENGTH) refuseLongAddress(request);
  // RFC 9112, 3.2: a server MUST answer 400 to an HTTP/1.1 request without Host,
  if (request.headers.host === undefined && request.raw.httpVersionMinor >= 1) {
    throw new AppError({ code: 'invalid_request', message: 'The Host header is missing.' });
  }
  // and to any request with more than one.
  if (hasSeveralHosts(request.raw)) {
    throw new AppError({ code: 'invalid_request', message: 'There is more than one Host header.' });
  }
}

/** A search text that makes an address too long is refused as any other text that is too long. */
function refuseLongAddress({ routeOptions, query }: FastifyRequest): never {
  const isSearch = routeOptions.config.declaration?.operation === 'search';
  if (isSearch) parseSearchText(String((query as RouteInput['Querystring'])['q'] ?? ''));
  throw new AppError({
    code: 'invalid_request',
    message: `The address is longer than ${limits.MAX_URL_LENGTH} characters.`,
    details: { limit: limits.MAX_URL_LENGTH },
  });
}

/** What comes over a socket is offered to the fast path first. */
function addFastLane({ server }: FastifyInstance, ports: FastLanePorts): void {
  const lane = new FastPath(ports);
  const [framework] = server.listeners('request') as [
    (request: IncomingMessage, response: ServerResponse) => void,
  ];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (!lane.take(request, response)) framework(request, response);
  });
}

function addRoutes(server: FastifyInstance, methods: MethodTable, ports: ServerPorts): void {
  server.addHook('onRoute', ({ method, url, config }) => {
    if (config?.declaration === undefined) throw new Error(`the route ${method} ${url} was not declared`);
  });
  const idempotency = idempotencyHooks(ports.idempotentRequests);
  const readsBody = [refuseEncodedBodies, bodyDeadline(limits.BODY_TIMEOUT_MS), refuseSmallPieces];
  const add = (scope: FastifyInstance, route: Route) =>
    scope.route<RouteInput>({
      method: route.method,
      url: route.path,
      config: { declaration: route },
      ...(isRepeatable(route) && idempotency),
      ...(route.bodyLimit !== undefined && { bodyLimit: route.bodyLimit }),
      ...(!route.readsRawBody && { preParsing: route.bodyLimit === undefined ? refuseBodies : readsBody }),
      ...createGuard(route, ports),
      handler: route.handle,
    });
  // In scopes of their own, so that no other route accepts what these do.
  const scopes = { json: () => {}, form: acceptForms, raw: leaveBodiesUnread };
  for (const [kind, prepare] of Object.entries(scopes)) {
    server.register(async (scope) => {
      prepare(scope);
      for (const route of ports.routes) if (bodyKind(route) === kind) add(scope, route);
    });
  }
  addNotFound(server, methods, ports);
}

function bodyKind({ readsRawBody, acceptsForm }: Route): 'json' | 'form' | 'raw' {
  if (readsRawBody === true) return 'raw';
  return acceptsForm === true ? 'form' : 'json';
}

/** Answers paths without a route, before any body is read. */
function addNotFound(server: FastifyInstance, methods: MethodTable, ports: ServerPorts): void {
  const overlapping = new Set(ports.routes.filter((route) => methods.mistakenFor(route).length > 0));
  const guard = createNotFoundGuard(ports);
  server.addHook('onRequest', (request, reply, done) => {
    const { declaration } = request.routeOptions.config;
    // `DELETE /foods/search` is a wrong method, not the deletion of the food "search".
    const isMisrouted =
      declaration !== undefined &&
      overlapping.has(declaration) &&
      !methods.allowedAt(request.raw.url!).includes(request.method);
    if (!request.is404 && !isMisrouted && !hasEmptyParameter(request.params)) return done();
    const allowed = methods.allowedAt(request.raw.url!);
    guard(request, reply).then(() => {
      if (allowed.length > 0) reply.header('allow', allowed.join(', '));
      done(allowed.length > 0 ? wrongMethod(allowed) : unknownPath());
    }, done);
  });
}

function unknownPath(): AppError {
  return new AppError({ code: 'not_found', message: 'There is nothing at this address; see /docs.' });
}

function wrongMethod(allowed: readonly string[]): AppError {
  return new AppError({
    code: 'method_not_allowed',
    message: `This address answers ${allowed.join(', ')} only.`,
    details: { allowed },
  });
}

function refuse(thrown: unknown, request: FastifyRequest, reply: FastifyReply, ports: ServerPorts): void {
  if (hasBodyToRead(request) && !request.raw.complete) dropRest(request.raw);
  andThen(countRefused(ports, request, reply), () => sendError(thrown, reply, ports.log));
}

function sendError(thrown: unknown, reply: FastifyReply, log: Logger): void {
  const { status, headers, body } = errorAnswer(thrown, reply.request.id, log);
  reply.code(status).headers({ ...headers, 'content-type': BASE_HEADERS['content-type'] });
  reply.send(body);
}
