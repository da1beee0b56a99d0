import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from './limits.ts';

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
