import { DelimitedFields, type DelimitedRow, INCOMPLETE, LF } from './delimited-fields.ts';

/**
 * Reads text separated by commas, semicolons or tabs from bytes; only requested fields become strings or numbers. Quoting follows
 * RFC 4180: a field that starts with a quote ends at the next single quote, may contain delimiters and line breaks,
 * and doubles quotes. Rows end with LF or CRLF; a UTF-8 byte order mark is skipped. An unreadable row is reported
 * with its line number, and reading continues with the next row, or after an unclosed quote with the next line.
 */

const MAX_ROW_MIB = 4;
const MAX_ROW_BYTES = MAX_ROW_MIB * 1024 * 1024;
const EXAMPLE_BYTES = 120;

export interface DelimitedOptions<Column extends string> {
  readonly delimiter: ',' | ';' | '\t';
  /** False for tab-separated exports in which quotes have no meaning. */
  readonly quoted: boolean;
  /** The columns of `DelimitedRow`; missing ones read as empty. */
  readonly columns: readonly Column[];
  /** Called once with all column names. May throw to reject the file. */
  readonly onHeader?: (names: readonly string[]) => void;
  /** `row` is only valid during the call. */
  readonly onRow: (row: DelimitedRow<Column>) => void;
  /** `line` counts from 1. */
  readonly onBroken: (line: number, reason: string, example: string) => void;
}

/** Call `push` with each chunk, then `end`. Rows are delivered synchronously. */
export class DelimitedReader<Column extends string> {
  readonly #options: DelimitedOptions<Column>;
  readonly #fields: DelimitedFields<Column>;
  /** Bytes after the last complete row. */
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  /** Pending bytes from which the row is read again: twice those that did not complete it, so that the work is linear. */
  #readFrom = 0;
  #line = 1;
  #atStart = true;
  #skippingLongRow = false;
  /** Whether the last row was only the beginning of one. */
  #isPart = false;

  constructor(options: DelimitedOptions<Column>) {
    this.#options = options;
    this.#fields = new DelimitedFields(options.delimiter.charCodeAt(0));
  }

  push(chunk: Buffer): void {
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    if (this.#pendingBytes < this.#readFrom) return;
    const bytes = this.#takePending();
    const rest = bytes.subarray(this.#readRows(bytes, this.#skipMark(bytes), false));
    this.#pending = rest.length === 0 ? [] : [rest];
    this.#pendingBytes = rest.length;
    this.#readFrom = Math.min(2 * rest.length, MAX_ROW_BYTES + 1);
  }

  #takePending(): Buffer {
    const [first = Buffer.alloc(0), ...others] = this.#pending;
    this.#pending = [];
    this.#pendingBytes = 0;
    return others.length === 0 ? first : Buffer.concat([first, ...others]);
  }

  /** Returns false if the text ends within a row. */
  end(): boolean {
    const last = this.#takePending();
    if (last.length === 0) return true;
    const hasLineEnd = last.at(-1) === LF;
    const bytes = Buffer.concat([last, Buffer.of(LF)]);
    this.#readRows(bytes, this.#skipMark(bytes), true);
    return hasLineEnd || !this.#isPart;
  }

  #skipMark(bytes: Buffer): number {
    if (!this.#atStart) return 0;
    // A byte order mark may be split between chunks: wait for three bytes.
    if (bytes.length < 3) return 0;
    this.#atStart = false;
    return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  }

  /** Reads complete rows and returns the start of the first incomplete one. */
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

  /** Reports the unclosed row at `at` and returns the start of the next line. */
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
