import type { IncomingMessage } from 'node:http';
import { AnswerTooLong, parseRetryAfter, readBounded } from '../../outgoing/bounded-response.ts';
import { httpGet, RedirectRefused } from '../../outgoing/http-get.ts';
import { isSuccess } from '../../outgoing/http-request.ts';
import { ExternalFailure } from './external-source.ts';

/** Maximum size of a product; a service that sends more is broken. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const DEFAULT_RETRY_AFTER_MS = 60_000;
const MAX_REDIRECTS = 3;

/** The JSON at an address; undefined for 404. Throws `ExternalFailure` for every other response without JSON. */
export async function fetchJson(address: URL, signal: AbortSignal): Promise<unknown> {
  const response = await ask(address, signal);
  const { statusCode, headers } = response;
  if (statusCode === 404) {
    // The most frequent response; its body is read, so that the connection is kept.
    await readBounded(response, MAX_ANSWER_BYTES).catch(() => {});
    return undefined;
  }
  if (!isSuccess(response)) {
    response.destroy();
    const retryAfterMs =
      statusCode === 429 ? (parseRetryAfter(headers['retry-after']) ?? DEFAULT_RETRY_AFTER_MS) : undefined;
    throw new ExternalFailure(`answered ${statusCode}`, { retryAfterMs });
  }
  return readJson(response);
}

/** Follows redirects within the same server only. */
function ask(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  const headers = { accept: 'application/json' };
  const limits = { maxRedirects: MAX_REDIRECTS };
  return httpGet({ url, reach: { home: url }, headers, limits, signal, keepsConnection: true }).catch(
    (cause) => {
      const isRedirect = cause instanceof RedirectRefused;
      throw new ExternalFailure(isRedirect ? 'redirects too often or to another server' : 'no connection', {
        cause,
      });
    },
  );
}

async function readJson(response: IncomingMessage): Promise<unknown> {
  try {
    return JSON.parse((await readBounded(response, MAX_ANSWER_BYTES)).toString());
  } catch (cause) {
    if (cause instanceof AnswerTooLong) throw new ExternalFailure('answered with too much', { cause });
    throw new ExternalFailure('answered with something that is not JSON', { cause });
  }
}
