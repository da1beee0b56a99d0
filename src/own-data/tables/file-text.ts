import { AppError } from '@larder/core/errors.ts';
import { asUtf8, headAsUtf8 } from '../../foods/import/readers/utf8.ts';
import { MAX_ROWS } from '../../foods/import/table/table-limits.ts';

/** Number of bytes in which NULs distinguish text from other files. */
const HEAD_BYTES = 4096;
/** Lines that are repaired, twice the rows that a table may have: each takes some microseconds. */
const MAX_REPAIRS = 2 * MAX_ROWS;
const BYTE_ORDER_MARK = Buffer.of(0xef, 0xbb, 0xbf);
const ZIP_START = Buffer.from('PK\u0003\u0004');

/** A repair of the encoding, with the line and column of the first position. */
export interface Repair {
  readonly reason: string;
  readonly count: number;
  readonly line: number;
  readonly column: number;
}

/**
 * The file as UTF-8 without a byte order mark, whatever its encoding; see `utf8.ts`. Throws `invalid_request`
 * for a file that is not text.
 */
export async function toFileText(
  bytes: Buffer,
): Promise<{ readonly utf8: Buffer; readonly repairs: readonly Repair[] }> {
  if (bytes.subarray(0, ZIP_START.length).equals(ZIP_START))
    throw noText('The file is a ZIP archive or a spreadsheet; unpack it, or save it as CSV.');
  if (bytes.length === 0) throw noText('The file is empty.');
  if (headAsUtf8(bytes.subarray(0, HEAD_BYTES)) === undefined)
    throw noText('The file is no text; send a CSV table or an export of Larder.');
  const repairs = new Map<string, Repair>();
  let total = 0;
  const noticed = (reason: string, example: string) => {
    if (++total > MAX_REPAIRS)
      throw noText(
        `The file has characters of another encoding in more than ${MAX_REPAIRS} places; save it as UTF-8.`,
      );
    const [line = 1, column = 1] = (/^:(\d+):(\d+)/.exec(example) ?? []).slice(1).map(Number);
    const known = repairs.get(reason);
    repairs.set(reason, known ? { ...known, count: known.count + 1 } : { reason, count: 1, line, column });
  };
  const pieces: Buffer[] = [];
  for await (const piece of asUtf8('', oneChunk(bytes), { noticed })) pieces.push(piece);
  const utf8 = Buffer.concat(pieces);
  const hasMark = utf8.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return { utf8: hasMark ? utf8.subarray(BYTE_ORDER_MARK.length) : utf8, repairs: [...repairs.values()] };
}

async function* oneChunk(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

function noText(message: string): AppError {
  return new AppError({ code: 'invalid_request', message });
}
