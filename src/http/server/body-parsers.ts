import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { tookTooLong } from './body-checks.ts';
import {
  MAX_DROPPED_BYTES,
  MAX_FORM_FIELDS,
  MAX_JSON_DEPTH,
  MAX_JSON_VALUES,
  SMALL_PIECE_BYTES,
  UPLOAD_STALL_MS,
} from './limits.ts';

type Fields = Map<string, string | string[]>;

/** Has the routes of this scope accept `application/x-www-form-urlencoded` too, which OAuth 2 sends. */
export function acceptForms(scope: FastifyInstance): void {
  const options = { parseAs: 'string' } as const;
  scope.addContentTypeParser<string>('application/x-www-form-urlencoded', options, (_request, text, done) => {
    const fields: Fields = new Map();
    let count = 0;
    for (const [name, value] of new URLSearchParams(text)) {
      if (++count > MAX_FORM_FIELDS) return done(tooManyFields());
      add(fields, name, value);
    }
    done(null, Object.fromEntries(fields));
  });
}

/** A field that is sent twice becomes an array, which no schema takes. */
function add(fields: Fields, name: string, value: string): void {
  const known = fields.get(name);
  if (known === undefined) fields.set(name, value);
  else if (typeof known === 'string') fields.set(name, [known, value]);
  else known.push(value);
}

function tooManyFields(): AppError {
  return new AppError({
    code: 'invalid_request',
    message: `The form has more than ${MAX_FORM_FIELDS} fields.`,
    details: { limit: MAX_FORM_FIELDS },
  });
}

/**
 * Reads JSON for all routes. An empty body counts as none whatever type is announced, since many clients announce JSON with
 * every request.
 */
export function acceptJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0 && mayBeEmpty(request)) return done(null, undefined);
    // Decoding would put U+FFFD in the place of what is none, and that would be kept as if it had been sent.
    if (!isUtf8(bytes)) return done(notUtf8());
    const refusal = refusalOf(bytes);
    if (refusal !== undefined) return done(refusal);
    parse(request, bytes.toString('utf8'), done);
  });
}

function mayBeEmpty({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'DELETE' || routeOptions.config.declaration?.docs?.body?.optional === true;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Looks only at the bytes that structure a text, up to the first one beyond a limit: one pass without recursion, before
 * anything is made of it. For what is no JSON the answer means nothing, and parsing refuses it anyway.
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
      if (++depth > MAX_JSON_DEPTH) return tooDeep();
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
    if (values > MAX_JSON_VALUES) return tooManyValues();
  }
  return undefined;
}

/** RFC 8259, 8.1. */
function notUtf8(): AppError {
  return new AppError({ code: 'invalid_request', message: 'The body is not UTF-8, as JSON has to be.' });
}

function tooDeep(): AppError {
  return new AppError({
    code: 'invalid_request',
    message: `The body has more than ${MAX_JSON_DEPTH} arrays and objects inside each other.`,
    details: { limit: MAX_JSON_DEPTH },
  });
}

function tooManyValues(): AppError {
  return new AppError({
    code: 'invalid_request',
    message: `The body has more than ${MAX_JSON_VALUES} values.`,
    details: { limit: MAX_JSON_VALUES },
  });
}

/** Accepts any type of body in this scope, and reads nothing of it. */
export function leaveBodiesUnread(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
}

/**
 * The body of a request; the connection survives a reader that stops early. Calls `onStall` and throws `invalid_request`
 * where nothing comes for `UPLOAD_STALL_MS`; the connection can then be used for nothing else.
 */
export async function* rawBody(request: IncomingMessage, onStall: () => void): AsyncGenerator<Buffer, void> {
  const chunks = request.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const next = await unlessStalled(chunks.next());
      if (next === undefined) {
        onStall();
        throw tookTooLong();
      }
      if (next.done === true) return;
      yield next.value;
    }
  } catch (cause) {
    if (cause instanceof AppError || !request.destroyed || request.complete) throw cause;
    throw new AppError({ code: 'invalid_request', message: 'The connection broke off.', cause });
  } finally {
    // Not awaited: after a stall it has to wait for the client. Its failure is that of the connection.
    chunks.return?.().catch(() => {});
  }
}

/** Undefined where it takes too long. */
async function unlessStalled<T>(next: Promise<T>): Promise<T | undefined> {
  const stalled = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => stalled.resolve(undefined), UPLOAD_STALL_MS);
  try {
    return await Promise.race([next, stalled.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads past the rest of a body, so that the connection can take the next request. */
export function dropRest(request: IncomingMessage): void {
  let droppedBytes = 0;
  request.on('data', (chunk: Buffer) => {
    // However small, a piece costs as much as this.
    droppedBytes += Math.max(chunk.length, SMALL_PIECE_BYTES);
    if (droppedBytes > MAX_DROPPED_BYTES) request.destroy();
  });
  // The answer is on its way already, so a client that breaks off now needs no error.
  request.on('error', () => {});
  request.resume();
}
