import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';
import { MAX_DROPPED_BYTES } from './server-limits.ts';

/** Accepts any type of body in this scope, and reads nothing of it. */
export function leaveBodiesUnread(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
}

/** The body of a request; the connection survives a reader that stops early. */
export async function* rawBody(request: IncomingMessage): AsyncGenerator<Buffer, void> {
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } catch (cause) {
    if (!request.destroyed || request.complete) throw cause;
    throw new AppError({ code: 'invalid_request', message: 'The connection broke off.', cause });
  }
}

/** Reads past the rest of a body, so that the connection can take the next request. */
export function dropRest(request: IncomingMessage): void {
  let droppedBytes = 0;
  request.on('data', (chunk: Buffer) => {
    droppedBytes += chunk.length;
    if (droppedBytes > MAX_DROPPED_BYTES) request.destroy();
  });
  // The answer is on its way already, so a client that breaks off now needs no error.
  request.on('error', () => {});
  request.resume();
}
