import { useSignal, useSignalEffect } from '@preact/signals';
import type { MealType } from 'larder-client';
import { useRef } from 'preact/hooks';
import { FIRST_DAY, LAST_DAY } from '../days.ts';
import type { Diary } from '../diary/diary.ts';
import { diary } from '../diary/shown-diary.ts';
import type { ShownEntry } from '../offline/queue/writes.ts';
import { setTo } from '../parts/signals.ts';
import { texts } from '../texts/texts.ts';
import { attempt, day } from './day-store.ts';
import type { Place } from './eaten-at.ts';
import { copyAll, moveAll } from './entry-writes.ts';
import { MEALS, mealWords } from './meal-names.ts';
import { endSelecting, placing } from './selection.ts';

/** Asks where entries are to be moved or copied. */
export function PlaceDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const place = useSignal<Place>({ date: day.peek(), mealType: 'breakfast' });
  useSignalEffect(() => {
    const all = placing.value;
    if (all === undefined) dialog.current?.close();
    else if (dialog.current?.open === false) {
      place.value = { date: day.peek(), mealType: all[0]!.mealType };
      dialog.current.showModal();
    }
  });
  const { moveOrCopyCount, day: dayLabel, meal, move, copy, cancel } = texts.value;
  const close = () => setTo(placing, undefined);
  const apply = (work: (to: Diary, all: readonly ShownEntry[]) => Promise<void>) => {
    const all = placing.peek();
    const to = diary.peek();
    close();
    endSelecting();
    if (all !== undefined && to !== undefined) void attempt(to, () => work(to, all));
  };
  return (
    <dialog
      ref={dialog}
      class="small-dialog"
      aria-labelledby="place-title"
      onClose={() => dialog.current?.open === false && close()}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          apply((to, all) => moveAll(to, all, place.peek()));
        }}
      >
        <h2 id="place-title">{moveOrCopyCount(placing.value?.length ?? 0)}</h2>
        <label>
          {dayLabel}
          <input
            type="date"
            required
            min={FIRST_DAY}
            max={LAST_DAY}
            value={place.value.date}
            onInput={({ currentTarget: { value: date } }) => setTo(place, { ...place.peek(), date })}
          />
        </label>
        <label>
          {meal}
          <select
            value={place.value.mealType}
            onChange={({ currentTarget: { value } }) =>
              setTo(place, { ...place.peek(), mealType: value as MealType })
            }
          >
            {MEALS.map((each) => (
              <option key={each} value={each}>
                {mealWords(each).name}
              </option>
            ))}
          </select>
        </label>
        <div class="actions">
          <button type="submit" class="primary">
            {move}
          </button>
          <button
            type="button"
            onClick={({ currentTarget: { form } }) => {
              // The browser says what is wrong with the day.
              if (form?.reportValidity() === true) apply((to, all) => copyAll(to, all, place.peek()));
            }}
          >
            {copy}
          </button>
          <button type="button" class="link" onClick={close}>
            {cancel}
          </button>
        </div>
      </form>
    </dialog>
  );
}
