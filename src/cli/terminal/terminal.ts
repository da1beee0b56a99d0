import { wholeNumber } from '../../config/schemas.ts';
import { OperatorError } from '../../errors.ts';

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

/** Reads the number that an option gives. */
export function numberOption(option: string, min: number, max: number): (text: string) => number {
  const schema = wholeNumber(min, max);
  return (text) => {
    const { success, data, error } = schema.safeParse(text);
    if (success) return data;
    throw new OperatorError(`${option} ${error.issues[0]!.message}.`);
  };
}
