import { signal } from '@preact/signals';
import { texts } from '../texts/texts.ts';
import { problemOf } from './problem.ts';

interface Toast {
  readonly text: string;
  readonly undo?: () => Promise<void>;
}

const SHOWN_MS = 8_000;

const shown = signal<Toast | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says what happened, for a while; `undo` takes it back. */
export function tell(text: string, undo?: () => Promise<void>): void {
  clearTimeout(timer);
  shown.value = { text, ...(undo && { undo }) };
  timer = setTimeout(dismiss, SHOWN_MS);
}

/** Takes away what is said, and with it the chance to undo it. */
export function dismiss(): void {
  clearTimeout(timer);
  shown.value = undefined;
}

export function Toasts() {
  const toast = shown.value;
  return (
    <div class="toasts" role="log" aria-live="polite">
      {toast !== undefined && (
        <p class="toast">
          <span>{toast.text}</span>
          {toast.undo !== undefined && (
            <button
              type="button"
              class="link"
              onClick={() => {
                toast.undo?.().catch((error: unknown) => tell(problemOf(error)));
                dismiss();
              }}
            >
              {texts.value.undo}
            </button>
          )}
        </p>
      )}
    </div>
  );
}
