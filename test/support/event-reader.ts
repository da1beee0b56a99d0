export interface StreamEvent {
  readonly id: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: what was sent is what is tested
  readonly data: any;
}

/** Reads Server-Sent Events one by one, like a client without EventSource. */
export class EventReader {
  readonly status: number;
  readonly headers: Headers;
  readonly #abort: AbortController;
  readonly #chunks: AsyncIterator<string>;
  #rest = '';
  #text = '';

  private constructor(response: Response, abort: AbortController) {
    this.status = response.status;
    this.headers = response.headers;
    this.#abort = abort;
    this.#chunks = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).values();
  }

  static async open(url: string, headers: Record<string, string>): Promise<EventReader> {
    const abort = new AbortController();
    const response = await fetch(url, { headers, signal: abort.signal });
    return new EventReader(response, abort);
  }

  /** Everything read so far. */
  get text(): string {
    return this.#text;
  }

  /** The next block with data; undefined at the end of the stream. */
  async next(): Promise<StreamEvent | undefined> {
    for (;;) {
      const end = this.#rest.indexOf('\n\n');
      if (end >= 0) {
        const block = this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end + 2);
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data !== undefined) return { id: /^id: (.*)$/m.exec(block)?.[1], data: JSON.parse(data) };
        continue;
      }
      const { done, value: text } = await this.#chunks.next();
      if (done === true) return undefined;
      this.#text += text;
      this.#rest += text;
    }
  }

  close(): void {
    this.#abort.abort();
  }
}
