import { DelimitedFields, INCOMPLETE, LF } from '../readers/delimited-fields.ts';
import {
  MAX_CELL_CHARACTERS,
  MAX_CELLS,
  MAX_COLUMNS,
  MAX_ROWS,
  MAX_SHEET_ROWS,
  MAX_UNCLOSED_QUOTES,
  tooMany,
  tooManyRows,
} from './table-limits.ts';

/** A row of a table; `problem` says why its cells are unusable. */
export interface TableRow {
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly problem?: string;
}

export interface Table {
  readonly delimiter: string;
  readonly rows: readonly TableRow[];
}

const DELIMITERS = [',', ';', '\t'] as const;
/** Most columns of a row, and most characters of a cell. */
export interface RowLimits {
  readonly columns: number;
  readonly cellCharacters: number;
}
const OWN_LIMITS: RowLimits = { columns: MAX_COLUMNS, cellCharacters: MAX_CELL_CHARACTERS };

/** "sep=;" tells Excel the delimiter. */
const DECLARED = /^sep=(.)\r?\n/;
/** Number of initial bytes that determine the delimiter. */
const SAMPLE_BYTES = 64 * 1024;
const SAMPLE_ROWS = 20;
const CR = 0x0d;

/**
 * Reads the rows of a small table, with any number of cells each, without blank ones. Throws `invalid_request`
 * for more than `MAX_ROWS`.
 */
export function readTable(utf8: Buffer): Table {
  const { delimiter, rows: read } = openTable(utf8);
  const rows: TableRow[] = [];
  let cells = 0;
  for (const row of read()) {
    if (rows.length === MAX_ROWS) throw tooManyRows();
    cells += row.cells.length;
    if (cells > MAX_CELLS) throw tooMany('cells', MAX_CELLS);
    rows.push(row);
  }
  return { delimiter, rows };
}

/** The rows of a table, read anew by each call of `rows`. */
export function openTable(
  utf8: Buffer,
  delimiters: readonly string[] = DELIMITERS,
  limits: RowLimits = OWN_LIMITS,
): { readonly delimiter: string; readonly rows: () => Iterable<TableRow> } {
  const bytes = utf8.at(-1) === LF ? utf8 : Buffer.concat([utf8, Buffer.of(LF)]);
  const declared = DECLARED.exec(bytes.toString('latin1', 0, 10));
  const from = declared === null ? 0 : declared[0].length;
  const delimiter = declared?.[1] ?? likelyDelimiter(bytes, delimiters, limits);
  return { delimiter, rows: () => rowsOf(bytes, { delimiter, from, limits }) };
}

/** The delimiter in the first row that contains any; the most frequent one if there are several. */
function likelyDelimiter(bytes: Buffer, delimiters: readonly string[], limits: RowLimits): string {
  const lastEnd = bytes.lastIndexOf(LF, SAMPLE_BYTES);
  const sample = Buffer.concat([bytes.subarray(0, lastEnd === -1 ? SAMPLE_BYTES : lastEnd), Buffer.of(LF)]);
  const counts = delimiters.map((delimiter) => {
    const cells: number[] = [];
    for (const row of rowsOf(sample, { delimiter, from: 0, limits })) {
      cells.push(row.cells.length);
      if (cells.length === SAMPLE_ROWS) break;
    }
    return cells;
  });
  for (let at = 0; at < SAMPLE_ROWS; at++) {
    const most = Math.max(...counts.map((cells) => cells[at] ?? 0));
    if (most > 1) return delimiters[counts.findIndex((cells) => (cells[at] ?? 0) === most)]!;
  }
  return delimiters[0]!;
}

interface RowSource {
  readonly delimiter: string;
  readonly from: number;
  readonly limits: RowLimits;
}

function* rowsOf(bytes: Buffer, { delimiter, from, limits }: RowSource): Generator<TableRow> {
  const fields = new DelimitedFields<never>(delimiter.charCodeAt(0));
  let line = from === 0 ? 1 : 2;
  let unclosed = 0;
  let sheetRows = 0;
  for (let at = from; at < bytes.length; ) {
    const blank = blankLength(bytes, at);
    if (blank > 0) {
      at += blank;
      line++;
      continue;
    }
    const next = fields.scanQuoted(bytes, at);
    if (next === INCOMPLETE) {
      // Each of them was looked for up to the end of the file.
      if (++unclosed > MAX_UNCLOSED_QUOTES)
        throw tooMany('quotes that are never closed', MAX_UNCLOSED_QUOTES);
      yield { line, cells: [], problem: 'A quote is never closed in this line.' };
      at = bytes.indexOf(LF, at) + 1;
      line++;
      continue;
    }
    if (++sheetRows > MAX_SHEET_ROWS) throw tooMany('rows', MAX_SHEET_ROWS);
    const cells = fields.count > limits.columns ? [] : fields.allTexts();
    if (cells.length !== 0 || fields.count > limits.columns) {
      const problem = problemOf(fields, cells, limits);
      if (problem !== undefined || cells.some((cell) => cell.trim() !== ''))
        yield problem === undefined
          ? { line, cells }
          : { line, cells: cells.map((cell) => cell.slice(0, limits.cellCharacters)), problem };
    }
    line += fields.lines;
    at = next;
  }
}

/** Bytes of an empty line; 0 for another line. */
function blankLength(bytes: Buffer, at: number): number {
  if (bytes[at] === LF) return 1;
  return bytes[at] === CR && bytes[at + 1] === LF ? 2 : 0;
}

function problemOf(
  { problem, count }: DelimitedFields<never>,
  cells: readonly string[],
  { columns, cellCharacters }: RowLimits,
): string | undefined {
  if (count > columns) return `The row has more than ${columns} columns.`;
  if (problem !== undefined) return `The row has ${problem}.`;
  const long = cells.findIndex((cell) => cell.length > cellCharacters);
  return long === -1 ? undefined : `Cell ${long + 1} has more than ${cellCharacters} characters.`;
}
