import type { OperatorStatus } from '../../api/operator/status.ts';

export type LogWarning = OperatorStatus['warnings'][number];

/** Maximum warnings of each thread, and of all together in the status. */
export const MAX_WARNINGS = 200;
const MAX_MESSAGE_LENGTH = 500;
const WARNING = /^\{"level":"(?:warn|error|fatal)"/;

interface WarningLine extends Omit<LogWarning, 'loggedAt'> {
  readonly time: string;
  readonly msg?: string;
  readonly err?: { readonly message?: string };
  /** Fields of a request that was slow or failed. */
  readonly method?: string;
  readonly route?: string;
  readonly status?: number;
  readonly durationMs?: number;
}

/** The last warnings in the log of one thread. */
export class LastWarnings {
  readonly #warnings: LogWarning[] = [];

  /** Receives each JSON line of the log; for other levels only the beginning is inspected. */
  take(line: string): void {
    if (!WARNING.test(line)) return;
    const warning = JSON.parse(line) as WarningLine;
    const { level, time, thread } = warning;
    this.#warnings.push({
      loggedAt: time,
      level,
      message: messageOf(warning).slice(0, MAX_MESSAGE_LENGTH),
      ...(thread !== undefined && { thread }),
    });
    if (this.#warnings.length > MAX_WARNINGS) this.#warnings.shift();
  }

  /** The oldest first. */
  all(): readonly LogWarning[] {
    return this.#warnings;
  }
}

/** The last warnings of all threads, newest first. */
export function mergeWarnings(threads: readonly (readonly LogWarning[])[]): LogWarning[] {
  return threads
    .flat()
    .toSorted((a, b) => (a.loggedAt < b.loggedAt ? 1 : -1))
    .slice(0, MAX_WARNINGS);
}

function messageOf({ msg = '', err, method, route, status, durationMs }: WarningLine): string {
  const subject =
    method === undefined || durationMs === undefined
      ? msg
      : `${msg} ${method} ${route}: ${status} after ${Math.round(durationMs)} ms`;
  return err?.message === undefined ? subject : `${subject}: ${err.message}`;
}
