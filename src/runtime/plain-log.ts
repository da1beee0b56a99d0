/** Lines of these levels are worth a person's attention; the others are for machines. */
const SHOWN_LEVELS = new Set(['debug', 'warn', 'error', 'fatal']);

interface LogLine {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly err?: { readonly message: string };
}

/** A JSON line of the logger in plain words for a terminal; undefined when a person need not see it. */
export function toPlainLine(json: string): string | undefined {
  const { level, time, msg, err } = JSON.parse(json) as LogLine;
  if (!SHOWN_LEVELS.has(level)) return undefined;
  return `${time.slice(11, 19)} ${level} ${msg}${err === undefined ? '' : `: ${err.message}`}\n`;
}
