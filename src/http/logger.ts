import pino, { type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../config.ts';

const STDOUT = 1;

/** Names under which a secret could get into a line; its value is replaced wherever it stands. */
const SECRETS = ['authorization', '["x-api-key"]', 'key', 'secret', 'token', 'password'];
const REDACTED = SECRETS.flatMap((name) => {
  const dotted = name.startsWith('[') ? name : `.${name}`;
  return [name, `*${dotted}`, `headers${dotted}`, `*.headers${dotted}`];
});

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Standard output when absent. */
  readonly destination?: DestinationStream;
  /** Which API thread writes; the main thread when absent. */
  readonly thread?: number;
}

/** Structured logs, one JSON object a line, without secrets. Written at once: no line is lost in a crash. */
export function createLogger({ level, destination, thread }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: thread === undefined ? null : { thread },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED, censor: '[redacted]' },
    },
    destination ?? pino.destination({ dest: STDOUT, sync: true }),
  );
}
