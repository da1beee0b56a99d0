import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import '../styles/sheet.css';
import { texts } from '../texts/texts.ts';
import { Icon } from './icon.tsx';

interface SheetProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog over the view: the whole screen of a phone. Open as long as it is rendered. */
export function Sheet({ title, onClose, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="sheet" aria-labelledby={id} onClose={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <button
          type="button"
          class="round"
          aria-label={texts.value.close}
          onClick={() => dialog.current?.close()}
        >
          <Icon name="x" />
        </button>
      </header>
      <div class="sheet-body">{children}</div>
    </dialog>
  );
}
