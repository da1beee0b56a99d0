import type { IncomingMessage } from 'node:http';
import { AnswerTooLong, parseRetryAfter, readBounded } from '../../bounded-response.ts';
import { httpRequest, isSuccess } from '../../outgoing/http-request.ts';
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
  const { statusCode, headers } = response;
  if (statusCode === 404) {
    // The most frequent answer: read, so that its connection is kept.
    await readBounded(response, MAX_ANSWER_BYTES).catch(() => {});
    return undefined;
  }
  if (!isSuccess(response)) {
    response.destroy();
    const retryAfterMs =
      statusCode === 429 ? (parseRetryAfter(headers['retry-after']) ?? DEFAULT_RETRY_AFTER_MS) : undefined;
    throw new ExternalFailure(`answered ${statusCode}`, retryAfterMs === undefined ? {} : { retryAfterMs });
  }
  return readJson(response);
}

/** Follows redirects, but never to another server, which would be told what was asked for. */
async function ask(address: URL, signal: AbortSignal): Promise<IncomingMessage> {
  let url = address;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const headers = { accept: 'application/json', 'user-agent': USER_AGENT };
    const response = await httpRequest({ url, signal, headers, keepsConnection: true }).catch((cause) => {
      throw new ExternalFailure('no connection', { cause });
    });
    const { statusCode, headers: told } = response;
    if (statusCode! < 300 || statusCode! > 399 || told.location === undefined) return response;
    response.destroy();
    const target = URL.canParse(told.location, url.href) ? new URL(told.location, url.href) : undefined;
    if (target?.origin !== address.origin) throw new ExternalFailure('redirects to another server');
    url = target;
  }
  throw new ExternalFailure('redirects too often');
}

async function readJson(response: IncomingMessage): Promise<unknown> {
  try {
    return JSON.parse((await readBounded(response, MAX_ANSWER_BYTES)).toString());
  } catch (cause) {
    if (cause instanceof AnswerTooLong) throw new ExternalFailure('answered with too much', { cause });
    throw new ExternalFailure('answered with something that is not JSON', { cause });
  }
}
