import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { AppError, type DetailsOf } from '@larder/core/errors.ts';
import secureJson from 'secure-json-parse';
import type { FileBody, JsonBody } from '../../../api/operation.ts';
import type { HeaderValue } from '../../../api/operation-call.ts';
import {
  BODY_TIMEOUT_MS,
  MAX_FORM_FIELDS,
  MAX_JSON_DEPTH,
  MAX_JSON_VALUES,
  MAX_SMALL_PIECES,
  SMALL_PIECE_BYTES,
} from './limits.ts';

const JSON_MEDIA_TYPE = 'application/json';
const JSON_LD_MEDIA_TYPE = 'application/ld+json';
const FORM_MEDIA_TYPE = 'application/x-www-form-urlencoded';
/** Type and subtype without parameters (RFC 9110, 8.3.1). */
const MEDIA_TYPE = /^\s*([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)\s*(?:;|$)/;
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** The end of most messages of V8; the rest may quote the body. */
const JSON_ERROR_AT = / \(line \d+ column \d+\)$/;
const IDENTITY = /^\s*(?:identity\s*)?$/i;

/** A request that may have a body, and the headers of its answer. */
interface BodyExchange {
  readonly incoming: IncomingMessage;
  readonly hasBody: boolean;
  readonly replyHeaders: Record<string, HeaderValue>;
}

/**
 * Reads the body as JSON or form; undefined where there is none. Everything that can be refused by headers is refused
 * before the first byte is read.
 */
export async function receiveBody(
  exchange: BodyExchange,
  { limit, form, jsonLd, optional }: JsonBody,
): Promise<unknown> {
  const { incoming, hasBody } = exchange;
  const { method, headers } = incoming;
  refuseEncoded(exchange);
  const contentType = headers['content-type'];
  if (!hasBody && (contentType === undefined || method === 'DELETE')) return undefined;
  const type = MEDIA_TYPE.exec(contentType ?? '')?.[1]?.toLowerCase();
  const isTaken =
    type === JSON_MEDIA_TYPE ||
    (type === FORM_MEDIA_TYPE && form === true) ||
    (type === JSON_LD_MEDIA_TYPE && jsonLd !== undefined);
  if (!isTaken) throw unsupported();
  const bytes = hasBody ? await receive(incoming, limit) : Buffer.alloc(0);
  if (type === FORM_MEDIA_TYPE) return parseForm(bytes);
  if (bytes.length > 0) return parseJson(bytes);
  // Many clients announce JSON with every request.
  if (optional === true) return undefined;
  throw new AppError({ code: 'invalid_request', message: 'The body is empty; send JSON.' });
}

/** Refuses a file by its headers, before the first byte is read. */
export function admitFile(exchange: BodyExchange, { file, limit }: FileBody): void {
  const { headers } = exchange.incoming;
  refuseEncoded(exchange);
  const type = MEDIA_TYPE.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase();
  if (type === undefined || !file.includes(type)) {
    throw new AppError({
      code: 'unsupported_media_type',
      message: `The body has to be a file; send a Content-Type of ${file.join(', ')}.`,
    });
  }
  if (Number(headers['content-length'] ?? 0) > limit) throw bodyTooLarge(limit);
}

function refuseEncoded({ incoming, hasBody, replyHeaders }: BodyExchange): void {
  const encoding = incoming.headers['content-encoding'];
  if (!hasBody || encoding === undefined || IDENTITY.test(encoding)) return;
  // RFC 9110, 15.5.16: says that the coding is the reason, and which one is accepted.
  replyHeaders['accept-encoding'] = 'identity';
  throw encoded();
}

/** Receives a body of at most `limit` bytes, for at most `BODY_TIMEOUT_MS` and in few small pieces. */
function receive(incoming: IncomingMessage, limit: JsonBody['limit']): Promise<Buffer> {
  if (incoming.destroyed) return Promise.reject(brokeOff());
  const announcedBytes = Number(incoming.headers['content-length'] ?? 0);
  if (announcedBytes > limit) return Promise.reject(bodyTooLarge(limit));
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  let smallPieces = 0;
  const stop = () => {
    clearTimeout(timer);
    incoming.off('data', take).off('end', finish).off('close', breakOff);
  };
  const refuse = (error: AppError) => {
    stop();
    reject(error);
  };
  const take = (piece: Buffer) => {
    sizeBytes += piece.length;
    if (sizeBytes > limit) return refuse(bodyTooLarge(limit));
    if (piece.length < SMALL_PIECE_BYTES && ++smallPieces > MAX_SMALL_PIECES) return refuse(tooManyPieces());
    pieces.push(piece);
  };
  const finish = () => {
    stop();
    resolve(Buffer.concat(pieces, sizeBytes));
  };
  const breakOff = () => refuse(brokeOff());
  const timer = setTimeout(() => refuse(tookTooLong()), BODY_TIMEOUT_MS);
  // Followed by `close`.
  incoming.on('error', () => {});
  incoming.on('data', take).on('end', finish).on('close', breakOff);
  return promise;
}

export function bodyTooLarge(limitBytes: number): AppError {
  return new AppError({
    code: 'payload_too_large',
    message: bodyLimitText(limitBytes),
    details: { limitBytes },
  });
}

/** The error for a body that is longer. */
export function bodyLimitText(limitBytes: number): string {
  return limitBytes === 0 ? 'This address takes no body.' : `The body is larger than ${limitBytes} bytes.`;
}

export function tookTooLong(): AppError {
  return new AppError({ code: 'invalid_request', message: 'The request took too long to arrive.' });
}

export function brokeOff(cause?: unknown): AppError {
  return new AppError({ code: 'invalid_request', message: 'The connection broke off.', cause });
}

function tooManyPieces(): AppError {
  return new AppError({
    code: 'invalid_request',
    message: `The body came in more than ${MAX_SMALL_PIECES} pieces of less than ${SMALL_PIECE_BYTES} bytes.`,
    details: { limit: MAX_SMALL_PIECES },
  });
}

function unsupported(): AppError {
  return new AppError({
    code: 'unsupported_media_type',
    message: 'The body has to be JSON; send "Content-Type: application/json".',
  });
}

/** Refused before its bytes are taken for text. */
function encoded(): AppError {
  return new AppError({
    code: 'unsupported_media_type',
    message: 'Bodies are taken uncompressed only; send it without Content-Encoding.',
    details: { header: 'Content-Encoding' },
  });
}

/** Reads `application/x-www-form-urlencoded`, which OAuth 2 sends. A field that is sent twice becomes an array. */
function parseForm(bytes: Buffer): Readonly<Record<string, string | string[]>> {
  const fields = new Map<string, string | string[]>();
  let count = 0;
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) {
    if (++count > MAX_FORM_FIELDS) {
      throw new AppError({
        code: 'invalid_request',
        message: `The form has more than ${MAX_FORM_FIELDS} fields.`,
        details: { limit: MAX_FORM_FIELDS },
      });
    }
    const known = fields.get(name);
    fields.set(name, known === undefined ? value : [known, value].flat());
  }
  return Object.fromEntries(fields);
}

/** Throws `invalid_request` for invalid JSON, and for JSON that is too deep, has too many values or would replace a prototype. */
export function parseJson(bytes: Buffer): unknown {
  // Reject invalid UTF-8: decoding would store U+FFFD.
  if (!isUtf8(bytes)) throw invalid('The body is not UTF-8, as JSON has to be.'); // RFC 8259, 8.1
  const refusal = refusalOf(bytes);
  if (refusal !== undefined) throw refusal;
  try {
    return secureJson.parse(bytes.toString('utf8'), { protoAction: 'error', constructorAction: 'error' });
  } catch (cause) {
    if (String(cause).includes('forbidden prototype'))
      throw invalid('No field may be named "__proto__", nor "constructor" with a field "prototype".', {
        cause,
      });
    const where = JSON_ERROR_AT.exec(String(cause))?.[0] ?? '';
    throw invalid(`The body is not valid JSON${where}.`, { cause });
  }
}

/**
 * Finds the first excess of a limit in one pass over the structural bytes, without recursion and before parsing. For
 * invalid JSON the result means nothing; the parser refuses it.
 */
export function refusalOf(json: Uint8Array): AppError | undefined {
  let depth = 0;
  // A value begins where the text, an array or an object does, and after each comma; an empty one counts for two.
  let values = 1;
  let isInString = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (isInString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === COMMA) values++;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      values++;
      if (++depth > MAX_JSON_DEPTH) {
        const message = `The body has more than ${MAX_JSON_DEPTH} arrays and objects inside each other.`;
        return invalid(message, { details: { limit: MAX_JSON_DEPTH } });
      }
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
    if (values > MAX_JSON_VALUES) {
      const message = `The body has more than ${MAX_JSON_VALUES} values.`;
      return invalid(message, { details: { limit: MAX_JSON_VALUES } });
    }
  }
  return undefined;
}

function invalid(
  message: string,
  more: { details?: DetailsOf<'invalid_request'>; cause?: unknown } = {},
): AppError {
  return new AppError({ code: 'invalid_request', message, ...more });
}
