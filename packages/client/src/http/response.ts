import { LarderError } from './error.ts';

/** Maximum length of an unexpected response in `details.body`. */
const MAX_SHOWN = 1_000;

/**
 * The version of an object for `ifMatch`, wherever the object comes from: read or written alone, from a list, a batch or the feed.
 * Throws for an object without a version, which nobody can change.
 */
export function versionOf({ version }: { readonly version?: number | undefined }): number {
  if (version !== undefined) return version;
  throw new TypeError('This object has no version: it is none that can be changed.');
}

export const readText = (response: Response): Promise<string> => response.text();

/** Parses a response as JSON; a response without content is undefined. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw unexpected(response, text);
  }
}

/** The error of a response with an error status. */
export async function errorOf(response: Response): Promise<LarderError> {
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {}
  const { code, message, details, requestId } = toParts(body, response.headers);
  if (typeof code !== 'string' || typeof message !== 'string') return unexpected(response, text);
  return new LarderError({
    code: code as LarderError['code'],
    message,
    details: details as object,
    requestId: requestId as string,
    ...factsOf(response),
  });
}

/** The parts of an error; token requests are answered as OAuth has it. */
function toParts(body: unknown, headers: Headers): Record<string, unknown> {
  const { error, error_description: message } = (body ?? {}) as Record<string, unknown>;
  if (typeof error !== 'string') return (error ?? {}) as Record<string, unknown>;
  return { code: error, message, requestId: headers.get('x-request-id') ?? undefined };
}

function unexpected(response: Response, text: string): LarderError {
  const { status, url } = response;
  const target = response.headers.get('location');
  const redirect = target === null ? '' : ` and leads to ${target}, which may be the right address`;
  return new LarderError({
    code: 'unexpected_response',
    message: `${url === '' ? 'The server' : new URL(url).origin} answers ${status} in an unknown form${redirect}.`,
    details: { body: text.slice(0, MAX_SHOWN) },
    ...factsOf(response),
  });
}

function factsOf({ status, headers }: Response) {
  return { status, retryAfterMs: toWaitMs(headers.get('retry-after')) };
}

/** `Retry-After` in seconds, or as a date. */
function toWaitMs(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
