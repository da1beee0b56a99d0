import type { FastifyError } from 'fastify';
import { AppError, type AppErrorInit, BusyError, OutageError } from '../../errors.ts';
import { internalError } from './error-body.ts';

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
export function toAppError(error: unknown): AppError {
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
