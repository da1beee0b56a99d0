import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Time after which the view is shown in any case, so that a person can begin. */
const MAX_WAIT_MS = 500;

/** Whether what would move the rest of a view has been read once, or has taken too long. */
export function useSettled(isRead: boolean): boolean {
  const isSettled = useSignal(isRead);
  if (isRead) isSettled.value = true;
  useEffect(() => {
    const timer = setTimeout(() => {
      isSettled.value = true;
    }, MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isSettled.value;
}
