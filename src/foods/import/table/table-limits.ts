import { AppError } from '@larder/core/errors.ts';

/** Maximum file of one import: five years of a diary with seventy columns are some 9 MB in Cronometer's export. */
export const MAX_FILE_BYTES = 12 * 1024 * 1024;
export const MAX_COLUMNS = 300;
export const MAX_CELL_CHARACTERS = 2_000;
/** Maximum rows of a table, or records of an export. It exceeds the default of what a user may add in a day. */
export const MAX_ROWS = 50_000;
/** Rows including those of empty cells: as many as a sheet of Excel has. */
export const MAX_SHEET_ROWS = 1_048_576;
/** Cells of all rows, in memory at once. Seventy columns of `MAX_ROWS` are 3.5 million. */
export const MAX_CELLS = 4_000_000;
/** Lines with a quote that is never closed; the rest of the file is searched for the end of each. */
export const MAX_UNCLOSED_QUOTES = 20;

/** Amounts of food that a column may state nutrients for. */
export const AMOUNT_BASES = ['100g', '100ml', 'serving'] as const;
export type AmountBasis = (typeof AMOUNT_BASES)[number];

/** The name of a table, which begins the ids of its foods. */
export const TABLE_NAME = /^[a-z][a-z0-9-]{0,19}$/;
/** Maximum characters of a map that is sent: some ten times one with all nutrients. */
export const MAX_MAP_LENGTH = 30_000;

export function tooManyRows(): AppError {
  return tooMany('rows', MAX_ROWS);
}

export function tooMany(what: string, limit: number): AppError {
  return new AppError({
    code: 'invalid_request',
    message: `The file has more than ${limit} ${what}; divide it, for example by year.`,
    details: { limit },
  });
}
