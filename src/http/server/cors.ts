import type { CompleteReply, Exchange } from './exchange.ts';

const MAX_AGE_SECONDS = 7_200;
const ALLOWED_HEADERS =
  'authorization, content-type, x-api-key, x-request-id, idempotency-key, if-match, if-none-match, accept, last-event-id';
const EXPOSED_HEADERS =
  'x-request-id, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, retry-after, location, link, etag, www-authenticate, idempotency-replayed';

/** Adds the CORS headers to an answer, and tells whether pages of the request's origin may read it. */
export type AllowOrigin = (exchange: Exchange) => boolean;

/**
 * Lets pages of these origins read answers (Fetch Standard, "CORS protocol"); `*` stands for all. Credentials are
 * headers that a page has to know, never cookies, so an origin gains nothing that it did not have. Undefined without origins.
 */
export function allowOrigins(origins: readonly string[]): AllowOrigin | undefined {
  if (origins.length === 0) return undefined;
  const isAllowed = (origin: string) => origins.includes('*') || origins.includes(origin);
  return (exchange) => {
    const { origin } = exchange.incoming.headers;
    exchange.replyHeaders['vary'] = 'origin';
    if (origin === undefined || !isAllowed(origin)) return false;
    exchange.replyHeaders['access-control-allow-origin'] = origin;
    exchange.replyHeaders['access-control-expose-headers'] = EXPOSED_HEADERS;
    return true;
  };
}

export function isPreflight({ incoming: { method, headers } }: Exchange): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

export function preflightReply(methods: readonly string[]): CompleteReply {
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': ALLOWED_HEADERS,
      'access-control-max-age': MAX_AGE_SECONDS,
    },
  };
}
