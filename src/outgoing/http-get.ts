import type { IncomingMessage } from 'node:http';
import { httpRequest } from './http-request.ts';
import type { OutgoingAddresses } from './outgoing-addresses.ts';

/** Open Food Facts asks clients for a name with a version. */
const USER_AGENT = 'Larder/0.1 (self-hosted nutrition service)';

/** Limits of one request. */
export interface HttpLimits {
  /** Time limit from the request to the first line of the response, including the connection. */
  readonly answerTimeoutMs?: number;
  /** Maximum pause within the body of a response. */
  readonly idleTimeoutMs?: number;
  readonly maxRedirects: number;
}

/** The servers that a request may reach. */
export interface AllowedServers {
  /** The configured address, which may be on any network. */
  readonly home: URL;
  /**
   * Rules for all other servers. By default redirects to other servers are not followed, because they would
   * learn of the request.
   */
  readonly addresses?: OutgoingAddresses;
}

export interface HttpGet {
  readonly url: URL;
  readonly reach: AllowedServers;
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits: HttpLimits;
  readonly signal?: AbortSignal;
  /** Defined as in `HttpRequest`. */
  readonly keepsConnection?: boolean;
}

/** A redirect that is not followed. */
export class RedirectRefused extends Error {
  override readonly name = 'RedirectRefused';
}

/**
 * Requests `url`, follows redirects within `reach`, and resolves with the head of the response; its body must
 * be read or destroyed. Throws an `OperatorError` for a server that is not allowed, and a `RedirectRefused`.
 */
export async function httpGet({ url, limits, ...rest }: HttpGet): Promise<IncomingMessage> {
  let address = url;
  for (let hop = 0; hop <= limits.maxRedirects; hop++) {
    const response = await ask({ ...rest, url: address, limits });
    const location = isRedirect(response.statusCode) ? response.headers.location : undefined;
    if (location === undefined) return response;
    response.destroy();
    address = parseLink(address, location);
  }
  throw new RedirectRefused(`${url} leads through more than ${limits.maxRedirects} redirects`);
}

function ask({ url, reach, headers = {}, limits, ...rest }: HttpGet): Promise<IncomingMessage> {
  const { home, addresses } = reach;
  const isHome = url.origin === home.origin;
  if (!isHome) {
    if (addresses === undefined) throw new RedirectRefused(`${home.host} redirects to another server`);
    addresses.requireHost(url);
  }
  return httpRequest({
    ...rest,
    ...limits,
    url,
    headers: { 'user-agent': USER_AGENT, ...(isHome ? headers : withoutCredential(headers)) },
    lookup: isHome ? undefined : addresses?.lookup,
  });
}

/** A credential is only sent to the configured server. */
function withoutCredential(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'),
  );
}

function isRedirect(status: number | undefined): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/** The address in a server's response. Throws if it is invalid, or less secure than the server itself. */
export function parseLink(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href))
    throw new RedirectRefused(`${from} leads to ${location}: no address`);
  const target = new URL(location, from.href);
  if (!/^https?:$/.test(target.protocol))
    throw new RedirectRefused(`${from} leads to ${target}: not a web address`);
  if (from.protocol === 'https:' && target.protocol === 'http:') {
    throw new RedirectRefused(`${from} leads to ${target}, which is not encrypted`);
  }
  return target;
}
