import { isIP } from 'node:net';
import { AppError } from '@larder/core/errors.ts';
import type { Logger } from 'pino';
import type { CompleteReply, Exchange } from './exchange.ts';

const MAX_AGE_SECONDS = 7_200;
const ALLOWED_HEADERS =
  'authorization, content-type, x-api-key, x-request-id, idempotency-key, if-match, if-none-match, accept, last-event-id, mcp-protocol-version, mcp-method, mcp-name';
const EXPOSED_HEADERS =
  'x-request-id, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, retry-after, location, link, limit-applied, unknown-excluded, etag, www-authenticate, idempotency-replayed';

/** Adds the CORS headers to an answer. Returns whether pages of the request's origin may read it. */
export type AllowOrigin = (exchange: Exchange) => boolean;

/**
 * Lets pages of these origins read answers (Fetch Standard, "CORS protocol"); `*` stands for all. This gives no rights: a
 * page must send a credential in a header, and cookies count from the own origin only. Calls `refused` for requests of other
 * pages, since their scripts do not learn the reason from the browser.
 */
export function allowOrigins(origins: readonly string[], refused: (origin: string) => void): AllowOrigin {
  const isAllowed = (origin: string) => origins.includes('*') || origins.includes(origin);
  return (exchange) => {
    const { origin, host } = exchange.incoming.headers;
    if (origins.length > 0) exchange.replyHeaders['vary'] = 'origin';
    if (origin === undefined) return false;
    if (!isAllowed(origin)) {
      // Browsers send the origin with requests of the service's own pages, too.
      if (!origin.endsWith(`://${host}`)) refused(origin);
      return false;
    }
    exchange.replyHeaders['access-control-allow-origin'] = origin;
    exchange.replyHeaders['access-control-expose-headers'] = EXPOSED_HEADERS;
    return true;
  };
}

const LOG_WINDOW_MS = 600_000;
const MAX_LOGGED_ORIGINS = 10;
const MAX_LOGGED_CHARACTERS = 200;

/** Logs each refused origin once in ten minutes, at most ten of them: anybody may send any. */
export class RefusedOrigins {
  readonly #log: Logger;
  readonly #nowMs: () => number;
  readonly #logged = new Set<string>();
  #sinceMs = 0;

  constructor({ log, nowMs }: { readonly log: Logger; readonly nowMs: () => number }) {
    this.#log = log;
    this.#nowMs = nowMs;
  }

  add(sent: string): void {
    const nowMs = this.#nowMs();
    if (nowMs - this.#sinceMs >= LOG_WINDOW_MS) {
      this.#sinceMs = nowMs;
      this.#logged.clear();
    }
    const origin = sent.slice(0, MAX_LOGGED_CHARACTERS);
    if (this.#logged.size >= MAX_LOGGED_ORIGINS || this.#logged.has(origin)) return;
    this.#logged.add(origin);
    this.#log.info({ origin }, 'a page of this origin is refused; LARDER_CORS_ORIGINS can allow it');
  }
}

/**
 * Throws `forbidden` for a page of another origin. Browsers name the page's origin in every POST. With `isNamed` a page of a name that
 * resolves to this machine (DNS rebinding) is another one: it names itself in Host too, so that only numbers, `localhost` and a
 * configured name are believed.
 */
export function requireOwnOrigin(exchange: Exchange, isNamed: boolean): void {
  const { origin: page } = exchange.incoming.headers;
  if (page === undefined) return;
  const isOwn = page === exchange.origin;
  if (isOwn && (!isNamed || exchange.isNamed || isMachine(new URL(page).hostname))) return;
  throw new AppError({
    code: 'forbidden',
    message: isOwn
      ? `Set LARDER_PUBLIC_URL to the address of this service, so that pages of ${page} may call this address.`
      : 'Pages of this origin may not call this address; the setting LARDER_CORS_ORIGINS allows them.',
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
