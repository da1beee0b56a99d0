import { AppError } from '@larder/core/errors.ts';
import type { CredentialKind } from '../../api/operation.ts';
import { readSessionCookie } from '../../api/session-cookie.ts';
import type { Exchange } from './exchange.ts';

const SAFE_METHODS = ['GET', 'HEAD'];

/** Returns the session of a request to `/v1`. A cookie is ignored beside an Authorization header. */
export function sessionOf(kind: CredentialKind, { incoming: { headers }, url, baseUrl }: Exchange) {
  if (kind !== 'bearer' || headers.authorization !== undefined || !url.startsWith('/v1/')) return undefined;
  return readSessionCookie(headers.cookie, baseUrl);
}

/**
 * Throws `forbidden` for a request with a cookie that a page of another origin has made. A request that changes something has to
 * name its origin; browsers always do.
 */
export function requirePageOrigin({ incoming: { method, headers }, origin }: Exchange): void {
  const site = headers['sec-fetch-site'];
  const isSafe = SAFE_METHODS.includes(method!);
  const isOwnSite = site === 'same-origin' || (isSafe && (site === undefined || site === 'none'));
  const isOwnOrigin = headers.origin === undefined ? isOwnSite : headers.origin === origin;
  if (isOwnOrigin && (isOwnSite || site === undefined)) return;
  throw new AppError({
    code: 'forbidden',
    message: `A session is taken from pages of ${origin} only. If this is another address of the service, set LARDER_PUBLIC_URL.`,
  });
}
