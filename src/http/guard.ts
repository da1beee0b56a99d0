import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import type { LimitDecision, Limiter } from '../limits/limiter.ts';
import type { Operation } from '../limits/operations.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import type { CredentialKind, Route } from './route.ts';

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
  /** Finds who holds this credential; throws an AppError for one that is unknown, expired or revoked. */
  readonly authenticate: (credential: string, kind: CredentialKind) => MaybePromise<Caller>;
  readonly limiter: Limiter;
  /** The clock of rate limits, Unix milliseconds. */
  readonly now: () => number;
}

/** Calls `done` at once wherever nothing has to be waited for. */
type Guard = (request: FastifyRequest, reply: FastifyReply, done: (refusal?: Error) => void) => void;

/**
 * The one place where it is decided whether a request may pass: who asks, what that caller may do, and
 * how much of it. Each route gets its own guard, made from its declaration: it runs before anything is read of the
 * body, unless the body holds the credential. A guard throws the AppError that refuses the request.
 */
export function createGuard(
  route: Pick<Route, 'access' | 'operation'>,
  ports: GuardPorts,
): { onRequest?: Guard; preHandler?: Guard } {
  const { access, operation } = route;
  if (operation === 'uncounted') {
    if (access !== 'public') throw new Error('a route that is not counted has to be public');
    return {};
  }
  if (access === 'public') {
    return {
      onRequest: (request, reply, done) => {
        count(ports, operation, undefined, request, reply);
        done();
      },
    };
  }
  const guard: Guard = (request, reply, done) => {
    const admit = (caller: Caller) => {
      count(ports, operation, caller, request, reply);
      requireScope(caller, access.scope);
      requireOwnUser(caller, request);
      request.caller = caller;
    };
    const admitted = andThen(identify(access.credential, ports, request, reply), admit);
    if (admitted instanceof Promise) admitted.then(() => done(), done);
    else done();
  };
  return access.credential === 'client-secret' ? { preHandler: guard } : { onRequest: guard };
}

/** Guards what has no route: whoever shows a valid credential there is counted by it, anybody else by address. */
export function createNotFoundGuard(
  ports: GuardPorts,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    const kind = request.headers.authorization === undefined ? 'x-api-key' : 'bearer';
    const caller = await Promise.resolve(authenticate(kind, ports, request)).catch((error) => {
      if (error instanceof AppError) return undefined;
      throw error;
    });
    count(ports, 'other', caller, request, reply);
  };
}

/** Counts a request that was refused before its guard was asked, so that every answer tells where its client stands. */
export function countRefused(ports: GuardPorts, request: FastifyRequest, reply: FastifyReply): void {
  if (request.routeOptions.config.declaration?.operation === 'uncounted') return;
  if (!reply.hasHeader('x-ratelimit-limit'))
    tell(ports.limiter.take('other', { address: request.ip }), reply);
}

function identify(
  kind: CredentialKind,
  ports: GuardPorts,
  request: FastifyRequest,
  reply: FastifyReply,
): MaybePromise<Caller> {
  const caller = authenticate(kind, ports, request);
  if (!(caller instanceof Promise)) return caller;
  return caller.catch((error) => {
    if (error instanceof AppError) {
      count(ports, 'other', undefined, request, reply);
      // RFC 6750, 3.1: a token that was sent and is no good is told apart from none.
      const reason = TOKEN_CODES.includes(error.code) ? ', error="invalid_token"' : '';
      reply.header('www-authenticate', CHALLENGE[kind] + reason);
    }
    throw error;
  });
}

/** Refusals are rejections. */
function authenticate(
  kind: CredentialKind,
  ports: GuardPorts,
  request: FastifyRequest,
): MaybePromise<Caller> {
  const credential = credentialOf(request, kind);
  if (typeof credential === 'string' && credential !== '') return ports.authenticate(credential, kind);
  const message = `A credential is missing. ${HOW_TO_SEND[kind]}`;
  return Promise.reject(new AppError({ code: 'invalid_api_key', message }));
}

function credentialOf({ headers, body }: FastifyRequest, kind: CredentialKind): unknown {
  if (kind === 'bearer') return BEARER.exec(headers.authorization ?? '')?.[1];
  if (kind === 'x-api-key') return headers['x-api-key'];
  return (body as { client_secret?: unknown } | null | undefined)?.client_secret;
}

function requireScope(caller: Caller, scope: Caller['scopes'][number] | undefined): void {
  if (scope === undefined || caller.scopes.includes(scope)) return;
  throw new AppError({
    code: 'forbidden',
    message: `This needs the scope ${scope}, which the credential does not have.`,
    details: { scope },
  });
}

/** A path that names a user belongs to that user: others are refused before anything is looked up. */
function requireOwnUser({ userId }: Caller, request: FastifyRequest): void {
  const named = (request.params as Readonly<Record<string, string>>)['userId'];
  if (userId === undefined || named === undefined || named === userId) return;
  throw new AppError({ code: 'forbidden', message: 'This token is for another user.' });
}

function count(
  { limiter, now }: GuardPorts,
  operation: Operation,
  caller: Caller | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const decision = limiter.take(operation, caller ?? { address: request.ip });
  tell(decision, reply);
  if (decision?.allowed === false) refuse(decision, now(), reply);
}

function tell(decision: LimitDecision | undefined, reply: FastifyReply): void {
  if (decision === undefined) return;
  reply.header('x-ratelimit-limit', decision.limit);
  reply.header('x-ratelimit-remaining', decision.remaining);
  reply.header('x-ratelimit-reset', decision.resetsAt);
}

function refuse({ resetsAt }: LimitDecision, nowMs: number, reply: FastifyReply): never {
  const retryAfter = Math.max(1, Math.ceil(resetsAt - nowMs / 1000));
  reply.header('retry-after', retryAfter);
  throw new AppError({
    code: 'rate_limit_exceeded',
    message: `Too many requests; wait ${retryAfter} seconds.`,
    details: { retryAfter },
  });
}
