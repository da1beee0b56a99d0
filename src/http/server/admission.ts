import type { IncomingMessage } from 'node:http';
import { parseSearchText } from '../../catalogue/food/search-request.ts';
import { AppError } from '../../errors.ts';
import { MAX_URL_LENGTH } from './connection/limits.ts';
import type { Endpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';

/** Throws for what no operation should see, before anybody is asked who sent it. */
export function admit(exchange: Exchange, endpoint: Endpoint | undefined, isStopping: boolean): void {
  const { incoming, raw } = exchange;
  if (isStopping) {
    exchange.header('connection', 'close');
    throw new AppError({ code: 'unavailable', message: 'The service is stopping; try again in a moment.' });
  }
  if (incoming.url!.length > MAX_URL_LENGTH) {
    // A search text that makes an address too long is refused as any other text that is too long.
    if (endpoint?.counts === 'search') parseSearchText(String(raw.query['q'] ?? ''));
    throw new AppError({
      code: 'invalid_request',
      message: `The address is longer than ${MAX_URL_LENGTH} characters.`,
      details: { limit: MAX_URL_LENGTH },
    });
  }
  // RFC 9112, 3.2: a server MUST answer 400 to an HTTP/1.1 request without Host,
  if (incoming.headers.host === undefined && incoming.httpVersionMinor >= 1) {
    throw new AppError({ code: 'invalid_request', message: 'The Host header is missing.' });
  }
  // and to any request with more than one.
  if (hasSeveralHosts(incoming)) {
    throw new AppError({ code: 'invalid_request', message: 'There is more than one Host header.' });
  }
}

/** Checks the raw headers, since Node keeps only the first Host, and a proxy in front may have gone by another one. */
function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}
