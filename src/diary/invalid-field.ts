import { AppError, type ErrorDetails } from '../errors.ts';

/** The answer to a field that breaks a rule; `message` is a whole sentence for a person. */
export function invalidField(field: string, message: string, details: ErrorDetails = {}): AppError {
  return new AppError({ code: 'invalid_request', message, details: { fields: [field], ...details } });
}
