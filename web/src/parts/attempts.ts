import { useSignal } from '@preact/signals';
import { problemOf } from './problem.ts';

export interface Attempts {
  /** What went wrong the last time; empty if nothing did. */
  readonly problem: string;
  readonly isBusy: boolean;
  /** Runs one action at a time and keeps its error. Returns whether it succeeded. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<boolean>;
}

export function useAttempts(): Attempts {
  const problem = useSignal('');
  const isBusy = useSignal(false);
  return {
    problem: problem.value,
    isBusy: isBusy.value,
    async attempt(work) {
      if (isBusy.peek()) return false;
      isBusy.value = true;
      try {
        await work();
        problem.value = '';
        return true;
      } catch (error) {
        problem.value = problemOf(error);
        return false;
      } finally {
        isBusy.value = false;
      }
    },
  };
}
