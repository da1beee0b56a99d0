import { ERROR_DETAILS } from '@larder/core/error-details.ts';
import {
  AppError,
  BusyError,
  DamageError,
  DiskFullError,
  type ErrorCode,
  OutageError,
} from '@larder/core/errors.ts';
import type { Logger } from 'pino';
import { aboutQuery } from '../../api/validation.ts';
import type { CompleteReply, Exchange } from './exchange.ts';
import { JSON_TYPE } from './exchange.ts';
import { isTokenAddress, toOAuthError } from './oauth-error.ts';

/** The body of every error answer, whatever went wrong and wherever. */
export function errorBody(error: AppError, requestId: string): string {
  const { code, message, details } = error;
  return JSON.stringify({ error: { code, message, requestId, details } });
}

/** The codes of errors about missing objects. */
type NotFoundCode = Extract<ErrorCode, `${string}not_found`>;

/** The status of the other codes. A code without a status does not compile. */
const OTHER_STATUS: Readonly<Record<Exclude<ErrorCode, NotFoundCode>, number>> = {
  invalid_request: 400,
  invalid_query: 400,
  invalid_barcode: 400,
  invalid_content_type: 400,
  invalid_api_key: 401,
  expired_api_key: 401,
  invalid_token: 401,
  expired_token: 401,
  forbidden: 403,
  confirmation_required: 403,
  quota_exceeded: 403,
  method_not_allowed: 405,
  conflict: 409,
  idempotency_conflict: 409,
  cursor_expired: 410,
  deleted: 410,
  version_conflict: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  unresolved_items: 422,
  rate_limit_exceeded: 429,
  internal_error: 500,
  unavailable: 503,
  storage_full: 507,
};

/** The HTTP status of every error code. */
export const ERROR_STATUS = Object.fromEntries(
  Object.keys(ERROR_DETAILS).map((code) => [
    code,
    code.endsWith('not_found') ? 404 : OTHER_STATUS[code as keyof typeof OTHER_STATUS],
  ]),
) as Readonly<Record<ErrorCode, number>>;

export const FIRST_SERVER_FAULT = 500;

/** Converts a thrown value to the error that the client may see. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof BusyError) {
    const message = 'The database is busy with other requests; try again in a moment.';
    return new AppError({ code: 'unavailable', message, details: { reason: 'busy' }, cause: error });
  }
  if (error instanceof DiskFullError) {
    const message =
      'The disk of the service is full, so that nothing can be stored; tell its operator, and try again later.';
    return new AppError({ code: 'storage_full', message, cause: error });
  }
  if (error instanceof DamageError) {
    const message =
      'The database of the service is damaged; tell its operator, who finds in the log what to do.';
    return new AppError({ code: 'unavailable', message, cause: error });
  }
  if (error instanceof OutageError) {
    const message = 'A part that this needs cannot be reached at the moment; try again in a moment.';
    return new AppError({ code: 'unavailable', message, cause: error });
  }
  return new AppError({
    code: 'internal_error',
    message: 'Something went wrong on our side; the request id finds it in the logs.',
    cause: error,
  });
}

/** `Retry-After` of short outages. */
const RETRY_AFTER_SECONDS = 1;

/** Makes the response to an error that a request caused; faults of the service are logged. */
export function errorReply(
  thrown: unknown,
  { requestId, endpoint }: Pick<Exchange, 'requestId' | 'endpoint'>,
  log: Logger,
): CompleteReply {
  const error = aboutQuery(toAppError(thrown), endpoint?.operation);
  if (error.code === 'internal_error') log.error({ err: error.cause, requestId }, 'request failed');
  const retryAfter = error.code === 'unavailable' ? RETRY_AFTER_SECONDS : error.details['retryAfter'];
  const headers = retryAfter === undefined ? undefined : { 'retry-after': Number(retryAfter) };
  const { status, body } = (endpoint && isTokenAddress(endpoint.operation) && toOAuthError(error)) || {
    status: ERROR_STATUS[error.code],
    body: errorBody(error, requestId),
  };
  return { status, code: error.code, headers: { 'content-type': JSON_TYPE, ...headers }, body };
}
