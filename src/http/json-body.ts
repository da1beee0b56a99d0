import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

/** How deeply arrays and objects may be nested, so that bodies can be walked recursively. Ours have at most four levels. */
const MAX_JSON_DEPTH = 64;

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
    const text = bytes.toString('utf8');
    if (text.length > MAX_JSON_DEPTH && isDeeperThan(text, MAX_JSON_DEPTH)) return done(tooDeep());
    parse(request, text, done);
  });
}

function mayBeEmpty({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'DELETE' || routeOptions.config.declaration?.docs?.body?.optional === true;
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** One pass without recursion. For text that is no JSON the answer means nothing, and parsing refuses it anyway. */
function isDeeperThan(json: string, maxDepth: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    if (isInString) {
      if (code === BACKSLASH) i++;
      else if (code === QUOTE) isInString = false;
    } else if (code === QUOTE) isInString = true;
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      if (++depth > maxDepth) return true;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth--;
  }
  return false;
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
