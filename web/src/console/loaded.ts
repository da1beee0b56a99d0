import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { problemOf } from '../parts/problem.ts';

export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly problem: string;
  readonly reload: () => Promise<void>;
}

/** Reads something when its view opens, and again every so many seconds while it is seen. */
export function useLoaded<Value>(read: () => Promise<Value>, everyS?: number): Loaded<Value> {
  const value: Signal<Value | undefined> = useSignal<Value | undefined>(undefined);
  const problem = useSignal('');
  const reload = async () => {
    try {
      value.value = await read();
      problem.value = '';
    } catch (error) {
      problem.value = problemOf(error);
    }
  };
  useEffect(() => {
    void reload();
    if (everyS === undefined) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void reload();
    }, everyS * 1_000);
    return () => clearInterval(timer);
  }, []);
  return { value: value.value, problem: problem.value, reload };
}
