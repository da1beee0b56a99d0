import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../texts/texts.ts';
import { problemOf } from './problem.ts';

interface Toast {
  readonly text: string;
  readonly undo?: () => Promise<void>;
}

const SHOWN_MS = 8_000;
/** The way to "Undo" may be long, as it is by keyboard. */
const UNDO_MS = 15_000;
/** How long a toast stays when the focus or the pointer has left it. */
const LEFT_MS = 2_000;
const TEXT_FIELDS = 'textarea, select, [contenteditable], input:not([type="checkbox"], [type="radio"])';

const shown = signal<Toast | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;
/** Whether the toast has the pointer or the focus, so that it stays. */
let isHeld = () => false;

/** Says what happened, for a while; `undo` takes it back. */
export function tell(text: string, undo?: () => Promise<void>): void {
  shown.value = { text, ...(undo && { undo }) };
  goAfter(undo === undefined ? SHOWN_MS : UNDO_MS);
}

/** Removes the message, and with it its "Undo". */
export function dismiss(): void {
  clearTimeout(timer);
  shown.value = undefined;
}

/** Counts what a person began to do. */
let begun = 0;

/**
 * Takes away what is said of earlier work, whose "Undo" would be taken for one of this. Returns a way to tell of this work, which says
 * nothing where a later one has begun meanwhile.
 */
export function begin(): typeof tell {
  dismiss();
  const own = ++begun;
  return (text, undo) => {
    if (own === begun) tell(text, undo);
  };
}

function goAfter(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => (isHeld() ? goAfter(LEFT_MS) : dismiss()), ms);
}

export function Toasts() {
  const toast = shown.value;
  const box = useRef<HTMLParagraphElement>(null);
  useEffect(() => holdWhileUsed(() => box.current), []);
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <div class="toasts" role="log" aria-live="polite">
      {toast !== undefined && (
        <p ref={box} class="toast">
          <span>{toast.text}</span>
          {toast.undo !== undefined && (
            <button type="button" class="link" aria-keyshortcuts="Control+Z Meta+Z" onClick={undoShown}>
              {texts.value.undo}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

function undoShown(): void {
  const undo = shown.peek()?.undo;
  dismiss();
  undo?.().catch((error: unknown) => tell(problemOf(error)));
}

/** The key that undoes elsewhere does it here, too, except where it undoes typing. */
function onKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, shiftKey, altKey, target } = event;
  const isUndo = (ctrlKey || metaKey) && !shiftKey && !altKey && key.toLowerCase() === 'z';
  if (!isUndo || shown.peek()?.undo === undefined) return;
  if ((target as Element).closest(TEXT_FIELDS) !== null) return;
  if (document.querySelector('dialog[open]') !== null) return;
  event.preventDefault();
  undoShown();
}

/** Keeps the toast while the focus or the mouse is in it. It lets clicks through, so its box is compared. Returns the end. */
function holdWhileUsed(box: () => HTMLElement | null): () => void {
  let mouse: PointerEvent | undefined;
  const onMove = (event: PointerEvent) => {
    mouse = event.pointerType === 'mouse' ? event : undefined;
  };
  document.addEventListener('pointermove', onMove, { passive: true });
  isHeld = () => {
    const element = box();
    if (element === null) return false;
    return element.contains(document.activeElement) || (mouse !== undefined && isAt(element, mouse));
  };
  return () => {
    document.removeEventListener('pointermove', onMove);
    isHeld = () => false;
  };
}

function isAt(element: Element, { clientX, clientY }: PointerEvent): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
}
