import { useEffect, useRef } from 'preact/hooks';
import { isFocusLost } from '../parts/focus.ts';
import { tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';

interface ShownOnceProps {
  readonly label: string;
  readonly text: string;
  readonly note: string;
  /** Whether the text is an address, which the device may send on. */
  readonly isAddress?: boolean;
}

/** A secret to take along, which nothing shows again. */
export function ShownOnce({ label, text, note, isAddress = false }: ShownOnceProps) {
  const { copy, copied, share } = texts.value.household;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The form that made it may have gone, and taken the focus along.
    if (isFocusLost()) field.current?.focus();
  }, []);
  const onCopy = async () => {
    // Absent on pages without TLS, where the marked text can be copied by hand.
    if (navigator.clipboard === undefined) return;
    await navigator.clipboard.writeText(text);
    tell(copied);
  };
  return (
    <div class="link-once">
      <label>
        {label}
        <input ref={field} readOnly value={text} onFocus={({ currentTarget }) => currentTarget.select()} />
      </label>
      <p class="quiet note">{note}</p>
      <div class="buttons">
        <button type="button" onClick={() => void onCopy()}>
          {copy}
        </button>
        {isAddress && navigator.share !== undefined && (
          <button type="button" onClick={() => void navigator.share({ url: text }).catch(() => {})}>
            {share}
          </button>
        )}
      </div>
    </div>
  );
}
