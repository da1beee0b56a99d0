import { AppError, UsageError } from '@larder/core/errors.ts';
import { wholeNumber } from '../../config/schemas.ts';
import { printable } from './format.ts';

/** The environment and the streams of a command; tests pass their own. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard input, for commands that read it. */
  readonly in?: NodeJS.ReadableStream;
  /** Standard output: results for other programs. */
  readonly out: NodeJS.WritableStream;
  /** Standard error: progress, warnings and errors for people. */
  readonly err: NodeJS.WritableStream;
}

/** Prints the result of a command: with `--json` one line of JSON, else text for people. */
export function printResult(
  terminal: Terminal,
  asJson: boolean | undefined,
  value: unknown,
  text: string,
): void {
  print(terminal, asJson ? `${JSON.stringify(value)}\n` : text);
}

/** Prints a result. */
export function print({ out }: Pick<Terminal, 'out'>, text: string): void {
  out.write(printable(text));
}

/** Writes a message for people beside the result. */
export function tell({ err }: Pick<Terminal, 'err'>, text: string): void {
  err.write(printable(text));
}

/** Parses a number option. */
export function numberOption(option: string, min: number, max: number): (text: string) => number {
  const schema = wholeNumber(min, max);
  return (text) => {
    const { success, data, error } = schema.safeParse(text);
    if (success) return data;
    throw new UsageError(`${option} ${error.issues[0]!.message}.`);
  };
}

/** Rejects arguments that the API would reject, with the same message. */
export function toUsageErrors<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    return throwAsUsageError(error);
  }
}

/** Converts a rejected promise as `accept` does. */
export function throwAsUsageError(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  throw new UsageError(error.message);
}
