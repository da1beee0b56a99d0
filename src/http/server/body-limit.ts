import type { FastifyRequest, preParsingHookHandler } from 'fastify';
import { AppError } from '../../errors.ts';
import { hasBodyToRead } from './body-checks.ts';

/** Refuses a body where the route takes none, and leaves it unread. */
export const refuseBodies: preParsingHookHandler = (request, _reply, payload, done) => {
  if (hasBodyToRead(request)) done(bodyTooLarge(0));
  else done(null, payload);
};

/** What the framework refuses for its length, with the limit of the route; anything else as it is. */
export function withBodyLimit(thrown: unknown, { routeOptions }: FastifyRequest): unknown {
  const { code } = thrown as { code?: unknown };
  return code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? bodyTooLarge(routeOptions.bodyLimit) : thrown;
}

export function bodyTooLarge(limitBytes: number): AppError {
  return new AppError({
    code: 'payload_too_large',
    message: bodyLimitText(limitBytes),
    details: { limitBytes },
  });
}

/** What a client is told whose body is longer. */
export function bodyLimitText(limitBytes: number): string {
  return limitBytes === 0 ? 'This address takes no body.' : `The body is larger than ${limitBytes} bytes.`;
}
