import type { z } from 'zod';
import type { ERROR_DETAILS } from './error-details.ts';

export type ErrorCode = keyof typeof ERROR_DETAILS;

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** Facts for the caller's program, never internals. */
export type DetailsOf<Code extends ErrorCode> = DeepReadonly<z.output<(typeof ERROR_DETAILS)[Code]>>;
/** The details of an error with any code. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

interface CodedError<Code extends ErrorCode> {
  readonly code: Code;
  /** One sentence for a person, saying what to do; it reaches the client as it is. */
  readonly message: string;
  readonly cause?: unknown;
}

/** The parameters of an error with this code. */
export type InitOf<Code extends ErrorCode> = CodedError<Code> &
  (Record<never, never> extends DetailsOf<Code>
    ? { readonly details?: DetailsOf<Code> }
    : { readonly details: DetailsOf<Code> });

/** Details are of the type that `ERROR_DETAILS` has for the code. */
export type AppErrorOptions = { [Code in ErrorCode]: InitOf<Code> }[ErrorCode];

/** An error that a client may see. Anything else that is thrown is answered as `internal_error` and logged. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor({ code, message, details = {}, cause }: AppErrorOptions) {
    super(message, { cause });
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }

  /** An error of the parts of another one, to which only its place in the body may be added. */
  static remade(parts: CodedError<ErrorCode> & { readonly details: ErrorDetails }): AppError {
    return new AppError(parts as AppErrorOptions);
  }
}

/**
 * An error of the person who starts or operates the program: a bad setting, a damaged file, a full disk.
 * The command line prints its message without a stack and exits with 1.
 */
export class OperatorError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'OperatorError';
  }
}

/** The words of a command line cannot be meant so. The program exits with 2. */
export class UsageError extends OperatorError {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Something that the service stands on does not answer. Clients see `unavailable`, and may try again. */
export class OutageError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'OutageError';
  }
}

/**
 * It does answer, but not this request now: all the room that we give it is taken, or another one went first. Clients are
 * told so.
 */
export class BusyError extends OutageError {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'BusyError';
  }
}

/** The database refuses a row that contradicts others, such as one with an id that exists. */
export class ConstraintError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ConstraintError';
  }
}
