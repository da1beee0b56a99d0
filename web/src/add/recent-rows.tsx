import type { EatenFood } from 'larder-client';
import { amountText } from '../amounts/amount-text.ts';
import { Icon } from '../parts/icon.tsx';
import { energyText, energyUnit } from '../parts/measures.ts';
import { texts } from '../texts/texts.ts';
import { copyMeal, type NewFood } from '../today/day-store.ts';
import { mealWords } from '../today/meal-names.ts';
import { finishAdd, meal, target } from './dialog-state.ts';
import { recentsFor, yesterday } from './recents.ts';
import { entryAgain, isTicked, isTicking, keyOfEaten, tickOfEaten, toggle } from './ticked.ts';

interface RowsProps {
  readonly write: (foods: readonly NewFood[]) => Promise<void>;
}

interface RecentRowsProps extends RowsProps {
  /** What their names have to begin with, in any order; all without. */
  readonly words: string;
  readonly max: number;
}

/** Foods that were eaten before: one tap writes the last amount again. */
export function RecentRows({ words, max, write }: RecentRowsProps) {
  const { recents: title } = texts.value;
  const shown = recentsFor(meal.value!, words).slice(0, max);
  if (shown.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul class="rows">
        {shown.map((food) => (
          <li key={keyOfEaten(food)}>
            <RecentRow food={food} write={write} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function RecentRow({ food, write }: RowsProps & { readonly food: EatenFood }) {
  const is = isTicked(keyOfEaten(food));
  return (
    <button
      type="button"
      class="row"
      aria-pressed={isTicking.value ? is : undefined}
      onClick={() => {
        if (isTicking.value) toggle(tickOfEaten(food));
        else void write([entryAgain(food)]);
      }}
    >
      <span class="entry-name">{food.foodName}</span>
      {food.quantity !== undefined && (
        <span class="entry-quantity">{amountText(food.quantity, food.unit)}</span>
      )}
      <span class="amount">
        {food.unknown?.includes('calories') === true ? `? ${energyUnit.value}` : energyText(food.calories)}
        <Icon name={is ? 'check' : 'plus'} />
      </span>
    </button>
  );
}

/** Offers the whole of this meal on the day before. */
export function YesterdayRow() {
  const { yesterdayMeal } = texts.value;
  const eaten = yesterday.value;
  if (eaten.length === 0) return null;
  return (
    <section class="yesterday" aria-label={yesterdayMeal(mealWords(meal.value!).name)}>
      <button
        type="button"
        class="row"
        onClick={() => {
          void copyMeal(target.peek()!, meal.value!);
          finishAdd();
        }}
      >
        <span class="entry-name">{yesterdayMeal(mealWords(meal.value!).name)}</span>
        <span class="entry-quantity">{eaten.map(({ foodName }) => foodName).join(', ')}</span>
        <span class="amount">
          {energyText(eaten.reduce((sum, { calories }) => sum + calories, 0))}
          <Icon name="plus" />
        </span>
      </button>
    </section>
  );
}
