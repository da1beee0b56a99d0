import { useSignal } from '@preact/signals';
import { isReached } from '../offline/device.ts';
import type { ShownEntry } from '../offline/queue/writes.ts';
import { Icon } from '../parts/icon.tsx';
import { numbers, texts } from '../texts/texts.ts';
import { change, remove } from './day-store.ts';

/** An entry; a tap opens its amount. */
export function EntryRow({ entry }: { readonly entry: ShownEntry }) {
  const isOpen = useSignal(false);
  const { whole, precise } = numbers.value;
  const { foodName, calories, quantity, unit, unknown, waiting } = entry;
  const { notSent, needsDecision } = texts.value.offline;
  const isAtLeast = unknown?.includes('calories') === true;
  return (
    <li class="entry">
      <button
        type="button"
        class="entry-line"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <span class="entry-name">{foodName}</span>
        {quantity !== undefined && (
          <span class="entry-quantity">
            {precise(quantity)} {unit}
          </span>
        )}
        {waiting !== undefined && (waiting !== 'waiting' || !isReached.value) && (
          <span class={`waiting ${waiting}`}>{waiting === 'waiting' ? notSent : needsDecision}</span>
        )}
        <span class="amount">{isAtLeast ? '? kcal' : `${whole(calories)} kcal`}</span>
      </button>
      {isOpen.value && (
        <EntryForm
          entry={entry}
          onDone={() => {
            isOpen.value = false;
          }}
        />
      )}
    </li>
  );
}

function EntryForm({ entry, onDone }: { readonly entry: ShownEntry; readonly onDone: () => void }) {
  const { amount, save, delete: remover } = texts.value;
  const hasFood = entry.quantity !== undefined;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const value = Number(new FormData(event.currentTarget as HTMLFormElement).get('value'));
    onDone();
    await change(entry, hasFood ? { quantity: value } : { calories: value });
  };
  return (
    <form class="entry-form" onSubmit={submit}>
      <label>
        {amount}
        <span class="with-unit">
          <input
            name="value"
            type="number"
            inputMode="decimal"
            step="any"
            min={hasFood ? 0.001 : 0}
            required
            defaultValue={String(entry.quantity ?? entry.calories)}
          />
          {hasFood ? entry.unit : 'kcal'}
        </span>
      </label>
      <button type="submit" class="primary">
        {save}
      </button>
      <button type="button" class="danger" onClick={() => void remove(entry)}>
        <Icon name="trash" />
        {remover}
      </button>
    </form>
  );
}
