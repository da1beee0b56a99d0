import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../access/caller.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { type LimitDecision, WINDOW_SECONDS } from '../../limits/counters.ts';
import type { Operation } from '../../limits/operations.ts';
import type { Limiter, LimitSubject } from '../../limits/request-limiter.ts';
import { andThen, type MaybePromise } from '../../maybe-promise.ts';
import type { CallerAccess, CredentialKind, Route } from './route.ts';

const BEARER = /^Bearer +(\S+) *$/i;

const CHALLENGE: Readonly<Record<CredentialKind, string>> = {
  bearer: 'Bearer realm="larder"',
  'x-api-key': 'ApiKey realm="larder", header="x-api-key"',
  'client-secret': 'Bearer realm="larder"',
};

const HOW_TO_SEND: Readonly<Record<CredentialKind, string>> = {
  bearer: 'Send a key or an access token as "Authorization: Bearer <credential>".',
  'x-api-key': 'Send a key in the x-api-key header.',
  'client-secret': 'Send a key as client_secret in the body.',
};

const TOKEN_CODES: readonly ErrorCode[] = ['invalid_token', 'expired_token'];

export interface GuardPorts {
  /** Finds the caller of this credential; rejects with an AppError for one that is unknown, expired or revoked. */
  readonly authenticate: (credential: string, kind: CredentialKind) => MaybePromise<Caller>;
  readonly limiter: Limiter;
  /** The clock of rate limits, Unix milliseconds. */
  readonly nowMs: () => number;
}

/** What a guard reads of a request, whichever way it came in. */
type GuardedRequest = Pick<FastifyRequest, 'headers' | 'body' | 'params' | 'ip'>;

/** Takes the headers of an answer. */
export interface HeaderSink {
  header(name: string, value: string | number): unknown;
}

/** Decides whether an authenticated caller may proceed: counts the request, checks the scope, keeps users apart. */
export type Admission = (
  caller: Caller,
  request: Pick<GuardedRequest, 'params'>,
  reply: HeaderSink,
) => MaybePromise<void>;

/** Calls `done` at once wherever nothing has to be waited for. */
type Guard = (request: FastifyRequest, reply: FastifyReply, done: (refusal?: Error) => void) => void;

/**
 * The one place that decides whether a request may pass: authentication, authorisation and rate limits. Each route gets
 * its own guard, made from its declaration. It runs before anything of the body is read; where the body holds the
 * credential, only addresses that may still guess get that far. It passes the AppError that refuses the request to `done`.
 */
export function createGuard(
  route: Pick<Route, 'access' | 'operation'>,
  ports: GuardPorts,
): { onRequest?: Guard; preHandler?: Guard } {
  const { access, operation } = route;
  if (access !== 'public' && 'secret' in access) {
    return {
      onRequest: (request, reply, done) => finish(requireSecret(access.secret, ports, request, reply), done),
    };
  }
  if (operation === 'uncounted' || operation === 'health') {
    if (access !== 'public') throw new Error(`a route that counts as ${operation} is not for callers`);
    if (operation === 'uncounted') return {};
    return {
      onRequest: (request, reply, done) => finish(count(ports, 'other', { prober: request.ip }, reply), done),
    };
  }
  if (access === 'public') {
    return {
      onRequest: (request, reply, done) =>
        finish(count(ports, operation, { address: request.ip }, reply), done),
    };
  }
  const admit = createAdmission({ access, operation }, ports);
  const guard: Guard = (request, reply, done) => {
    const admitted = andThen(identify(access.credential, ports, request, reply), (caller) => {
      request.caller = caller;
      return admit(caller, request, reply);
    });
    finish(admitted, done);
  };
  if (access.credential !== 'client-secret') return { onRequest: guard };
  return {
    onRequest: (request, reply, done) => finish(refuseExhausted(ports, request, reply), done),
    preHandler: guard,
  };
}

function finish(admitted: MaybePromise<void>, done: (refusal?: Error) => void): void {
  if (admitted instanceof Promise) admitted.then(() => done(), done);
  else done();
}

/** The part of a route's guard that follows authentication. */
export function createAdmission(
  { access, operation }: { access: CallerAccess; operation: Operation },
  ports: GuardPorts,
): Admission {
  return (caller, request, reply) =>
    count(ports, operation, caller, reply, () => {
      requireScope(caller, access.scope);
      requireOwnUser(caller, request);
    });
}

/**
 * Refuses an address that has no requests without a valid credential left. It is not counted here: a request that turns
 * out to have a valid credential counts for that alone.
 */
function refuseExhausted(
  { limiter, nowMs }: GuardPorts,
  request: FastifyRequest,
  reply: FastifyReply,
): MaybePromise<void> {
  return andThen(limiter.peek({ address: request.ip }), (decision) => {
    if (decision?.allowed !== false) return;
    tell(decision, reply);
    refuse(decision, nowMs(), reply);
  });
}

/** Requests with the secret are not counted, all others by address. */
function requireSecret(
  secret: string,
  ports: GuardPorts,
  request: FastifyRequest,
  reply: FastifyReply,
): MaybePromise<void> {
  if (isBearerOf(secret, request.headers.authorization)) return;
  return count(ports, 'other', { address: request.ip }, reply, () => {
    reply.header('www-authenticate', CHALLENGE.bearer);
    const message = 'Send the secret of this address as "Authorization: Bearer <secret>".';
    throw new AppError({ code: 'invalid_api_key', message });
  });
}

/** Compares in constant time. */
function isBearerOf(secret: string, authorization = ''): boolean {
  const given = hash('sha256', authorization, 'buffer');
  return timingSafeEqual(given, hash('sha256', `Bearer ${secret}`, 'buffer'));
}

/** Guards paths without a route: requests with a valid credential are counted by it, all others by address. */
export function createNotFoundGuard(
  ports: GuardPorts,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    const kind = request.headers.authorization === undefined ? 'x-api-key' : 'bearer';
    const caller = await Promise.resolve(authenticate(kind, ports, request)).catch((error) => {
      if (error instanceof AppError) return undefined;
      throw error;
    });
    await count(ports, 'other', caller ?? { address: request.ip }, reply);
  };
}

/** Counts a request that was refused before its guard ran, so that every answer has the rate limit headers. */
export function countRefused(
  { limiter }: GuardPorts,
  request: FastifyRequest,
  reply: FastifyReply,
): MaybePromise<void> {
  if (request.routeOptions.config.declaration?.operation === 'uncounted') return undefined;
  if (reply.hasHeader('x-ratelimit-limit')) return undefined;
  return andThen(limiter.take('other', { address: request.ip }), (decision) => tell(decision, reply));
}

function identify(
  kind: CredentialKind,
  ports: GuardPorts,
  request: FastifyRequest,
  reply: FastifyReply,
): MaybePromise<Caller> {
  const caller = authenticate(kind, ports, request);
  if (!(caller instanceof Promise)) return caller;
  return caller.catch(async (error) => {
    if (error instanceof AppError) {
      await count(ports, 'other', { address: request.ip }, reply);
      // RFC 6750, 3.1: tells a bad token apart from a missing one.
      const reason = TOKEN_CODES.includes(error.code) ? ', error="invalid_token"' : '';
      reply.header('www-authenticate', CHALLENGE[kind] + reason);
    }
    throw error;
  });
}

/** Who holds the credential that came with a request. Refusals are rejections. */
export function authenticate(
  kind: CredentialKind,
  ports: Pick<GuardPorts, 'authenticate'>,
  request: Pick<GuardedRequest, 'headers' | 'body'>,
): MaybePromise<Caller> {
  const credential = credentialOf(request, kind);
  if (typeof credential === 'string' && credential !== '') return ports.authenticate(credential, kind);
  const message = `A credential is missing. ${HOW_TO_SEND[kind]}`;
  return Promise.reject(new AppError({ code: 'invalid_api_key', message }));
}

function credentialOf(
  { headers, body }: Pick<GuardedRequest, 'headers' | 'body'>,
  kind: CredentialKind,
): unknown {
  if (kind === 'bearer') return BEARER.exec(headers.authorization ?? '')?.[1];
  if (kind === 'x-api-key') return headers['x-api-key'];
  return (body as { client_secret?: unknown } | null | undefined)?.client_secret;
}

/** Throws `forbidden` where the credential lacks the scope. */
export function requireScope(caller: Caller, scope: Caller['scopes'][number] | undefined): void {
  if (scope === undefined || caller.scopes.includes(scope)) return;
  throw new AppError({
    code: 'forbidden',
    message: `This needs the scope ${scope}, which the credential does not have.`,
    details: { scope },
  });
}

/** A path with a `:userId` is closed to tokens of other users, before anything is looked up. */
function requireOwnUser(caller: Caller, request: Pick<GuardedRequest, 'params'>): void {
  requireUser(caller, (request.params as Readonly<Record<string, string>>)['userId']);
}

/** Throws `forbidden` where a token is for another user than `named`. A key may act for all users of its tenant. */
export function requireUser({ userId }: Caller, named: string | undefined): void {
  if (userId === undefined || named === undefined || named === userId) return;
  throw new AppError({ code: 'forbidden', message: 'This token is for another user.' });
}

/** Counts the request, then runs `andCheck`: in one step, since every further promise costs. */
function count(
  { limiter, nowMs }: GuardPorts,
  operation: Operation,
  subject: LimitSubject,
  reply: HeaderSink,
  andCheck?: () => void,
): MaybePromise<void> {
  return andThen(limiter.take(operation, subject), (decision) => {
    tell(decision, reply);
    if (decision?.allowed === false) refuse(decision, nowMs(), reply);
    andCheck?.();
  });
}

function tell(decision: LimitDecision | undefined, reply: HeaderSink): void {
  if (decision === undefined) return;
  reply.header('x-ratelimit-limit', decision.limit);
  reply.header('x-ratelimit-remaining', decision.remaining);
  reply.header('x-ratelimit-reset', decision.resetsAt);
}

function refuse({ resetsAt }: LimitDecision, nowMs: number, reply: HeaderSink): never {
  // Bounded, since the window ends by the clock of whoever counts, which may be another machine's.
  const retryAfter = Math.min(WINDOW_SECONDS, Math.max(1, Math.ceil(resetsAt - nowMs / 1000)));
  reply.header('retry-after', retryAfter);
  throw new AppError({
    code: 'rate_limit_exceeded',
    message: `Too many requests; wait ${retryAfter} seconds.`,
    details: { retryAfter },
  });
}
