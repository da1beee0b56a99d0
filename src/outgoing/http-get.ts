import type { IncomingMessage } from 'node:http';
import { httpRequest } from './http-request.ts';
import type { OutgoingAddresses } from './outgoing-addresses.ts';

const USER_AGENT = 'larder (self-hosted nutrition service)';

/** Bounds of one request. */
export interface HttpLimits {
  /** From asking until the response's first line, the connection included. */
  readonly answerTimeoutMs: number;
  /** Silence within a response's body. */
  readonly idleTimeoutMs: number;
  readonly maxRedirects: number;
}

/** Which servers a request may reach. */
export interface Reach {
  /** The address that the operator configured. Its server may be anywhere. */
  readonly home: URL;
  /** What other servers have to be. */
  readonly addresses: OutgoingAddresses;
}

export interface HttpGet {
  readonly url: URL;
  readonly reach: Reach;
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits: HttpLimits;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks for `url`, following redirects within `reach`, and resolves with the response's head; its body is still to be read and
 * must be consumed or destroyed. Throws an `OperatorError` where it leads to a server that may not be reached.
 */
export async function httpGet({ url, limits, ...rest }: HttpGet): Promise<IncomingMessage> {
  let address = url;
  for (let hop = 0; hop <= limits.maxRedirects; hop++) {
    const response = await ask({ ...rest, url: address, limits });
    const location = isRedirect(response.statusCode) ? response.headers.location : undefined;
    if (location === undefined) return response;
    response.destroy();
    address = linked(address, location);
  }
  throw new Error(`${url} leads through more than ${limits.maxRedirects} redirects`);
}

function ask({ url, reach, headers = {}, limits, signal }: HttpGet): Promise<IncomingMessage> {
  const isHome = url.origin === reach.home.origin;
  if (!isHome) reach.addresses.requireHost(url);
  return httpRequest({
    ...limits,
    url,
    signal,
    headers: { 'user-agent': USER_AGENT, ...(isHome ? headers : withoutCredential(headers)) },
    ...(!isHome && { lookup: reach.addresses.lookup }),
  });
}

/** A credential is for the server that the operator configured alone. */
function withoutCredential(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'),
  );
}

function isRedirect(status: number | undefined): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/** The address that a server's answer names. Throws where it is none, or less protected than the server itself. */
export function linked(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href)) throw new Error(`${from} leads to ${location}: no address`);
  const target = new URL(location, from.href);
  if (!/^https?:$/.test(target.protocol)) throw new Error(`${from} leads to ${target}: not a web address`);
  if (from.protocol === 'https:' && target.protocol === 'http:') {
    throw new Error(`${from} leads to ${target}, which is not encrypted`);
  }
  return target;
}
