import type { preParsingHookHandler } from 'fastify';
import { AppError } from '../../errors.ts';
import { hasBodyToRead } from './body-checks.ts';

const IDENTITY = /^\s*(?:identity\s*)?$/i;

/** Refuses a compressed body before its bytes are taken for text. */
export const refuseEncodedBodies: preParsingHookHandler = (request, reply, payload, done) => {
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || IDENTITY.test(encoding) || !hasBodyToRead(request)) {
    done(null, payload);
    return;
  }
  // RFC 9110, 15.5.16: says that the coding is the reason, and which one is accepted.
  reply.header('accept-encoding', 'identity');
  done(
    new AppError({
      code: 'unsupported_media_type',
      message: 'Bodies are taken uncompressed only; send it without Content-Encoding.',
      details: { header: 'Content-Encoding' },
    }),
  );
};
