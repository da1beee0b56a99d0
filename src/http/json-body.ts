import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';

/** Arrays and objects inside each other. Our deepest body has four; what walks one recursively can rely on it. */
const MAX_JSON_DEPTH = 64;

/** Many clients announce JSON with every request, also with a DELETE that has no body: that is no mistake. */
export function acceptEmptyDeletes(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body as string;
    if (request.method === 'DELETE' && text === '') done(null, undefined);
    else if (text.length > MAX_JSON_DEPTH && isDeeperThan(text, MAX_JSON_DEPTH)) done(tooDeep());
    else parse(request, text, done);
  });
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** In one pass, without recursion. Of text that is no JSON the answer means nothing, and parsing refuses it. */
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

function tooDeep(): AppError {
  return new AppError({
    code: 'invalid_request',
    message: `The body has more than ${MAX_JSON_DEPTH} arrays and objects inside each other.`,
    details: { limit: MAX_JSON_DEPTH },
  });
}
