import {
  AppError,
  BusyError,
  ConstraintError,
  DamageError,
  DiskFullError,
  OperatorError,
  OutageError,
} from '@larder/core/errors.ts';

/** Errors that are distinguished by their class. The first match counts, so a class precedes the class it extends. */
const KINDS = {
  busy: BusyError,
  damage: DamageError,
  diskFull: DiskFullError,
  outage: OutageError,
  constraint: ConstraintError,
  operator: OperatorError,
} as const;
type Kind = keyof typeof KINDS;

/** An error as plain data, which can be sent between threads. */
export type TransferredError =
  | { readonly kind: 'app'; readonly init: Pick<AppError, 'code' | 'message' | 'details'> }
  | { readonly kind: Kind | 'other'; readonly message: string; readonly code?: string };

export function transferred(error: unknown): TransferredError {
  if (error instanceof AppError) {
    const { code, message, details } = error;
    return { kind: 'app', init: { code, message, details } };
  }
  const { message = String(error), code } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  const kind = (Object.keys(KINDS) as Kind[]).find((name) => error instanceof KINDS[name]) ?? 'other';
  return { kind, message, ...(code !== undefined && { code }) };
}

/** An error of the same class with the same message, and its code or details if it has any. */
export function received(error: TransferredError): Error {
  if (error.kind === 'app') return AppError.remade(error.init);
  const { kind, message, code } = error;
  const made = kind === 'other' ? new Error(message) : new KINDS[kind](message);
  return Object.assign(made, code !== undefined && { code });
}
