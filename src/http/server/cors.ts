import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HeaderSink } from './guard.ts';

const MAX_AGE_SECONDS = 7_200;
const ALLOWED_HEADERS =
  'authorization, content-type, x-api-key, x-request-id, idempotency-key, if-match, if-none-match, accept, last-event-id';
const EXPOSED_HEADERS =
  'x-request-id, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, retry-after, location, etag, www-authenticate, idempotency-replayed';

/** Adds the CORS headers for this origin to an answer. */
export type AllowOrigin = (origin: string | undefined, reply: HeaderSink) => void;

/**
 * Lets pages of these origins read answers (Fetch Standard, "CORS protocol"); `*` stands for all. Credentials are
 * headers that a page has to know, never cookies, so an origin gains nothing that it did not have.
 */
export function allowOrigins(origins: readonly string[]): AllowOrigin {
  if (origins.length === 0) return () => {};
  const isAllowed = (origin: string) => origins.includes('*') || origins.includes(origin);
  return (origin, reply) => {
    reply.header('vary', 'origin');
    if (origin !== undefined && isAllowed(origin)) {
      reply.header('access-control-allow-origin', origin);
      reply.header('access-control-expose-headers', EXPOSED_HEADERS);
    }
  };
}

/** Whether this is a CORS preflight from an origin that is allowed. */
export function isAllowedPreflight(request: FastifyRequest, reply: FastifyReply): boolean {
  return (
    request.method === 'OPTIONS' &&
    request.headers['access-control-request-method'] !== undefined &&
    reply.hasHeader('access-control-allow-origin')
  );
}

export function answerPreflight(methods: readonly string[], reply: FastifyReply): void {
  reply
    .code(204)
    .removeHeader('content-type')
    .header('access-control-allow-methods', methods.join(', '))
    .header('access-control-allow-headers', ALLOWED_HEADERS)
    .header('access-control-max-age', MAX_AGE_SECONDS)
    .send();
}
