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

const DELIMITERS = [',', ';', '\t'];
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
  const bytes = utf8.at(-1) === LF ? utf8 : Buffer.concat([utf8, Buffer.of(LF)]);
  const declared = DECLARED.exec(bytes.toString('latin1', 0, 10));
  const from = declared === null ? 0 : declared[0].length;
  const delimiter = declared?.[1] ?? likelyDelimiter(bytes);
  const rows: TableRow[] = [];
  let cells = 0;
  for (const row of rowsOf(bytes, delimiter, from)) {
    if (rows.length === MAX_ROWS) throw tooManyRows();
    cells += row.cells.length;
    if (cells > MAX_CELLS) throw tooMany('cells', MAX_CELLS);
    rows.push(row);
  }
  return { delimiter, rows };
}

/** The delimiter in the first row that contains any; the most frequent one if there are several. */
function likelyDelimiter(bytes: Buffer): string {
  const lastEnd = bytes.lastIndexOf(LF, SAMPLE_BYTES);
  const sample = Buffer.concat([bytes.subarray(0, lastEnd === -1 ? SAMPLE_BYTES : lastEnd), Buffer.of(LF)]);
  const counts = DELIMITERS.map((delimiter) => {
    const cells: number[] = [];
    for (const row of rowsOf(sample, delimiter, 0)) {
      cells.push(row.cells.length);
      if (cells.length === SAMPLE_ROWS) break;
    }
    return cells;
  });
  for (let at = 0; at < SAMPLE_ROWS; at++) {
    const most = Math.max(...counts.map((cells) => cells[at] ?? 0));
    if (most > 1) return DELIMITERS[counts.findIndex((cells) => (cells[at] ?? 0) === most)]!;
  }
  return DELIMITERS[0]!;
}

function* rowsOf(bytes: Buffer, delimiter: string, from: number): Generator<TableRow> {
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
    const cells = fields.count > MAX_COLUMNS ? [] : fields.allTexts();
    if (cells.length !== 0 || fields.count > MAX_COLUMNS) {
      const problem = problemOf(fields, cells);
      if (problem !== undefined || cells.some((cell) => cell.trim() !== ''))
        yield problem === undefined ? { line, cells } : { line, cells: cells.map(cut), problem };
    }
    line += fields.lines;
    at = next;
  }
}

function cut(cell: string): string {
  return cell.slice(0, MAX_CELL_CHARACTERS);
}

/** Bytes of an empty line; 0 for another line. */
function blankLength(bytes: Buffer, at: number): number {
  if (bytes[at] === LF) return 1;
  return bytes[at] === CR && bytes[at + 1] === LF ? 2 : 0;
}

function problemOf({ problem, count }: DelimitedFields<never>, cells: readonly string[]): string | undefined {
  if (count > MAX_COLUMNS) return `The row has more than ${MAX_COLUMNS} columns.`;
  if (problem !== undefined) return `The row has ${problem}.`;
  const long = cells.findIndex((cell) => cell.length > MAX_CELL_CHARACTERS);
  return long === -1 ? undefined : `Cell ${long + 1} has more than ${MAX_CELL_CHARACTERS} characters.`;
}
