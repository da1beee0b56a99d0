import { writeSync } from 'node:fs';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../../config/settings.ts';
import { LastWarnings } from '../operator/last-warnings.ts';

/** Levels that are shown to people; other lines are for machines. */
const SHOWN_LEVELS = new Set(['debug', 'warn', 'error', 'fatal']);

interface LogLine {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly err?: { readonly message: string };
}

/** A JSON line of the logger as plain text for a terminal; undefined if people need not see it. */
function toPlainLine(json: string): string | undefined {
  const { level, time, msg, err } = JSON.parse(json) as LogLine;
  if (!SHOWN_LEVELS.has(level)) return undefined;
  return `${time.slice(11, 19)} ${level} ${msg}${err === undefined ? '' : `: ${err.message}`}\n`;
}

const STDOUT = 1;
/** Maximum buffered characters of lines that could not be written yet. */
const MAX_KEPT_CHARACTERS = 1_000_000;

/** Field names that may hold a secret; their values are redacted at any depth. */
const SECRETS = ['authorization', '["x-api-key"]', 'key', 'secret', 'token', 'password'];
const REDACTED = SECRETS.flatMap((name) => {
  const dotted = name.startsWith('[') ? name : `.${name}`;
  return [name, `*${dotted}`, `headers${dotted}`, `*.headers${dotted}`];
});

/** `json` for programs, one object a line; `plain` for a person at a terminal. */
export type LogFormat = 'json' | 'plain';

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly destination: DestinationStream;
  /** Number of the API thread that writes; absent for the main thread. */
  readonly thread?: number;
}

/** The last warnings of all loggers of this thread. */
export const lastWarnings = new LastWarnings();

/** Structured logs without secrets. */
export function createLogger({ level, destination, thread }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: thread === undefined ? null : { thread },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED, censor: '[redacted]' },
    },
    {
      write(line: string) {
        lastWarnings.take(line);
        destination.write(line);
      },
    },
  );
}

/** Writes each line at once, from any thread, so that a crash loses no line and lines do not mix. */
export function standardOutput(format: LogFormat): DestinationStream {
  if (format === 'json') {
    const destination = pino.destination({ dest: STDOUT, sync: true, maxLength: MAX_KEPT_CHARACTERS });
    // While the disk is full, lines are buffered and then dropped, and the service continues.
    destination.on('error', () => {});
    return destination;
  }
  return {
    write: (json) => {
      const line = toPlainLine(json);
      if (line !== undefined) writeSync(STDOUT, line);
    },
  };
}
