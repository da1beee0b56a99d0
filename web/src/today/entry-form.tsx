import { useSignal } from '@preact/signals';
import type { DiaryEntry, Food, MealType } from 'larder-client';
import { useEffect, useRef } from 'preact/hooks';
import { inOtherUnit, UnitSelect } from '../amounts/amount-inputs.tsx';
import { unitName } from '../amounts/amount-text.ts';
import { type StatedAmount, useLargeAmounts } from '../amounts/large-amounts.tsx';
import { numberOf, typedAmount } from '../amounts/typed-number.ts';
import { unitsWith } from '../amounts/units.ts';
import type { Diary } from '../diary/diary.ts';
import { diary } from '../diary/shown-diary.ts';
import { larder } from '../larder.ts';
import type { ShownEntry } from '../offline/queue/writes.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { useDraft } from '../parts/draft.ts';
import { Icon } from '../parts/icon.tsx';
import { energyUnit } from '../parts/measures.ts';
import { NumberField } from '../parts/number-field.tsx';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { texts } from '../texts/texts.ts';
import { attempt } from './day-store.ts';
import { energyAt, fieldsOf, hasOwnValues, patchOf, type ValueFields, withAmount } from './entry-fields.ts';
import { changeAll, removeAll } from './entry-writes.ts';
import { MEALS, mealWords } from './meal-names.ts';
import { placing } from './selection.ts';
import { showEntry } from './show-entry.ts';

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
  const food = useFood(entry);
  /** A number that was typed stays when the unit changes. */
  const isTyped = useRef(false);
  const large = useLargeAmounts(async ([stated]: readonly StatedAmount[]) => {
    const changed = isOtherAmount
      ? { ...values, amount: typedAmount(stated!.quantity, stated!.unit), unit: stated!.unit }
      : values;
    const patch = patchOf(opened, before, changed);
    if (Object.keys(patch).length === 0) finish();
    else await write((to) => changeAll(to, [entry], patch));
  });
  const isOtherAmount = values.amount !== before.amount || values.unit !== before.unit;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const stated = { food, quantity: numberOf(values.amount), unit: values.unit };
    // What was eaten before is not asked about.
    const energy = isOtherAmount ? energyAt(opened, values) : 0;
    void large.submit([isOtherAmount ? { ...stated, energy } : { quantity: 0, unit: '' }]);
  };
  return (
    <form class="entry-form" onSubmit={submit} onInput={large.forget}>
      {hasQuantity && (
        <NumberField
          label={all.amount}
          isPositive
          isRequired
          value={values.amount}
          onInput={(amount) => {
            isTyped.current = true;
            set(withAmount(opened, values, amount));
          }}
        />
      )}
      {hasQuantity && (
        <label>
          {all.unit}
          <UnitSelect
            units={food === undefined ? [[values.unit, unitName(values.unit)]] : unitsWith(food, values.unit)}
            unit={values.unit}
            onChange={(to) => {
              const typed = { quantity: values.amount, unit: values.unit, isTyped: isTyped.current };
              const { quantity, unit } = inOtherUnit(food!, typed, to);
              set({ amount: quantity, unit });
            }}
          />
        </label>
      )}
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
      {large.question}
      <Problem text={problem.value} />
      <div class="actions">
        <BusyButton type="submit" class="primary" isBusy={isWriting.value}>
          {all.save}
        </BusyButton>
        <button type="button" onClick={() => setTo(placing, [entry])}>
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

/** The entry's food, once it is read; without it the entry keeps its unit. */
function useFood({ foodId }: DiaryEntry): Food | undefined {
  const food = useSignal<Food | undefined>(undefined);
  useEffect(() => {
    if (foodId === undefined) return;
    larder.foods.get(foodId).then(
      (read) => setTo(food, read),
      () => {},
    );
  }, [foodId]);
  return food.value;
}

interface ValueFieldsProps {
  readonly values: ValueFields;
  /** Energy can be left out only where it was unknown before. */
  readonly isEnergyRequired: boolean;
  readonly set: (change: Partial<ValueFields>) => void;
}

/** Name, energy and macros of an entry without a food. */
function EntryValues({ values, isEnergyRequired, set }: ValueFieldsProps) {
  const all = texts.value;
  return (
    <>
      <label class="wide">
        {all.quickName}
        <input
          required
          maxLength={200}
          value={values.name}
          onInput={({ currentTarget: { value } }) => set({ name: value })}
        />
      </label>
      <NumberField
        label={all.energy}
        unit={energyUnit.value}
        isRequired={isEnergyRequired}
        value={values.energy}
        onInput={(energy) => set({ energy })}
      />
      {(['protein', 'carbs', 'fat'] as const).map((key) => (
        <NumberField
          key={key}
          label={all[key]}
          unit="g"
          value={values[key]}
          onInput={(value) => set({ [key]: value })}
        />
      ))}
    </>
  );
}
