import { useSignal } from '@preact/signals';
import type { DiaryEntry, DiaryEntryPatch, MealType } from 'larder-client';
import { useEffect, useRef } from 'preact/hooks';
import { unitsOf } from '../add/units.ts';
import type { Day } from '../days.ts';
import type { Diary } from '../diary/diary.ts';
import { diary } from '../diary/shown-diary.ts';
import { larder } from '../larder.ts';
import type { ShownEntry } from '../offline/queue/writes.ts';
import { useDraft } from '../parts/draft.ts';
import { Icon } from '../parts/icon.tsx';
import { energyOf, energyUnit, kcalOf } from '../parts/measures.ts';
import { texts } from '../texts/texts.ts';
import { attempt } from './day-store.ts';
import { changeAll, removeAll } from './entry-writes.ts';
import { MEALS, mealWords } from './meal-names.ts';
import { placing } from './selection.ts';

interface EntryFields {
  /** Of `unit`, or energy where the entry has no quantity. */
  readonly amount: string;
  readonly unit: string;
  readonly meal: MealType;
  /** HH:MM, or empty. */
  readonly time: string;
  readonly note: string;
}

interface EntryFormProps {
  readonly entry: ShownEntry;
  readonly onDone: () => void;
}

const MAX_NOTE = 500;

/** The name under which the form of an entry is kept while it is not saved. */
export function entryDraft({ id }: DiaryEntry): string {
  return `entries/${id}`;
}

/** Changes an entry: amount, meal, time and note; or moves, copies or deletes it. */
export function EntryForm({ entry, onDone }: EntryFormProps) {
  const all = texts.value;
  // What others change meanwhile is not taken back by what was not touched here.
  const { current: before } = useRef(fieldsOf(entry));
  const { values, set, clear } = useDraft(entryDraft(entry), before);
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
    const patch = patchOf(entry, before, values);
    if (Object.keys(patch).length === 0) finish();
    else void write((to) => changeAll(to, [entry], patch));
  };
  return (
    <form class="entry-form" onSubmit={submit}>
      <label>
        {all.amount}
        <span class="with-unit">
          <input
            type="number"
            inputMode="decimal"
            step="any"
            min={hasQuantity ? 0.001 : 0}
            required
            value={values.amount}
            onInput={({ currentTarget: { value } }) => set({ amount: value })}
          />
          {!hasQuantity && energyUnit.value}
        </span>
      </label>
      {hasQuantity && <UnitField entry={entry} unit={values.unit} onChange={(unit) => set({ unit })} />}
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
        <button type="submit" class="primary" disabled={isWriting.value}>
          {all.save}
        </button>
        <button
          type="button"
          onClick={() => {
            placing.value = [entry];
          }}
        >
          {all.moveOrCopy}
        </button>
        <button
          type="button"
          class="danger"
          disabled={isWriting.value}
          onClick={() => void write((to) => removeAll(to, [entry]))}
        >
          <Icon name="trash" />
          {all.delete}
        </button>
      </div>
    </form>
  );
}

interface UnitFieldProps {
  readonly entry: DiaryEntry;
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

function fieldsOf({ quantity, unit, calories, mealType, eatenAt, note }: DiaryEntry): EntryFields {
  return {
    amount: String(quantity ?? Math.round(energyOf(calories) * 10) / 10),
    unit: unit ?? '',
    meal: mealType,
    time: eatenAt?.slice(11, 16) ?? '',
    note: note ?? '',
  };
}

/** Only what was changed. */
function patchOf(entry: DiaryEntry, before: EntryFields, after: EntryFields): DiaryEntryPatch {
  const { amount, unit, meal, time, note } = after;
  const isOtherAmount = amount !== before.amount || unit !== before.unit;
  const amounts =
    entry.quantity === undefined
      ? { calories: kcalOf(Number(amount)) }
      : { quantity: Number(amount), ...(unit !== '' && { unit }) };
  return {
    ...(isOtherAmount && amounts),
    ...(meal !== before.meal && { mealType: meal }),
    ...(time !== before.time && { eatenAt: time === '' ? null : momentOf(entry.date, time) }),
    ...(note.trim() !== before.note && { note: note.trim() === '' ? null : note.trim() }),
  };
}

/** A time of a day with the offset that this device has then. */
function momentOf(date: Day, time: string): string {
  const minutes = -new Date(`${date}T${time}:00`).getTimezoneOffset();
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
  return `${date}T${time}:00${offset}`;
}
