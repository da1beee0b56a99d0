/** From the start of the line to its end, nothing. */
const CLEAR_LINE = '\r\u001b[2K';

/** One line that tells what happens to an image; where there is no terminal, only what came of it. */
export class ScanProgress {
  readonly #stream: NodeJS.WritableStream;
  readonly #isTerminal: boolean;
  #file = '';

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
    this.#isTerminal = (stream as NodeJS.WriteStream).isTTY === true;
  }

  begin(file: string): void {
    this.#file = file;
  }

  update(text: string): void {
    if (this.#isTerminal) this.#stream.write(`${CLEAR_LINE}${this.#file}: ${text}`);
  }

  end(text: string): void {
    this.#stream.write(`${this.#isTerminal ? CLEAR_LINE : ''}${this.#file}: ${text}\n`);
  }
}
