/** Headers of a response; Set-Cookie may occur several times. */
export type HeaderValue = string | number | string[];

/** The parts of a request to another operation, as a client would send them. */
export interface CallParts {
  /** Path parameters; the operation validates them. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

export interface CalledReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, HeaderValue>>;
  /** The JSON of the answer or of the error; undefined without a body. */
  readonly value: unknown;
}
