import { useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { diary, otherName } from '../diary/shown-diary.ts';
import { prefer, preferences } from '../preferences.ts';
import { texts } from '../texts/texts.ts';
import { copyMeal, entries, mayCopyYesterday } from './day-store.ts';
import { mealWords } from './meal-names.ts';
import { mealMenu, placing, startSelecting } from './selection.ts';

/** What can be done with a meal as a whole, and its name. */
export function MealDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useSignalEffect(() => {
    if (mealMenu.value === undefined) dialog.current?.close();
    else if (dialog.current?.open === false) dialog.current.showModal();
  });
  const {
    selectFoods,
    moveOrCopyMeal,
    copyYesterday,
    ownName,
    ownNameHint,
    save,
    close: closer,
  } = texts.value;
  const meal = mealMenu.value ?? 'breakfast';
  const own = entries.value?.filter(({ mealType }) => mealType === meal) ?? [];
  const close = () => {
    mealMenu.value = undefined;
  };
  const rename = (event: SubmitEvent) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get('name')).trim();
    const { [meal]: _, ...others } = preferences.peek().mealNames ?? {};
    void prefer({ mealNames: name === '' ? others : { ...others, [meal]: name } });
    close();
  };
  const actions: [string, () => void, boolean][] = [
    [selectFoods, startSelecting, own.length > 0],
    [
      moveOrCopyMeal,
      () => {
        placing.value = own;
      },
      own.length > 0,
    ],
    [copyYesterday, () => void copyMeal(diary.peek()!, meal), mayCopyYesterday(meal)],
  ];
  return (
    <dialog
      ref={dialog}
      class="small-dialog"
      aria-labelledby="meal-title"
      onClose={() => dialog.current?.open === false && close()}
    >
      <h2 id="meal-title">{mealWords(meal).name}</h2>
      <div class="menu">
        {actions.map(([text, act, isPossible]) => (
          <button
            key={text}
            type="button"
            disabled={!isPossible}
            onClick={() => {
              close();
              act();
            }}
          >
            {text}
          </button>
        ))}
      </div>
      <form key={`${meal} ${mealMenu.value}`} onSubmit={rename}>
        {otherName.value === undefined && (
          <label>
            {ownName}
            <input
              name="name"
              maxLength={40}
              placeholder={ownNameHint}
              defaultValue={preferences.value.mealNames?.[meal] ?? ''}
            />
          </label>
        )}
        <div class="actions">
          {otherName.value === undefined && (
            <button type="submit" class="primary">
              {save}
            </button>
          )}
          <button type="button" class="link" onClick={close}>
            {closer}
          </button>
        </div>
      </form>
    </dialog>
  );
}
