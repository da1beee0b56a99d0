const LF = 0x0a;
const MAX_LINE_MIB = 16;
const MAX_LINE_BYTES = MAX_LINE_MIB * 1024 * 1024;
const EXAMPLE_BYTES = 120;

export interface LineReaderOptions {
  /**
   * The line is `bytes` from `start` to before `end`, without line feed and byte order mark; valid during the call.
   * White-space lines are counted but not delivered.
   */
  readonly onLine: (bytes: Buffer, start: number, end: number, line: number) => void;
  /** A line above the limit. `line` counts from 1. */
  readonly onBroken: (line: number, reason: string, example: string) => void;
}

/** Splits a byte stream into lines, without copying those within one chunk. Call `push`, then `end`. */
export class LineReader {
  readonly #options: LineReaderOptions;
  #pending: Buffer = Buffer.alloc(0);
  #line = 1;
  #skipping = false;

  constructor(options: LineReaderOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    const firstEnd = chunk.indexOf(LF);
    if (firstEnd === -1) {
      this.#hold(chunk);
      return;
    }
    let start = 0;
    if (this.#pending.length > 0 || this.#skipping) {
      const rest = Buffer.concat([this.#pending, chunk.subarray(0, firstEnd)]);
      this.#take(rest, 0, rest.length);
      this.#pending = EMPTY;
      start = firstEnd + 1;
    }
    for (let end = chunk.indexOf(LF, start); end !== -1; end = chunk.indexOf(LF, start)) {
      this.#take(chunk, start, end);
      start = end + 1;
    }
    this.#pending = chunk.subarray(start);
  }

  /** The number of the last line if it has no line feed; it may be incomplete. */
  end(): number | undefined {
    const unended = this.#pending.length > 0 || this.#skipping ? this.#line : undefined;
    if (this.#pending.length > 0) this.#take(this.#pending, 0, this.#pending.length);
    this.#pending = EMPTY;
    return unended;
  }

  #hold(chunk: Buffer): void {
    if (this.#skipping) return;
    this.#pending = Buffer.concat([this.#pending, chunk]);
    if (this.#pending.length <= MAX_LINE_BYTES) return;
    const example = this.#pending.toString('utf8', 0, EXAMPLE_BYTES);
    this.#options.onBroken(this.#line, `a line of more than ${MAX_LINE_MIB} MiB`, example);
    this.#pending = EMPTY;
    this.#skipping = true;
  }

  #take(bytes: Buffer, start: number, end: number): void {
    if (this.#skipping) this.#skipping = false;
    else {
      const from = this.#line === 1 ? afterByteOrderMark(bytes, start, end) : start;
      if (!isBlank(bytes, from, end)) this.#options.onLine(bytes, from, end, this.#line);
    }
    this.#line++;
  }
}

const EMPTY: Buffer = Buffer.alloc(0);

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

function afterByteOrderMark(bytes: Buffer, start: number, end: number): number {
  const after = start + BYTE_ORDER_MARK.length;
  return after <= end && BYTE_ORDER_MARK.every((byte, at) => bytes[start + at] === byte) ? after : start;
}

/** Usually the first byte decides. */
function isBlank(bytes: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at < end && isSpace(bytes[at]!)) at++;
  return at === end;
}

/** Space, tab and carriage return: the white space of JSON within a line. */
function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
