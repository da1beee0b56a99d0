const LF = 0x0a;
const MAX_LINE_MIB = 16;
const MAX_LINE_BYTES = MAX_LINE_MIB * 1024 * 1024;
const EXAMPLE_BYTES = 120;

export interface LineReaderOptions {
  /** The line is `bytes` from `start` to before `end`, without its line break; only valid during the call. */
  readonly onLine: (bytes: Buffer, start: number, end: number, line: number) => void;
  /** A line beyond the limit. `line` counts from 1. */
  readonly onBroken: (line: number, reason: string, example: string) => void;
}

/** Parts a stream of bytes into lines without copying those that lie whole in a chunk. Feed `push`, then `end`. */
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

  end(): void {
    if (this.#pending.length > 0) this.#take(this.#pending, 0, this.#pending.length);
    this.#pending = EMPTY;
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
    else if (end > start) this.#options.onLine(bytes, start, end, this.#line);
    this.#line++;
  }
}

const EMPTY: Buffer = Buffer.alloc(0);
