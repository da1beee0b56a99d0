import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { amountText } from '../amounts/amount-text.ts';
import { canWrite, otherName } from '../diary/shown-diary.ts';
import type { ShownEntry } from '../offline/queue/writes.ts';
import { WaitingMark } from '../offline/waiting-mark.tsx';
import { hasDraft } from '../parts/draft.ts';
import { Later, withTexts } from '../parts/later.tsx';
import { energyText, energyUnit } from '../parts/measures.ts';
import { setTo } from '../parts/signals.ts';
import { locale } from '../texts/texts.ts';
import { CopyFoodButton } from './copy-to-mine.tsx';
import { RowMacros } from './row-macros.tsx';
import { isSelected, isSelecting, select } from './selection.ts';
import { showEntry } from './show-entry.ts';

const loadForm = withTexts(async () => (await import('./entry-form.tsx')).EntryForm, 'adding');

/** An entry; a tap opens its form, or ticks it where several are chosen. A form that was left is open again. */
export function EntryRow({ entry }: { readonly entry: ShownEntry }) {
  const draft = `entries/${entry.id}`;
  const isOpen = useSignal(hasDraft(draft));
  const row = useRef<HTMLButtonElement>(null);
  if (isSelecting.value) {
    return (
      <li class="entry">
        <label class="entry-line selectable">
          <input
            type="checkbox"
            checked={isSelected(entry.id)}
            onChange={({ currentTarget: { checked } }) => select(entry.id, checked)}
          />
          <EntryWords entry={entry} />
        </label>
        <RowMacros of={[entry]} />
      </li>
    );
  }
  const copy = otherName.value !== undefined && <CopyFoodButton entry={entry} />;
  if (!canWrite.value) {
    return (
      <li class="entry with-copy">
        <button type="button" class="entry-line" aria-haspopup="dialog" onClick={() => showEntry(entry)}>
          <EntryWords entry={entry} />
        </button>
        <RowMacros of={[entry]} />
        {copy}
      </li>
    );
  }
  return (
    <li class={copy === false ? 'entry' : 'entry with-copy'}>
      <button
        ref={row}
        type="button"
        class="entry-line"
        aria-expanded={isOpen.value}
        onClick={() => setTo(isOpen, !isOpen.value)}
      >
        <EntryWords entry={entry} />
      </button>
      <RowMacros of={[entry]} />
      {copy}
      {isOpen.value && (
        <Later
          load={loadForm}
          props={{
            entry,
            draft,
            onDone() {
              isOpen.value = false;
              row.current?.focus();
            },
          }}
        />
      )}
    </li>
  );
}

function EntryWords({ entry }: { readonly entry: ShownEntry }) {
  const { foodName, calories, quantity, unit, unknown, waiting, eatenAt, note } = entry;
  const isUnknown = unknown?.includes('calories') === true;
  const about = [eatenAt && clockOf(eatenAt), note].filter((each) => each !== undefined && each !== '');
  return (
    <>
      <span class="entry-name">{foodName}</span>
      {quantity !== undefined && <span class="entry-quantity">{amountText(quantity, unit)}</span>}
      {about.length > 0 && <span class="entry-note">{about.join(' · ')}</span>}
      <WaitingMark waiting={waiting} />
      <span class="amount">{isUnknown ? `? ${energyUnit.value}` : energyText(calories)}</span>
    </>
  );
}

/** The time of day where it was eaten, whatever the clock of this device says. */
function clockOf(eatenAt: string): string {
  const local = new Date(`${eatenAt.slice(0, 16)}Z`);
  return new Intl.DateTimeFormat(locale.value, { timeStyle: 'short', timeZone: 'UTC' }).format(local);
}
