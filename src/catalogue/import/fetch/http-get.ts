import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import type { DownloadLimits } from './limits.ts';

const USER_AGENT = 'larder (self-hosted nutrition service)';

export interface HttpGet {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits: DownloadLimits;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks for `url`, following redirects, and resolves with the response's head; its body is still to be read and
 * must be consumed or destroyed.
 *
 * Not `fetch`: that undoes a Content-Encoding, and then neither the length nor a Range counts the bytes that
 * arrive.
 */
export async function httpGet({ url, headers = {}, limits, signal }: HttpGet): Promise<IncomingMessage> {
  let address = url;
  for (let hop = 0; hop <= limits.maxRedirects; hop++) {
    const response = await ask({ url: address, headers, limits, signal });
    const location = isRedirect(response.statusCode) ? response.headers.location : undefined;
    if (location === undefined) return response;
    response.destroy();
    address = redirected(address, location);
  }
  throw new Error(`${url} leads through more than ${limits.maxRedirects} redirects`);
}

function ask({ url, headers, limits, signal }: HttpGet): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const get = url.protocol === 'https:' ? getHttps : getHttp;
    const request = get(url, {
      headers: { 'user-agent': USER_AGENT, 'accept-encoding': 'identity', ...headers },
      // A kept-alive socket would carry the rest of an answer that we gave up on.
      agent: false,
      ...(signal && { signal }),
    });
    const answerTimer = setTimeout(() => {
      request.destroy(new Error(`${url.host} gave no answer within ${limits.answerTimeoutMs} ms`));
    }, limits.answerTimeoutMs);
    request.once('close', () => clearTimeout(answerTimer));
    // Not once: bytes behind the announced end of an answer raise an error long after it.
    request.on('error', reject);
    request.once('response', (response) => {
      clearTimeout(answerTimer);
      request.setTimeout(limits.idleTimeoutMs, () => {
        response.destroy(new Error(`${url.host} sent nothing for ${limits.idleTimeoutMs} ms`));
      });
      resolve(response);
    });
  });
}

function isRedirect(status: number | undefined): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

function redirected(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href)) throw new Error(`${from} redirects to ${location}: no address`);
  const target = new URL(location, from.href);
  if (!/^https?:$/.test(target.protocol))
    throw new Error(`${from} redirects to ${target}: not a web address`);
  if (from.protocol === 'https:' && target.protocol === 'http:') {
    throw new Error(`${from} redirects to ${target}, which is not encrypted`);
  }
  return target;
}
