import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../access/api-key.ts';
import { AppError } from '../errors.ts';
import type { LimitDecision, Limiter } from '../limits/limiter.ts';
import type { Access, CredentialKind, Route } from './route.ts';

const BEARER = /^Bearer +(\S+) *$/i;

const CHALLENGE: Readonly<Record<CredentialKind, string>> = {
  bearer: 'Bearer realm="larder"',
  'x-api-key': 'ApiKey realm="larder", header="x-api-key"',
};

const HOW_TO_SEND: Readonly<Record<CredentialKind, string>> = {
  bearer: 'Send a key as "Authorization: Bearer <key>".',
  'x-api-key': 'Send a key in the x-api-key header.',
};

export interface GuardPorts {
  /** Finds whose key this is; throws an AppError for one that is unknown, expired or revoked. */
  readonly authenticate: (secret: string) => Promise<ApiKey>;
  readonly limiter: Limiter;
  /** The clock of rate limits, Unix milliseconds. */
  readonly now: () => number;
}

type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * The one place where it is decided whether a request may pass: who asks, what that caller may do, and
 * how much of it. Each route gets its own guard, made from its declaration. A guard throws the AppError that
 * refuses the request.
 */
export function createGuard({ access, operation }: Route, ports: GuardPorts): Guard {
  if (access === 'public') {
    return async (request, reply) => count(ports, operation, undefined, request, reply);
  }
  return async (request, reply) => {
    let caller: ApiKey;
    try {
      caller = await ports.authenticate(credentialOf(request, access.credential));
    } catch (error) {
      if (error instanceof AppError) {
        count(ports, 'other', undefined, request, reply);
        reply.header('www-authenticate', CHALLENGE[access.credential]);
      }
      throw error;
    }
    count(ports, operation, caller, request, reply);
    requireScope(caller, access);
    request.caller = caller;
  };
}

/** Guards what has no route: counted by address like everything without a credential. */
export function createNotFoundGuard(ports: GuardPorts): Guard {
  return async (request, reply) => count(ports, 'other', undefined, request, reply);
}

function credentialOf(request: FastifyRequest, kind: CredentialKind): string {
  const { authorization } = request.headers;
  const secret = kind === 'bearer' ? BEARER.exec(authorization ?? '')?.[1] : request.headers['x-api-key'];
  if (typeof secret !== 'string' || secret === '') {
    throw new AppError({ code: 'invalid_api_key', message: `An API key is missing. ${HOW_TO_SEND[kind]}` });
  }
  return secret;
}

function requireScope(caller: ApiKey, { scope }: Exclude<Access, 'public'>): void {
  if (caller.scopes.includes(scope)) return;
  throw new AppError({
    code: 'forbidden',
    message: `This needs the scope ${scope}, which the key does not have.`,
    details: { scope },
  });
}

function count(
  { limiter, now }: GuardPorts,
  operation: Route['operation'],
  caller: ApiKey | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const decision = limiter.take(operation, caller === undefined ? { address: request.ip } : { key: caller });
  if (decision === undefined) return;
  reply.header('x-ratelimit-limit', decision.limit);
  reply.header('x-ratelimit-remaining', decision.remaining);
  reply.header('x-ratelimit-reset', decision.resetsAt);
  if (!decision.allowed) refuse(decision, now(), reply);
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
