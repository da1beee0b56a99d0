import { AnswerTooLong, parseRetryAfter, readBounded } from '../../bounded-response.ts';
import { ExternalFailure } from './external-source.ts';

/** No product is larger than this; a service that sends more is broken. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const DEFAULT_RETRY_AFTER_MS = 60_000;
/** Within the same server. */
const MAX_REDIRECTS = 3;
/** Says who asks, as Open Food Facts wants of every client. */
const USER_AGENT = 'Larder/0.1 (self-hosted nutrition service)';

/** The JSON at an address; undefined for 404. Throws `ExternalFailure` for everything else that is not an answer. */
export async function fetchJson(address: URL, signal: AbortSignal): Promise<unknown> {
  const response = await ask(address, signal);
  if (response.status === 404) {
    await response.body?.cancel();
    return undefined;
  }
  if (!response.ok) {
    await response.body?.cancel();
    const retryAfterMs =
      response.status === 429
        ? (parseRetryAfter(response.headers.get('retry-after')) ?? DEFAULT_RETRY_AFTER_MS)
        : undefined;
    throw new ExternalFailure(
      `answered ${response.status}`,
      retryAfterMs === undefined ? {} : { retryAfterMs },
    );
  }
  return readJson(response);
}

/** Follows redirects, but never to another server, which would be told what was asked for. */
async function ask(address: URL, signal: AbortSignal): Promise<Response> {
  let url = address;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const headers = { accept: 'application/json', 'user-agent': USER_AGENT };
    const response = await fetch(url, { signal, redirect: 'manual', headers }).catch((cause) => {
      throw new ExternalFailure('no connection', { cause });
    });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    const target = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined;
    if (target?.origin !== address.origin) throw new ExternalFailure('redirects to another server');
    url = target;
  }
  throw new ExternalFailure('redirects too often');
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return JSON.parse((await readBounded(response, MAX_ANSWER_BYTES)).toString());
  } catch (cause) {
    if (cause instanceof AnswerTooLong) throw new ExternalFailure('answered with too much', { cause });
    throw new ExternalFailure('answered with something that is not JSON', { cause });
  }
}
