import { useSignal } from '@preact/signals';
import type { SavedMeal } from 'larder-client';
import { amountText } from '../amounts/amount-text.ts';
import type { Shown } from '../offline/queue/writes.ts';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { tell } from '../parts/toast.tsx';
import { texts } from '../texts/texts.ts';
import { favouritesOfMeal, removeMeal, saveMeal, toggleFavouriteMeal } from './saved-meals.ts';

interface SavedMealSheetProps {
  /** The foods of a new meal, or those of `saved`. */
  readonly items: SavedMeal['items'];
  readonly saved?: Shown<SavedMeal>;
  readonly name?: string;
  readonly onClose: () => void;
}

/** Gives foods the name of a saved meal, renames or deletes one. */
export function SavedMealSheet({ items, saved, name, onClose }: SavedMealSheetProps) {
  const { saveMeal: title, mealNameOf, mealSaved, save, delete: remove, star, unstar } = texts.value;
  const isStarred = saved !== undefined && favouritesOfMeal(saved.id).length > 0;
  const problem = useSignal('');
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
      onClose();
    } catch (error) {
      problem.value = problemOf(error);
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget as HTMLFormElement).get('name')).trim();
    if (typed === '') return;
    void attempt(async () => {
      await saveMeal(typed, items, saved);
      tell(mealSaved(typed));
    });
  };
  return (
    <Sheet title={saved?.name ?? title} onClose={onClose}>
      <form onSubmit={submit}>
        <label>
          {mealNameOf}
          <input name="name" required maxLength={100} defaultValue={saved?.name ?? name ?? ''} />
        </label>
        <ul class="plain-list">
          {items.map(({ foodName, quantity, unit }, at) => (
            <li key={`${at} ${foodName}`}>
              {quantity === undefined ? foodName : `${foodName}, ${amountText(quantity, unit)}`}
            </li>
          ))}
        </ul>
        <Problem text={problem.value} />
        <div class="actions">
          <button type="submit" class="primary">
            {save}
          </button>
          {saved !== undefined && (
            <button
              type="button"
              class="link"
              aria-pressed={isStarred}
              onClick={() => void attempt(() => toggleFavouriteMeal(saved))}
            >
              {(isStarred ? unstar : star)(saved.name)}
            </button>
          )}
          {saved !== undefined && (
            <button type="button" class="link" onClick={() => void attempt(() => removeMeal(saved))}>
              {remove}
            </button>
          )}
        </div>
      </form>
    </Sheet>
  );
}
