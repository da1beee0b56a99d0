import { signal, useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { words } from './texts/texts.ts';

interface Question {
  readonly title: string;
  readonly text: string;
  /** The button that does it. */
  readonly yes: string;
  /** The button that does not; "Cancel" by default. */
  readonly no?: string;
  readonly isDanger?: boolean;
  /** What else there is to know or decide, below the text. */
  readonly more?: ComponentChildren;
  readonly act: () => Promise<void>;
}

const question = signal<Question | undefined>(undefined);

/** Asks before something that cannot be taken back. */
export function askFirst(asked: Question): void {
  question.value = asked;
}

/** The dialog of `askFirst`; once in a page. */
export function ConfirmDialog() {
  const problem = useSignal('');
  const asked = question.value;
  const close = () => {
    question.value = undefined;
    problem.value = '';
  };
  const act = async () => {
    try {
      await asked?.act();
      close();
    } catch (error) {
      problem.value = problemOf(error);
    }
  };
  return (
    <Dialog title={asked?.title} onClose={close}>
      <p>{asked?.text}</p>
      {asked?.more}
      <Problem text={problem.value} />
      <div class="actions">
        <button type="button" onClick={close}>
          {asked?.no ?? words.value.cancel}
        </button>
        <button
          type="button"
          class={asked?.isDanger === true ? 'primary risky' : 'primary'}
          onClick={() => void act()}
        >
          {asked?.yes}
        </button>
      </div>
    </Dialog>
  );
}

interface DialogProps {
  /** Undefined while it is closed. */
  readonly title: string | undefined;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const isOpen = useSignal(false);
  isOpen.value = title !== undefined;
  useSignalEffect(() => {
    if (isOpen.value && element.current?.open === false) element.current.showModal();
    if (!isOpen.value) element.current?.close();
  });
  return (
    <dialog ref={element} class="dialog" aria-label={title ?? ''} onClose={onClose}>
      {title !== undefined && (
        <>
          <h2>{title}</h2>
          {children}
        </>
      )}
    </dialog>
  );
}

/** A secret or an address to take along. */
export function CopyField({ label, text }: { readonly label: string; readonly text: string }) {
  const isCopied = useSignal(false);
  const { copy, copied } = words.value;
  const take = async (field: HTMLInputElement | null) => {
    field?.select();
    // Browsers lend the clipboard to secure pages only; there the text is selected for the keys.
    await navigator.clipboard?.writeText(text);
    isCopied.value = navigator.clipboard !== undefined;
  };
  const field = useRef<HTMLInputElement>(null);
  return (
    <label class="copy">
      {label}
      <span class="with-unit">
        <input ref={field} readOnly value={text} onFocus={({ currentTarget }) => currentTarget.select()} />
        <button type="button" onClick={() => void take(field.current)}>
          {isCopied.value ? copied : copy}
        </button>
      </span>
    </label>
  );
}
