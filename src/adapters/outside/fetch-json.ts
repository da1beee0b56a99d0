import { OutsideFailure } from '../../catalogue/outside/outside-source.ts';

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
      response.status === 429 ? parseRetryAfter(response.headers.get('retry-after')) : undefined;
    throw new OutsideFailure(
      `answered ${response.status}`,
      retryAfterMs === undefined ? {} : { retryAfterMs },
    );
  }
  return readJson(response);
}

async function readJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > MAX_ANSWER_BYTES) throw new OutsideFailure('answered with too much');
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch (cause) {
    if (cause instanceof OutsideFailure) throw cause;
    throw new OutsideFailure('answered with something that is not JSON', { cause });
  }
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
function parseRetryAfter(header: string | null): number {
  if (header === null) return DEFAULT_RETRY_AFTER_MS;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : DEFAULT_RETRY_AFTER_MS;
}
