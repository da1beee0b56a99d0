import { isIP } from 'node:net';
import { AppError } from '@larder/core/errors.ts';
import type { CompleteReply, Exchange } from './exchange.ts';

const MAX_AGE_SECONDS = 7_200;
const ALLOWED_HEADERS =
  'authorization, content-type, x-api-key, x-request-id, idempotency-key, if-match, if-none-match, accept, last-event-id, mcp-protocol-version, mcp-method, mcp-name';
const EXPOSED_HEADERS =
  'x-request-id, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, retry-after, location, link, etag, www-authenticate, idempotency-replayed';

/** Adds the CORS headers to an answer, and tells whether pages of the request's origin may read it. */
export type AllowOrigin = (exchange: Exchange) => boolean;

/**
 * Lets pages of these origins read answers (Fetch Standard, "CORS protocol"); `*` stands for all. Credentials are
 * headers that a page has to know; cookies are taken from the own origin only, so an origin gains nothing that it did not have. Undefined without origins.
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

/**
 * Throws `forbidden` for a page of another origin. Browsers name the page's origin in every POST. A page of a name that resolves to
 * this machine (DNS rebinding) names itself in Host too, so that only numbers, `localhost` and a configured name are believed.
 */
export function requireOwnOrigin({ incoming: { headers }, origin, isNamed }: Exchange): void {
  const { origin: page } = headers;
  if (page === undefined) return;
  if (page === origin && (isNamed || isMachine(new URL(page).hostname))) return;
  throw new AppError({
    code: 'forbidden',
    message: 'Pages of this origin may not call this address; the setting LARDER_CORS_ORIGINS allows them.',
  });
}

function isMachine(host: string): boolean {
  return host === 'localhost' || isIP(host.replace(/^\[|\]$/g, '')) !== 0;
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
