import { AppError } from '../errors.ts';

export function invalidToken(cause?: unknown): AppError {
  return new AppError({ code: 'invalid_token', message: 'The access token is not valid.', cause });
}

export function expiredToken(): AppError {
  return new AppError({ code: 'expired_token', message: 'The access token has expired; ask for a new one.' });
}
