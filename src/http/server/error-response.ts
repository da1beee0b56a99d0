import type { Logger } from 'pino';
import { errorBody } from './error-body.ts';
import { ERROR_STATUS } from './error-status.ts';
import { toAppError } from './framework-errors.ts';

/** When to ask again for what is away for a moment. */
const RETRY_AFTER_SECONDS = 1;

export interface ErrorAnswer {
  readonly status: number;
  /** Besides those of every answer. */
  readonly headers: Readonly<Record<string, number>>;
  readonly body: string;
}

/** What the client is told of anything that was thrown while its request was handled; faults of ours are logged. */
export function errorAnswer(thrown: unknown, requestId: string, log: Logger): ErrorAnswer {
  const error = toAppError(thrown);
  if (error.code === 'internal_error') log.error({ err: error.cause, requestId }, 'request failed');
  const headers = error.code === 'unavailable' ? { 'retry-after': RETRY_AFTER_SECONDS } : {};
  return { status: ERROR_STATUS[error.code], headers, body: errorBody(error, requestId) };
}
