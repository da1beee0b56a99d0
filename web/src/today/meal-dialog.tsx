import { useSignal, useSignalEffect } from '@preact/signals';
import type { MealType } from 'larder-client';
import { useEffect, useRef } from 'preact/hooks';
import { itemOf } from '../add/saved-meals.ts';
import { diary, otherName } from '../diary/shown-diary.ts';
import { withTexts } from '../parts/later.tsx';
import { showSheet } from '../parts/sheet-host.tsx';
import { setTo } from '../parts/signals.ts';
import { prefer, preferences } from '../preferences.ts';
import { texts } from '../texts/texts.ts';
import { copyMeal, entries, mayCopyYesterday } from './day-store.ts';
import { mealWords } from './meal-names.ts';
import { mealMenu, placing, startSelecting } from './selection.ts';

const loadSavedMeal = withTexts(
  async () => (await import('../add/saved-meal-sheet.tsx')).SavedMealSheet,
  'adding',
);
/** The service takes no more foods in a saved meal. */
const MAX_ITEMS = 50;

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
    saveMeal,
    hideMeal,
    showMeal,
    rename: renameText,
    close: closer,
  } = texts.value;
  const meal = mealMenu.value ?? 'breakfast';
  const own = entries.value?.filter(({ mealType }) => mealType === meal) ?? [];
  const close = () => setTo(mealMenu, undefined);
  const isRenaming = useSignal(false);
  useSignalEffect(() => {
    if (mealMenu.value === undefined) isRenaming.value = false;
  });
  const hidden = preferences.value.hiddenMeals ?? [];
  const isHidden = hidden.includes(meal);
  const hide = () => {
    const others = hidden.filter((each) => each !== meal);
    void prefer({ hiddenMeals: isHidden ? others : [...others, meal] });
  };
  const actions: [string, () => void, boolean][] = [
    [selectFoods, startSelecting, own.length > 0],
    [moveOrCopyMeal, () => setTo(placing, own), own.length > 0],
    [
      saveMeal,
      () => showSheet(loadSavedMeal, { items: own.map(itemOf), name: mealWords(meal).name }),
      own.length > 0 && own.length <= MAX_ITEMS,
    ],
    ...(otherName.value === undefined
      ? ([[isHidden ? showMeal : hideMeal, hide, true]] satisfies [string, () => void, boolean][])
      : []),
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
      {isRenaming.value ? (
        <RenameForm meal={meal} onDone={close} />
      ) : (
        <>
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
            {otherName.value === undefined && (
              <button type="button" onClick={() => setTo(isRenaming, true)}>
                {renameText}
              </button>
            )}
          </div>
          <div class="actions">
            <button type="button" class="link" onClick={close}>
              {closer}
            </button>
          </div>
        </>
      )}
    </dialog>
  );
}

interface RenameFormProps {
  readonly meal: MealType;
  readonly onDone: () => void;
}

/** Gives a meal a name of one's own; an empty one is that of the language. */
function RenameForm({ meal, onDone }: RenameFormProps) {
  const { ownName, ownNameHint, save, cancel } = texts.value;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const rename = (event: SubmitEvent) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get('name')).trim();
    const { [meal]: _, ...others } = preferences.peek().mealNames ?? {};
    void prefer({ mealNames: name === '' ? others : { ...others, [meal]: name } });
    onDone();
  };
  return (
    <form onSubmit={rename}>
      <label>
        {ownName}
        <input
          ref={input}
          name="name"
          maxLength={40}
          placeholder={ownNameHint}
          defaultValue={preferences.value.mealNames?.[meal] ?? ''}
        />
      </label>
      <div class="actions">
        <button type="submit" class="primary">
          {save}
        </button>
        <button type="button" class="link" onClick={onDone}>
          {cancel}
        </button>
      </div>
    </form>
  );
}
