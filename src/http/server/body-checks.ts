import type { FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify';
import { AppError } from '../../errors.ts';

/** Refuses a request whose body has not arrived `timeoutMs` after reading began, and ends its connection. */
export function bodyDeadline(timeoutMs: number): preParsingHookHandler {
  return (request, reply, payload, done) => {
    if (hasBodyToRead(request)) {
      const timer = setTimeout(giveUp, timeoutMs, reply);
      const clear = () => clearTimeout(timer);
      request.raw.once('end', clear).once('close', clear);
    }
    done(null, payload);
  };
}

export function tookTooLong(): AppError {
  return new AppError({ code: 'invalid_request', message: 'The request took too long to arrive.' });
}

export function hasBodyToRead({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}

function giveUp(reply: FastifyReply): void {
  // The request may have been refused already, while the client goes on sending.
  if (reply.sent) return;
  reply.header('connection', 'close');
  reply.send(tookTooLong());
}

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
