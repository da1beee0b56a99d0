import { diary } from '../diary/shown-diary.ts';
import { Icon } from '../parts/icon.tsx';
import { setTo } from '../parts/signals.ts';
import { texts } from '../texts/texts.ts';
import { attempt } from './day-store.ts';
import { removeAll } from './entry-writes.ts';
import { focusMeal } from './meal-focus.ts';
import { endSelecting, isSelecting, placing, selected } from './selection.ts';

/** What can be done with the entries that are ticked. */
export function SelectionBar() {
  if (!isSelecting.value) return null;
  const { selectedCount, moveOrCopy, delete: remover, done } = texts.value;
  const all = selected.value;
  const hasNone = all.length === 0;
  const end = () => {
    endSelecting();
    // The bar goes, with the button that has the focus.
    focusMeal(all[0]?.mealType);
  };
  return (
    <div class="selection-bar" role="toolbar" aria-label={selectedCount(all.length)}>
      <p role="status">{selectedCount(all.length)}</p>
      <button type="button" disabled={hasNone} onClick={() => setTo(placing, all)}>
        {moveOrCopy}
      </button>
      <button
        type="button"
        class="danger"
        disabled={hasNone}
        onClick={() => {
          const to = diary.peek()!;
          end();
          void attempt(to, () => removeAll(to, all));
        }}
      >
        <Icon name="trash" />
        {remover}
      </button>
      <button type="button" class="link" onClick={end}>
        {done}
      </button>
    </div>
  );
}
