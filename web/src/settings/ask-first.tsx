import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useAttempts } from '../parts/attempts.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { headingOf, passFocus } from '../parts/focus.ts';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';

interface AskFirstProps {
  readonly label: string;
  /** What screen readers call the button, where the label alone is not enough. */
  readonly spoken?: string;
  readonly question: string;
  readonly yes: string;
  readonly no: string;
  readonly work: () => Promise<unknown>;
  /** What else there is to know or decide, below the question. */
  readonly children?: ComponentChildren;
}

/** A button whose second tap confirms an action without undo. The focus follows the question, and ends on the heading of the card. */
export function AskFirst({ label, spoken, question, yes, no, work, children }: AskFirstProps) {
  const isAsked = useSignal(false);
  const wasAsked = useRef(false);
  const opener = useRef<HTMLButtonElement>(null);
  const refusal = useRef<HTMLButtonElement>(null);
  const { problem, isBusy, attempt } = useAttempts();
  useLayoutEffect(() => {
    if (isAsked.value !== wasAsked.current) (isAsked.value ? refusal : opener).current?.focus();
    wasAsked.current = isAsked.value;
  }, [isAsked.value]);
  if (!isAsked.value) {
    return (
      <button
        ref={opener}
        type="button"
        class="danger"
        aria-label={spoken}
        onClick={() => setTo(isAsked, true)}
      >
        {label}
      </button>
    );
  }
  return (
    <div class="asked">
      <p>{question}</p>
      {children}
      <div class="buttons">
        <BusyButton
          type="button"
          class="danger"
          isBusy={isBusy}
          onClick={({ currentTarget }) =>
            void passFocus(currentTarget, headingOf(currentTarget), () => attempt(work))
          }
        >
          {yes}
        </BusyButton>
        <button ref={refusal} type="button" onClick={() => setTo(isAsked, false)}>
          {no}
        </button>
      </div>
      <Problem text={problem} />
    </div>
  );
}
