import { AppError } from '../../errors.ts';

/** The body of every error answer, whatever went wrong and wherever. */
export function errorBody(error: AppError, requestId: string): string {
  const { code, message, details } = error;
  return JSON.stringify({ error: { code, message, requestId, details } });
}

/** What a client may know of an error that is a fault of this program. */
export function internalError(cause: unknown): AppError {
  return new AppError({
    code: 'internal_error',
    message: 'Something went wrong on our side; the request id finds it in the logs.',
    cause,
  });
}
