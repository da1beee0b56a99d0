/**
 * The closed list of error codes that a caller can meet. The domain knows codes only; the HTTP status of each
 * stands in one table, `http/error-status.ts`, which does not compile when a code is missing from it.
 */
export const ERROR_CODES = [
  'invalid_request',
  'invalid_query',
  'invalid_barcode',
  'invalid_content_type',
  'invalid_api_key',
  'expired_api_key',
  'invalid_token',
  'expired_token',
  'forbidden',
  'quota_exceeded',
  'not_found',
  'barcode_not_found',
  'food_not_found',
  'scan_job_not_found',
  'diary_entry_not_found',
  'method_not_allowed',
  'idempotency_conflict',
  'version_conflict',
  'payload_too_large',
  'unsupported_media_type',
  'unresolved_items',
  'rate_limit_exceeded',
  'internal_error',
  'unavailable',
  'storage_full',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** Facts for the caller's program, never internals. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

export interface AppErrorInit {
  readonly code: ErrorCode;
  /** One sentence for a person, saying what to do; it reaches the client as it is. */
  readonly message: string;
  readonly details?: ErrorDetails;
  readonly cause?: unknown;
}

/** An error that a client may see. Anything else that is thrown is answered as `internal_error` and logged. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor({ code, message, details = {}, cause }: AppErrorInit) {
    super(message, { cause });
    this.name = 'AppError';
    this.code = code;
    this.details = details;
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
