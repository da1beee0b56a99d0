import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Sets a signal, as the one thing that a handler does. */
export function setTo<T>(signal: Signal<T>, value: NoInfer<T>): void {
  signal.value = value;
}

/** Time after which the view is shown in any case, so that a person can begin. */
const MAX_WAIT_MS = 500;

/** Whether the parts that would shift the layout have been read once, or have taken too long. */
export function useSettled(isRead: boolean): boolean {
  const isSettled = useSignal(isRead);
  if (isRead) isSettled.value = true;
  useEffect(() => {
    const timer = setTimeout(() => setTo(isSettled, true), MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isSettled.value;
}
