import { AppError, type DetailsOf } from '@larder/core/errors.ts';

/** The error for an invalid field; `message` is a full sentence. */
export function invalidField(
  field: string,
  message: string,
  details: DetailsOf<'invalid_request'> = {},
): AppError {
  return new AppError({ code: 'invalid_request', message, details: { fields: [field], ...details } });
}

/** Adds the field to an error. */
export function aboutField(field: string, error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, details } = error;
  return AppError.remade({ code, message, details: { ...details, fields: [field] }, cause: error });
}

/** Adds to an error the element of the list at `list` in the body; empty if the body is the list. */
export function inElement(index: number, error: unknown, list = ''): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, details } = error;
  const fields = details['fields'];
  return AppError.remade({
    code,
    message: `${list}[${index}]: ${message}`,
    details: {
      ...details,
      index,
      ...(Array.isArray(fields) && { fields: fields.map((field) => `${list}[${index}].${field}`) }),
    },
    cause: error,
  });
}
