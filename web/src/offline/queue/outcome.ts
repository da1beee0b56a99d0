import type { LarderError } from 'larder-client';
import { mergeOf } from './merge.ts';
import type { Refusal, Value, Write } from './writes.ts';

/** A write that fails this often for a fault of the service is set aside. */
export const MAX_ATTEMPTS = 5;

/** What follows from the answer to a write. */
export type Outcome =
  /** The service has it; `value` is the object, undefined if it does not exist. */
  | { readonly kind: 'done'; readonly value: Value | undefined }
  /** To be sent again at once, for this version, or without its food. */
  | { readonly kind: 'again'; readonly write: Write }
  | { readonly kind: 'conflict'; readonly theirs: Value | null }
  | { readonly kind: 'refused'; readonly reason: Refusal }
  /** To be sent later; other writes can go on. */
  | { readonly kind: 'later' }
  /** To be sent later, and so is everything else. */
  | { readonly kind: 'stop'; readonly error: LarderError };

const UNREACHABLE = ['connection_failed', 'unavailable', 'rate_limit_exceeded'];

/** Whether the service was not reached, or cannot take anything at present. */
export function isUnreachable({ code }: LarderError): boolean {
  return UNREACHABLE.includes(code);
}

export function outcomeOf(write: Write, error: LarderError): Outcome {
  const { kind, op, body, bodyWithoutFood, attempts } = write;
  const { code, status = 0, message } = error;
  const isGone = status === 404 || status === 410;
  if (isUnreachable(error) || status === 401) return { kind: 'stop', error };
  if (error.code === 'version_conflict') {
    const theirs = error.details.current as unknown as Value;
    const merge = mergeOf(write, theirs);
    if (merge === 'done') return { kind: 'done', value: theirs };
    if (merge === 'apply') return { kind: 'again', write: { ...write, base: theirs } };
    return { kind: 'conflict', theirs };
  }
  if (op === 'remove' && isGone) return { kind: 'done', value: undefined };
  if (op === 'add' && code === 'deleted') return { kind: 'done', value: undefined };
  const lacksItsFood = code === 'food_not_found' && kind !== 'food';
  if (op === 'change' && isGone && !lacksItsFood) return { kind: 'conflict', theirs: null };
  if (op === 'add' && isGone && bodyWithoutFood !== undefined && body !== bodyWithoutFood)
    return { kind: 'again', write: { ...write, body: bodyWithoutFood } };
  const isFaultOfService = status >= 500 || code === 'timeout' || code === 'unexpected_response';
  if (isFaultOfService && attempts < MAX_ATTEMPTS) return { kind: 'later' };
  return { kind: 'refused', reason: { code, message } };
}
