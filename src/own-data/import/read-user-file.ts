import { AppError } from '@larder/core/errors.ts';
import { toFileText } from '../tables/file-text.ts';
import { type ExportContext, readEntryArray, readExport } from './read-export.ts';
import type { Reading } from './reading.ts';

export const IMPORT_FORMATS = ['larder', 'larder-json'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export interface ReadOptions extends ExportContext {
  /** By default it is recognized. */
  readonly format?: ImportFormat | undefined;
}

const [OPEN_OBJECT, OPEN_ARRAY] = ['{', '['];

/** Reads a file into `reading`, and returns the format that it has. Throws `invalid_request` for what is none. */
export async function readUserFile(
  bytes: Buffer,
  reading: Reading,
  options: ReadOptions,
): Promise<ImportFormat> {
  const { utf8, repairs } = await toFileText(bytes);
  for (const { reason, count, line, column } of repairs)
    reading.note(`${reason}: ${count} times, first in line ${line} at byte ${column}`);
  const format = options.format ?? formatOf(utf8);
  if (format === 'larder') await readExport(utf8, reading, options);
  else await readEntryArray(utf8, reading);
  return format;
}

function formatOf(utf8: Buffer): ImportFormat {
  const start = utf8.toString('utf8', 0, 1_000).trimStart();
  if (start.startsWith(OPEN_OBJECT!)) return 'larder';
  if (start.startsWith(OPEN_ARRAY!)) return 'larder-json';
  throw new AppError({
    code: 'invalid_request',
    message: 'This is no file that can be imported.',
    details: { fields: ['format'] },
  });
}
