import { useSignal } from '@preact/signals';
import { person } from '../account/session.ts';
import { keptText, readKept } from './kept.ts';

const PREFIX = 'larder-draft';

/** A form that is kept in this browser until it is written: Back, a reload or an expired session lose nothing. */
export interface Draft<Values> {
  readonly values: Values;
  /** Whether it was left unfinished before. */
  readonly wasKept: boolean;
  readonly set: (change: Partial<Values>) => void;
  /** Deletes the draft after it was written. */
  readonly clear: () => void;
  /** Shows the form as it was before anything was typed. */
  readonly startAnew: () => void;
}

/** `name` is that of the form, such as `foods/new`. With `isFresh` what was kept under it is not offered. */
export function useDraft<Values extends object>(
  name: string,
  initial: Values,
  isFresh = false,
): Draft<Values> {
  const key = keyOf(name);
  const kept = useSignal(isFresh ? undefined : readKept<Partial<Values>>(key));
  const values = useSignal<Values>({ ...initial, ...kept.peek() });
  const clear = () => {
    localStorage.removeItem(key);
    kept.value = undefined;
  };
  return {
    values: values.value,
    wasKept: kept.value !== undefined,
    set(change) {
      values.value = { ...values.peek(), ...change };
      localStorage.setItem(key, keptText(values.peek()));
    },
    clear,
    startAnew() {
      clear();
      values.value = initial;
    },
  };
}

export function hasDraft(name: string): boolean {
  return localStorage.getItem(keyOf(name)) !== null;
}

function keyOf(name: string): string {
  return `${PREFIX}/${person.peek()?.id}/${name}`;
}
