import { OutsideFailure } from '../../catalogue/outside/outside-source.ts';
import { AnswerTooLong, readBounded } from './read-bounded.ts';
import { parseRetryAfter } from './retry-after.ts';

/** No product is larger than this; a service that sends more is broken. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const DEFAULT_RETRY_AFTER_MS = 60_000;
/** Says who asks, as Open Food Facts wants of every client. */
const USER_AGENT = 'Larder/0.1 (self-hosted nutrition service)';

/** The JSON at an address; undefined for 404. Throws `OutsideFailure` for everything else that is not an answer. */
export async function fetchJson(address: URL, signal: AbortSignal): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(address, {
      signal,
      headers: { accept: 'application/json', 'user-agent': USER_AGENT },
    });
  } catch (cause) {
    throw new OutsideFailure('no connection', { cause });
  }
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
    throw new OutsideFailure(
      `answered ${response.status}`,
      retryAfterMs === undefined ? {} : { retryAfterMs },
    );
  }
  return readJson(response);
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return JSON.parse((await readBounded(response, MAX_ANSWER_BYTES)).toString());
  } catch (cause) {
    if (cause instanceof AnswerTooLong) throw new OutsideFailure('answered with too much', { cause });
    throw new OutsideFailure('answered with something that is not JSON', { cause });
  }
}
