import type { z } from 'zod';
import type { ERROR_DETAILS } from './error-details.ts';

export type ErrorCode = keyof typeof ERROR_DETAILS;

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** Facts for the caller's program; nothing internal. */
export type DetailsOf<Code extends ErrorCode> = DeepReadonly<z.output<(typeof ERROR_DETAILS)[Code]>>;
/** The details of an error with any code. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

interface CodedError<Code extends ErrorCode> {
  readonly code: Code;
  /** One sentence for a person that says what to do; it reaches the client unchanged. */
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

  /** Creates an error from the parts of another one; callers may only add its location in the body. */
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

/** Invalid arguments of the command line. The program exits with 2. */
export class UsageError extends OperatorError {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** A dependency of the service does not respond. Clients get `unavailable` and may retry. */
export class OutageError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'OutageError';
  }
}

/**
 * The dependency responds, but cannot process this request now: all its connections are in use, or a
 * concurrent request was first. Clients get an error that says so.
 */
export class BusyError extends OutageError {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'BusyError';
  }
}

/** The files of the database are damaged: the operator has to mend that. Clients get an error that says so. */
export class DamageError extends OutageError {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'DamageError';
  }
}

/** The disk of the database is full, so that nothing can be written. Clients get `storage_full`. */
export class DiskFullError extends OutageError {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'DiskFullError';
  }
}

/** The database rejects a row that conflicts with others, such as one with an existing id. */
export class ConstraintError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ConstraintError';
  }
}
