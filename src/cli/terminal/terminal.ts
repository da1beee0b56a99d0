/** The environment and the streams of a command; tests pass their own. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What is piped in, for commands that read it. */
  readonly in?: NodeJS.ReadableStream;
  /** Results: what another program may read. */
  readonly out: NodeJS.WritableStream;
  /** Progress, warnings and errors: what a person reads. */
  readonly err: NodeJS.WritableStream;
}
