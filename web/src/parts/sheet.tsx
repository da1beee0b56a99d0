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
  const isGone = useRef(false);
  useEffect(() => {
    const shown = dialog.current!;
    shown.showModal();
    return () => {
      // Closing gives the focus back to what had it before, also where the view takes the dialog away.
      isGone.current = true;
      shown.close();
    };
  }, []);
  return (
    <dialog ref={dialog} class="sheet" aria-labelledby={id} onClose={() => isGone.current || onClose()}>
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
