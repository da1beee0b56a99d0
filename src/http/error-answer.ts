import type { Logger } from 'pino';
import { errorBody } from './error-body.ts';
import { ERROR_STATUS } from './error-status.ts';
import { toAppError } from './framework-errors.ts';

/** What the client is told of anything that was thrown while its request was handled; faults of ours are logged. */
export function errorAnswer(
  thrown: unknown,
  requestId: string,
  log: Logger,
): { readonly status: number; readonly body: string } {
  const error = toAppError(thrown);
  if (error.code === 'internal_error') log.error({ err: error.cause, requestId }, 'request failed');
  return { status: ERROR_STATUS[error.code], body: errorBody(error, requestId) };
}
