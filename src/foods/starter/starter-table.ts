import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '@larder/core/errors.ts';
import { NUTRIENT_KEYS } from '@larder/core/nutrients.ts';

/** Columns with names in other languages than English. */
export const ALIAS_LANGUAGES = ['de', 'fr', 'es', 'it', 'pt', 'nl', 'pl'] as const;

/** Columns that people edit; see README.md. */
export const HAND_COLUMNS = [
  'key',
  'name',
  'brand',
  'category',
  'aliases',
  ...ALIAS_LANGUAGES,
  'servings',
  'basis',
  'usda',
  'diary',
  'everyday',
] as const;

/** Columns that `npm run starter` fills from the USDA and NHANES files. */
export const FILLED_COLUMNS = ['density', 'popularity', ...NUTRIENT_KEYS] as const;

export const STARTER_COLUMNS = [...HAND_COLUMNS, ...FILLED_COLUMNS] as const;

export type StarterColumn = (typeof STARTER_COLUMNS)[number];

/** The tables, one row a food: dishes and ingredients of any brand, and products by GTIN. */
export const GENERIC_TABLE = new URL('generic.tsv', import.meta.url);
export const BRANDED_TABLE = new URL('branded.tsv', import.meta.url);

/** Separates the entries of names and of `servings`. */
export const LIST_SEPARATOR = '; ';

/** A row of a table that ships with the project: the text of each column, by the name in the header. */
export interface TableRow<Column extends string> {
  readonly file: string;
  /** Counts from 1; the header is line 1. */
  readonly line: number;
  readonly values: Readonly<Record<Column, string>>;
}

/**
 * Reads a tab-separated table with a header and without quoting; lines that begin with # before the header are comments.
 * The columns must be exactly the given ones, in their order. Throws an `OperatorError` that names file and line.
 */
export function readTable<const Column extends string>(
  url: URL,
  columns: readonly Column[],
): TableRow<Column>[] {
  const file = basename(fileURLToPath(url));
  const all = readFileSync(url, 'utf8').replace(/\n$/, '').split('\n');
  const comments = all.findIndex((text) => !text.startsWith('#'));
  const [header, ...lines] = all.slice(comments);
  if (header !== columns.join('\t')) {
    throw new OperatorError(`${file}: the header must name the columns ${columns.join(', ')}.`);
  }
  return lines.map((text, index) => {
    const line = comments + index + 2;
    const fields = text.split('\t');
    if (fields.length !== columns.length) {
      throw new OperatorError(`${file}:${line}: ${fields.length} columns instead of ${columns.length}.`);
    }
    const values = Object.fromEntries(columns.map((column, at) => [column, fields[at]!]));
    return { file, line, values: values as Record<Column, string> };
  });
}

/** The error of an invalid row; the table is part of the project, so it must be corrected there. */
export function rowError(row: TableRow<string>, problem: string): OperatorError {
  return new OperatorError(`${row.file}:${row.line}: ${problem}`);
}

/** The number in a column; undefined if it is empty. Negative and non-decimal numbers are rejected. */
export function numberIn<Column extends string>(row: TableRow<Column>, column: Column): number | undefined {
  const text = row.values[column];
  if (text === '') return undefined;
  if (!/^\d+(\.\d+)?$/.test(text)) throw rowError(row, `${column} is no number: ${text}`);
  return Number(text);
}
