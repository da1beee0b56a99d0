import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { KeptAnswer } from '../../idempotency/idempotency-store.ts';
import type { IdempotentRequests, Turn } from '../../idempotency/idempotent-requests.ts';
import { isCallerAccess, type Route } from './route.ts';

const KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;
/** The headers that are kept with an answer; all others belong to one response alone. */
const KEPT_HEADERS = ['content-type', 'location', 'etag'];
const FIRST_SERVER_FAULT = 500;
/** `quota_exceeded`: the same request is allowed once there is room again. */
const REFUSED_FOR_NOW = 403;

/** Whether a request may name itself with an Idempotency-Key. */
export function isRepeatable({ method, access, answersSecret }: Route): boolean {
  return method === 'POST' && isCallerAccess(access) && answersSecret !== true;
}

type Execution = Extract<Turn, { kind: 'execute' }>;

/**
 * Hooks of a route that gives its first answer again when a request is repeated with its Idempotency-Key. They
 * run after the guard and the reading of the body; the answer is kept before it is sent.
 */
export function idempotencyHooks(idempotentRequests: IdempotentRequests) {
  const executions = new WeakMap<FastifyRequest, Execution>();
  return {
    preHandler: async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const idempotencyKey = request.headers['idempotency-key'];
      if (idempotencyKey === undefined) return undefined;
      if (typeof idempotencyKey !== 'string' || !KEY_PATTERN.test(idempotencyKey)) throw badKey();
      const { tenant, userId = '' } = request.caller!;
      const subject = subjectOf(request) ?? userId;
      const turn = await idempotentRequests.open(
        { tenant, userId, idempotencyKey },
        fingerprint(request),
        subject,
      );
      if (turn.kind === 'replay') return replay(turn.answer, reply);
      executions.set(request, turn);
      request.ids = turn.ids;
      return undefined;
    },

    onSend: async (request: FastifyRequest, reply: FastifyReply, body: unknown): Promise<unknown> => {
      const execution = executions.get(request);
      executions.delete(request);
      if (execution === undefined) return body;
      if (typeof body === 'string' && isKept(reply.statusCode)) {
        await execution
          .settle({ status: reply.statusCode, headers: keptHeaders(reply), body })
          .catch((error) => {
            // The error that is answered instead has none of them.
            for (const name of KEPT_HEADERS) reply.removeHeader(name);
            throw error;
          });
      } else {
        // A claim that cannot be abandoned runs out by itself; the client should hear why the request failed, not of this.
        await execution.abandon().catch(() => {});
      }
      return body;
    },
  };
}

function isKept(status: number): boolean {
  return status < FIRST_SERVER_FAULT && status !== REFUSED_FOR_NOW;
}

/** The user whom the answer is about, where path or body name one; erasing the user removes the kept answer. */
function subjectOf({ params, body, routeOptions }: FastifyRequest): string | undefined {
  const { userId } = params as Readonly<Record<string, string>>;
  if (userId !== undefined) return userId;
  const named = routeOptions.config.declaration?.subjectOf?.(body);
  return typeof named === 'string' ? named : undefined;
}

/** A hash of method, address and body that does not depend on white space in the body's JSON. */
function fingerprint({ method, raw, body }: FastifyRequest): Buffer {
  return hash('sha256', `${method} ${raw.url}\n${JSON.stringify(body) ?? ''}`, 'buffer');
}

function replay({ status, headers, body }: KeptAnswer, reply: FastifyReply): FastifyReply {
  return reply.code(status).headers(headers).header('idempotency-replayed', 'true').send(body);
}

function keptHeaders(reply: FastifyReply): Record<string, string> {
  const kept = KEPT_HEADERS.flatMap((name) => {
    const value = reply.getHeader(name);
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  return Object.fromEntries(kept);
}

function badKey(): AppError {
  return new AppError({
    code: 'invalid_request',
    message: 'An Idempotency-Key is 1 to 255 printable ASCII characters without spaces.',
    details: { header: 'Idempotency-Key' },
  });
}
