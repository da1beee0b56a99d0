import { useSignal } from '@preact/signals';
import { problemOf } from './problem.ts';

export interface Attempts {
  /** What went wrong the last time; empty if nothing did. */
  readonly problem: string;
  readonly isBusy: boolean;
  /** Runs one action at a time and keeps its error. Returns whether it succeeded. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<boolean>;
  /** Runs what reads, beside an action: no button waits for it. Keeps its error. Returns whether it succeeded. */
  readonly read: (work: () => Promise<unknown>) => Promise<boolean>;
}

export function useAttempts(): Attempts {
  const problem = useSignal('');
  const isBusy = useSignal(false);
  const read = async (work: () => Promise<unknown>) => {
    try {
      await work();
      problem.value = '';
      return true;
    } catch (error) {
      problem.value = problemOf(error);
      return false;
    }
  };
  const attempt = async (work: () => Promise<unknown>) => {
    if (isBusy.peek()) return false;
    isBusy.value = true;
    const isDone = await read(work);
    isBusy.value = false;
    return isDone;
  };
  return { problem: problem.value, isBusy: isBusy.value, attempt, read };
}
