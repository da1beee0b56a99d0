import type { preParsingHookHandler } from 'fastify';
import { AppError } from '../../errors.ts';
import { hasBodyToRead } from './body-checks.ts';
import { MAX_SMALL_PIECES, SMALL_PIECE_BYTES } from './limits.ts';

/** Refuses a body that comes in too many small pieces, and ends its connection. */
export const refuseSmallPieces: preParsingHookHandler = (request, reply, payload, done) => {
  if (hasBodyToRead(request)) {
    let small = 0;
    payload.on('data', ({ length }: Buffer) => {
      if (length >= SMALL_PIECE_BYTES || ++small <= MAX_SMALL_PIECES) return;
      if (reply.sent) request.raw.destroy();
      else reply.header('connection', 'close').send(tooManyPieces());
    });
  }
  done(null, payload);
};

function tooManyPieces(): AppError {
  return new AppError({
    code: 'invalid_request',
    message: `The body came in more than ${MAX_SMALL_PIECES} pieces of less than ${SMALL_PIECE_BYTES} bytes.`,
    details: { limit: MAX_SMALL_PIECES },
  });
}
