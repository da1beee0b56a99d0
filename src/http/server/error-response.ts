import type { FastifyError } from 'fastify';
import type { Logger } from 'pino';
import { AppError, type AppErrorInit, BusyError, type ErrorCode, OutageError } from '../../errors.ts';

/** The body of every error answer, whatever went wrong and wherever. */
export function errorBody(error: AppError, requestId: string): string {
  const { code, message, details } = error;
  return JSON.stringify({ error: { code, message, requestId, details } });
}

/** What a client may know of an error that is a fault of this program. */
function internalError(cause: unknown): AppError {
  return new AppError({
    code: 'internal_error',
    message: 'Something went wrong on our side; the request id finds it in the logs.',
    cause,
  });
}

/** The HTTP status of every error code. A code without a status does not compile. */
export const ERROR_STATUS: Readonly<Record<ErrorCode, number>> = {
  invalid_request: 400,
  invalid_query: 400,
  invalid_barcode: 400,
  invalid_content_type: 400,
  invalid_api_key: 401,
  expired_api_key: 401,
  invalid_token: 401,
  expired_token: 401,
  forbidden: 403,
  quota_exceeded: 403,
  not_found: 404,
  barcode_not_found: 404,
  food_not_found: 404,
  scan_job_not_found: 404,
  diary_entry_not_found: 404,
  method_not_allowed: 405,
  idempotency_conflict: 409,
  version_conflict: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limit_exceeded: 429,
  internal_error: 500,
  unavailable: 503,
  storage_full: 507,
};

/** Fastify's own refusals in our words. What is not listed is a fault of ours, not of the client. */
const FRAMEWORK_ERRORS: Readonly<Record<string, AppErrorInit>> = {
  FST_ERR_BAD_URL: {
    code: 'invalid_request',
    message: 'The path is not valid percent-encoding.',
  },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'invalid_request', message: 'A part of the path is too long.' },
  FST_ERR_CTP_INVALID_JSON_BODY: { code: 'invalid_request', message: 'The body is not valid JSON.' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'invalid_request', message: 'The body is empty; send JSON.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'invalid_request',
    message: 'The body is not as long as Content-Length says.',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    message: 'The body has to be JSON; send "Content-Type: application/json".',
  },
};

/** Anything that was thrown while a request was handled, as what the client may see of it. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof BusyError) {
    const message = 'The database is busy with other requests; try again in a moment.';
    return new AppError({ code: 'unavailable', message, details: { reason: 'busy' }, cause: error });
  }
  if (error instanceof OutageError) {
    const message = 'A part that this needs cannot be reached at the moment; try again in a moment.';
    return new AppError({ code: 'unavailable', message, cause: error });
  }
  const known = FRAMEWORK_ERRORS[(error as Partial<FastifyError> | null)?.code ?? ''];
  return known === undefined ? internalError(error) : new AppError({ ...known, cause: error });
}

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
