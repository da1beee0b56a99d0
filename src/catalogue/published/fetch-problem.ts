/** Why a node does not answer from the active catalogue. */
export const COPY_PROBLEMS = [
  'database_unavailable',
  'store_unavailable',
  'missing',
  'damaged',
  'unsupported_format',
  'disk_full',
  'cannot_write',
  'cannot_load',
] as const;
export type CopyProblemCode = (typeof COPY_PROBLEMS)[number];

/** `message` may be shown to anybody; details are in `cause`. */
export class CopyProblem extends Error {
  readonly code: CopyProblemCode;

  constructor(code: CopyProblemCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'CopyProblem';
    this.code = code;
  }
}

/** Any other error is one of the program, told of as a catalogue that cannot be used. */
export function toCopyProblem(error: unknown): CopyProblem {
  if (error instanceof CopyProblem) return error;
  return new CopyProblem('cannot_load', 'it cannot be used', { cause: error });
}
