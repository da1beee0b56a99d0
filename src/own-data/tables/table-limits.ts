import { AppError } from '@larder/core/errors.ts';

/** Maximum file of one import: five years of a diary with seventy columns are some 9 MB in Cronometer's export. */
export const MAX_FILE_BYTES = 12 * 1024 * 1024;
export const MAX_COLUMNS = 300;
export const MAX_CELL_CHARACTERS = 2_000;
/** Maximum rows of a table, or records of an export. It exceeds the default of what a user may add in a day. */
export const MAX_ROWS = 50_000;

export function tooManyRows(): AppError {
  return new AppError({
    code: 'invalid_request',
    message: `The file has more than ${MAX_ROWS} rows; divide it, for example by year.`,
    details: { limit: MAX_ROWS },
  });
}
