import type { IncomingHttpHeaders } from 'node:http';
import { parseRetryAfter } from './bounded-response.ts';
import type { PartOrigin } from './partial-file.ts';

/** The part that exists on disk. */
export interface PartState {
  readonly sizeBytes: number;
  readonly origin: PartOrigin | undefined;
}

export interface ResponseHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** The decision about a response. */
export type ResponsePlan =
  /** The body continues the part; with its last byte the file has `totalBytes`. */
  | { readonly kind: 'append'; readonly totalBytes: number }
  /** The body is the whole file. */
  | { readonly kind: 'start'; readonly validator?: string; readonly totalBytes?: number }
  | { readonly kind: 'complete' }
  /** The part is useless because the file changed: delete it and ask again. */
  | { readonly kind: 'discard'; readonly reason: string }
  | { readonly kind: 'retry'; readonly reason: string; readonly afterMs?: number }
  | { readonly kind: 'refuse'; readonly reason: string };

/** The headers that request the rest of a part; none for the whole file. */
export function rangeHeaders({ sizeBytes, origin }: PartState): Record<string, string> {
  if (sizeBytes === 0 || origin?.validator === undefined) return {};
  return { range: `bytes=${sizeBytes}-`, 'if-range': origin.validator };
}

/**
 * Decides about a response to a request with `rangeHeaders` (RFC 9110, 13.1.5 If-Range, 14.4 Content-Range, 15.5.17
 * for 416). A 206 with another start, length or validator is not appended.
 */
export function planFor(part: PartState, head: ResponseHead): ResponsePlan {
  switch (head.status) {
    case 200:
      return planForWhole(part, head.headers);
    case 206:
      return planForRange(part, head.headers);
    case 416:
      return planForUnsatisfied(part, head.headers);
    default:
      return planForFailure(head);
  }
}

function planForWhole({ sizeBytes, origin }: PartState, headers: IncomingHttpHeaders): ResponsePlan {
  if (/^text\/html\b/i.test(headers['content-type'] ?? '')) {
    return { kind: 'refuse', reason: 'it answers with a web page instead of a file' };
  }
  const validator = validatorOf(headers);
  const totalBytes = wholeNumber(headers['content-length']);
  if (validator !== undefined && validator === origin?.validator && totalBytes === sizeBytes) {
    return { kind: 'complete' };
  }
  return { kind: 'start', validator, totalBytes };
}

function planForRange({ sizeBytes, origin }: PartState, headers: IncomingHttpHeaders): ResponsePlan {
  const range = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(headers['content-range'] ?? '');
  if (range === null) return { kind: 'discard', reason: 'it sent a part without saying which' };
  const [first, last, totalBytes] = range.slice(1).map(Number) as [number, number, number];
  if (sizeBytes === 0 || first !== sizeBytes || last !== totalBytes - 1) {
    return { kind: 'discard', reason: 'it sent another part than asked for' };
  }
  const validator = validatorOf(headers);
  const sameLength = origin?.totalBytes === undefined || origin.totalBytes === totalBytes;
  const sameVersion = validator === undefined || validator === origin?.validator;
  if (!sameLength || !sameVersion) return { kind: 'discard', reason: 'the file there has changed' };
  return { kind: 'append', totalBytes };
}

function planForUnsatisfied({ sizeBytes }: PartState, headers: IncomingHttpHeaders): ResponsePlan {
  const total = /^bytes \*\/(\d{1,15})$/.exec(headers['content-range'] ?? '')?.[1];
  if (sizeBytes > 0 && Number(total) === sizeBytes) return { kind: 'complete' };
  return { kind: 'discard', reason: 'the file there is no longer as long as the part here' };
}

function planForFailure({ status, headers }: ResponseHead): ResponsePlan {
  const reason = `it answers with status ${status}`;
  if (status !== 408 && status !== 429 && status < 500) return { kind: 'refuse', reason };
  return { kind: 'retry', reason, afterMs: parseRetryAfter(headers['retry-after']) };
}

/** A weak ETag does not guarantee equal bytes. */
function validatorOf(headers: IncomingHttpHeaders): string | undefined {
  const { etag } = headers;
  return etag?.startsWith('"') ? etag : headers['last-modified'];
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
