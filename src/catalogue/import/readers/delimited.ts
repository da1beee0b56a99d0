import { COMMA, DelimitedFields, type DelimitedRow, INCOMPLETE, LF, TAB } from './delimited-fields.ts';

/**
 * Reads comma- and tab-separated text from bytes: only the fields that are asked for become strings or numbers.
 *
 * Quoting follows RFC 4180: a field that starts with a quote ends at the next single quote, may hold delimiters
 * and line breaks, and states a quote as two. Rows end with LF or CRLF; a UTF-8 byte order mark is skipped.
 *
 * A row that cannot be read is reported with its line and costs only itself: after a quote that is never closed, reading
 * goes on at the next line break.
 */

const MAX_ROW_MIB = 4;
const MAX_ROW_BYTES = MAX_ROW_MIB * 1024 * 1024;
const EXAMPLE_BYTES = 120;

export interface DelimitedOptions<Column extends string> {
  readonly delimiter: ',' | '\t';
  /** False for tab-separated exports in which a quote is a character like any other. */
  readonly quoted: boolean;
  /** The columns that `DelimitedRow` will be asked for; those the header lacks read as empty. */
  readonly columns: readonly Column[];
  /** Called once, with all column names. May throw to refuse the file. */
  readonly onHeader?: (names: readonly string[]) => void;
  /** `row` is only valid during the call. */
  readonly onRow: (row: DelimitedRow<Column>) => void;
  /** `line` counts from 1. */
  readonly onBroken: (line: number, reason: string, example: string) => void;
}

/** Feed it chunks with `push`, then call `end`. Rows are handed on synchronously. */
export class DelimitedReader<Column extends string> {
  readonly #options: DelimitedOptions<Column>;
  readonly #fields: DelimitedFields<Column>;
  /** Bytes after the last whole row. */
  #pending: Buffer = Buffer.alloc(0);
  #line = 1;
  #atStart = true;
  #skippingLongRow = false;
  /** The row that was read last is the beginning of one. */
  #isPart = false;

  constructor(options: DelimitedOptions<Column>) {
    this.#options = options;
    this.#fields = new DelimitedFields(options.delimiter === ',' ? COMMA : TAB);
  }

  push(chunk: Buffer): void {
    const bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const rest = this.#readRows(bytes, this.#skipMark(bytes), false);
    this.#pending = bytes.subarray(rest);
  }

  /** False where the text breaks off within a row. */
  end(): boolean {
    if (this.#pending.length === 0) return true;
    const hasLineEnd = this.#pending.at(-1) === LF;
    const bytes = Buffer.concat([this.#pending, Buffer.of(LF)]);
    this.#pending = Buffer.alloc(0);
    this.#readRows(bytes, this.#skipMark(bytes), true);
    return hasLineEnd || !this.#isPart;
  }

  #skipMark(bytes: Buffer): number {
    if (!this.#atStart) return 0;
    // Fewer than three bytes so far: wait for more, since a byte order mark may be split.
    if (bytes.length < 3) return 0;
    this.#atStart = false;
    return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  }

  /** Reads whole rows; gives back where the first incomplete one starts. */
  #readRows(bytes: Buffer, from: number, isLast: boolean): number {
    const fields = this.#fields;
    let at = from;
    if (this.#atStart && !isLast) return at;
    if (this.#skippingLongRow) {
      const lineEnd = bytes.indexOf(LF, at);
      if (lineEnd === -1) return bytes.length;
      this.#skippingLongRow = false;
      this.#line++;
      at = lineEnd + 1;
    }
    while (at < bytes.length) {
      const next = this.#options.quoted ? fields.scanQuoted(bytes, at) : fields.scanPlain(bytes, at);
      if (next === INCOMPLETE) {
        if (!isLast && bytes.length - at <= MAX_ROW_BYTES) return at;
        at = this.#loseLine(bytes, at);
        continue;
      }
      this.#takeRow(bytes, at);
      this.#line += fields.lines;
      at = next;
    }
    return at;
  }

  #takeRow(bytes: Buffer, at: number): void {
    const { onHeader, onRow, onBroken, columns } = this.#options;
    const fields = this.#fields;
    fields.line = this.#line;
    this.#isPart = fields.hasHeader && fields.count > 1 && fields.count < fields.columnCount;
    if (fields.isBlank()) return;
    if (!fields.hasHeader) {
      const names = fields.allTexts();
      onHeader?.(names);
      fields.setHeader(names, columns);
    } else if (fields.problem !== undefined) {
      onBroken(this.#line, fields.problem, exampleOf(bytes, at));
    } else if (fields.count !== fields.columnCount) {
      const reason = fields.count < fields.columnCount ? 'too few columns' : 'too many columns';
      onBroken(this.#line, reason, exampleOf(bytes, at));
    } else {
      onRow(fields);
    }
  }

  /** Reports the row at `at`, which has no end, and gives back where the line after it starts. */
  #loseLine(bytes: Buffer, at: number): number {
    const lineEnd = bytes.indexOf(LF, at);
    const reason = lineEnd === -1 ? `a row of more than ${MAX_ROW_MIB} MiB` : 'a quote that is never closed';
    this.#options.onBroken(this.#line, reason, exampleOf(bytes, at));
    this.#isPart = true;
    if (lineEnd === -1) {
      this.#skippingLongRow = true;
      return bytes.length;
    }
    this.#line++;
    return lineEnd + 1;
  }
}

function exampleOf(bytes: Buffer, at: number): string {
  const lineEnd = bytes.indexOf(LF, at);
  const end = Math.min(lineEnd === -1 ? bytes.length : lineEnd, at + EXAMPLE_BYTES);
  return bytes.toString('utf8', at, end).trimEnd();
}
