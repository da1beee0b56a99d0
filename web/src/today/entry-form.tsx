import { useSignal } from '@preact/signals';
import type { MealType } from 'larder-client';
import { useEffect, useRef } from 'preact/hooks';
import { unitsOf } from '../add/units.ts';
import type { Diary } from '../diary/diary.ts';
import { diary } from '../diary/shown-diary.ts';
import { larder } from '../larder.ts';
import type { ShownEntry } from '../offline/queue/writes.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { useDraft } from '../parts/draft.ts';
import { Icon } from '../parts/icon.tsx';
import { NumberField } from '../parts/number-field.tsx';
import { texts } from '../texts/texts.ts';
import { attempt } from './day-store.ts';
import { fieldsOf, hasOwnValues, patchOf, withAmount } from './entry-fields.ts';
import { changeAll, removeAll } from './entry-writes.ts';
import { MEALS, mealWords } from './meal-names.ts';
import { placing } from './selection.ts';
import { showEntry } from './show-entry.ts';
import { EntryValues } from './value-fields.tsx';

interface EntryFormProps {
  readonly entry: ShownEntry;
  /** The name under which the form is kept while it is not saved. */
  readonly draft: string;
  readonly onDone: () => void;
}

const MAX_NOTE = 500;

/** Changes an entry: amount, meal, time and note, and values that are its own; or moves, copies or deletes it. */
export function EntryForm({ entry, draft, onDone }: EntryFormProps) {
  const all = texts.value;
  // What others change meanwhile is not taken back by what was not touched here.
  const { current: opened } = useRef(entry);
  const before = fieldsOf(opened);
  const { values, set, clear } = useDraft(draft, before);
  const hasQuantity = entry.quantity !== undefined;
  const problem = useSignal('');
  const isWriting = useSignal(false);
  const finish = () => {
    clear();
    onDone();
  };
  /** Closes when the diary has taken what is written; what waits in the own one is kept there. */
  const write = async (work: (to: Diary) => Promise<void>) => {
    const to = diary.peek()!;
    if (to.isKept) {
      finish();
      return attempt(to, () => work(to));
    }
    isWriting.value = true;
    try {
      await work(to);
      finish();
    } catch (error) {
      problem.value = to.problemOf(error);
    }
    isWriting.value = false;
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const patch = patchOf(opened, before, values);
    if (Object.keys(patch).length === 0) finish();
    else void write((to) => changeAll(to, [entry], patch));
  };
  return (
    <form class="entry-form" onSubmit={submit}>
      {hasQuantity && (
        <NumberField
          label={all.amount}
          min="0.001"
          isRequired
          value={values.amount}
          onInput={(amount) => set(withAmount(opened, values, amount))}
        />
      )}
      {hasQuantity && <UnitField entry={entry} unit={values.unit} onChange={(unit) => set({ unit })} />}
      {hasOwnValues(opened) && (
        <EntryValues values={values} isEnergyRequired={before.energy !== ''} set={set} />
      )}
      <label>
        {all.meal}
        <select
          value={values.meal}
          onChange={({ currentTarget: { value } }) => set({ meal: value as MealType })}
        >
          {MEALS.map((each) => (
            <option key={each} value={each}>
              {mealWords(each).name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {all.eatenAt}
        <input
          type="time"
          value={values.time}
          onInput={({ currentTarget: { value } }) => set({ time: value })}
        />
      </label>
      <label class="wide">
        {all.note}
        <input
          maxLength={MAX_NOTE}
          value={values.note}
          onInput={({ currentTarget: { value } }) => set({ note: value })}
        />
      </label>
      {problem.value !== '' && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <div class="actions">
        <BusyButton type="submit" class="primary" isBusy={isWriting.value}>
          {all.save}
        </BusyButton>
        <button
          type="button"
          onClick={() => {
            placing.value = [entry];
          }}
        >
          {all.moveOrCopy}
        </button>
        <button type="button" aria-haspopup="dialog" onClick={() => showEntry(entry)}>
          {all.allNutrients}
        </button>
        <button
          type="button"
          class="danger"
          disabled={isWriting.value}
          onClick={({ currentTarget }) => {
            const next = currentTarget.closest('.meal')?.querySelector<HTMLButtonElement>('.add');
            // The row takes the focus along when it goes.
            void write((to) => removeAll(to, [entry])).then(() => currentTarget.isConnected || next?.focus());
          }}
        >
          <Icon name="trash" />
          {all.delete}
        </button>
      </div>
    </form>
  );
}

interface UnitFieldProps {
  readonly entry: ShownEntry;
  readonly unit: string;
  readonly onChange: (unit: string) => void;
}

/** The units of the entry's food, once they are read; its own at once. */
function UnitField({ entry: { foodId, unit: own }, unit, onChange }: UnitFieldProps) {
  const units = useSignal<readonly [string, string][]>([]);
  useEffect(() => {
    if (foodId === undefined) return;
    larder.foods.get(foodId).then(
      (food) => {
        units.value = unitsOf(food);
      },
      // Without the food the entry keeps its unit.
      () => {},
    );
  }, [foodId]);
  const all = new Map([...units.value, ...[own ?? unit, unit].map((each) => [each, each] as const)]);
  for (const [each, words] of units.value) all.set(each, words);
  return (
    <label>
      {texts.value.unit}
      <select
        value={unit}
        disabled={all.size === 1}
        onChange={({ currentTarget: { value } }) => onChange(value)}
      >
        {[...all].map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
