import { parseNumberBytes } from './number-bytes.ts';

export const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;

const MAX_COLUMNS = 2_000;

/** One row; fields are decoded on access. */
export type DelimitedRow<Column extends string> = Pick<DelimitedFields<Column>, 'line' | 'text' | 'number'>;

export const INCOMPLETE = -1;

/** Field positions of the current row. One object serves all rows, so a row needs no allocation. */
export class DelimitedFields<Column extends string> {
  /** Line number of the row, from 1. */
  line = 0;
  /** Number of fields in the row. */
  count = 0;
  /** Number of lines in the row. */
  lines = 1;
  problem: string | undefined;
  columnCount = 0;
  hasHeader = false;

  readonly #delimiter: number;
  #bytes: Buffer = Buffer.alloc(0);
  readonly #starts = new Int32Array(MAX_COLUMNS);
  readonly #ends = new Int32Array(MAX_COLUMNS);
  /** 1 if the field contains doubled quotes. */
  readonly #doubled = new Uint8Array(MAX_COLUMNS);
  readonly #columns = new Map<Column, number>();

  constructor(delimiter: number) {
    this.#delimiter = delimiter;
  }

  setHeader(names: readonly string[], wanted: readonly Column[]): void {
    this.hasHeader = true;
    this.columnCount = names.length;
    for (const column of wanted) this.#columns.set(column, names.indexOf(column));
  }

  text(column: Column): string {
    return this.#textAt(this.#columns.get(column) ?? -1);
  }

  /** Undefined if the field is empty or no number. */
  number(column: Column): number | undefined {
    const index = this.#columns.get(column) ?? -1;
    if (index < 0) return undefined;
    return parseNumberBytes(this.#bytes, this.#starts[index]!, this.#ends[index]!);
  }

  allTexts(): string[] {
    return Array.from({ length: Math.min(this.count, MAX_COLUMNS) }, (_, index) => this.#textAt(index));
  }

  isBlank(): boolean {
    return this.count === 1 && this.#starts[0] === this.#ends[0] && this.problem === undefined;
  }

  #textAt(index: number): string {
    if (index < 0) return '';
    const start = this.#starts[index]!;
    const end = this.#ends[index]!;
    if (start === end) return '';
    const text = this.#bytes.toString('utf8', start, end);
    return this.#doubled[index] === 1 ? text.replaceAll('""', '"') : text;
  }

  /** Finds the fields of the row at `from`. Returns the start of the next row, or `INCOMPLETE`. */
  scanPlain(bytes: Buffer, from: number): number {
    const delimiter = this.#delimiter;
    const starts = this.#starts;
    const ends = this.#ends;
    const length = bytes.length;
    this.#bytes = bytes;
    this.lines = 1;
    this.problem = undefined;
    let count = 0;
    let start = from;
    for (let at = from; at < length; at++) {
      const byte = bytes[at]!;
      if (byte === delimiter) {
        if (count < MAX_COLUMNS) {
          starts[count] = start;
          ends[count] = at;
        }
        count++;
        start = at + 1;
      } else if (byte === LF) {
        if (count < MAX_COLUMNS) {
          starts[count] = start;
          ends[count] = at > start && bytes[at - 1] === CR ? at - 1 : at;
        }
        this.count = count + 1;
        return at + 1;
      }
    }
    return INCOMPLETE;
  }

  /** Finds the fields of a row with quoted fields. */
  scanQuoted(bytes: Buffer, from: number): number {
    const delimiter = this.#delimiter;
    const length = bytes.length;
    this.#bytes = bytes;
    this.lines = 1;
    this.problem = undefined;
    let at = from;
    for (let index = 0; ; index++) {
      const start = at;
      const isQuoted = bytes[at] === QUOTE;
      if (isQuoted) at = this.#scanQuotedField(bytes, at, index);
      const tail = at;
      while (at < length && bytes[at] !== delimiter && bytes[at] !== LF) at++;
      if (at >= length) return INCOMPLETE;
      const isRowEnd = bytes[at] === LF;
      const stop = isRowEnd && at > tail && bytes[at - 1] === CR ? at - 1 : at;
      if (!isQuoted) this.#setField(index, start, stop, 0);
      else if (stop !== tail) this.problem = 'text after a closing quote';
      at++;
      if (isRowEnd) {
        this.count = index + 1;
        return at;
      }
    }
  }

  /** Returns the position after the closing quote. */
  #scanQuotedField(bytes: Buffer, from: number, index: number): number {
    const start = from + 1;
    let doubled = 0;
    let at = start;
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === LF) this.lines++;
      if (byte !== QUOTE) continue;
      if (bytes[at + 1] !== QUOTE) break;
      doubled = 1;
      at++;
    }
    this.#setField(index, start, at, doubled);
    return at + 1;
  }

  #setField(index: number, start: number, end: number, doubled: number): void {
    if (index >= MAX_COLUMNS) return;
    this.#starts[index] = start;
    this.#ends[index] = end;
    this.#doubled[index] = doubled;
  }
}
