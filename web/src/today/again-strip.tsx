import { useSignalEffect } from '@preact/signals';
import { loadRecents, recentsFor } from '../add/recents.ts';
import { entryAgain, keyOfEaten } from '../add/ticked.ts';
import { amountText } from '../amounts/amount-text.ts';
import { today } from '../days.ts';
import { diary } from '../diary/shown-diary.ts';
import { Icon } from '../parts/icon.tsx';
import { texts } from '../texts/texts.ts';
import { add, attempt, day, entries } from './day-store.ts';
import { mealOfHour, mealWords } from './meal-names.ts';

const MAX_FOODS = 4;

/** What is usually eaten at this time of day: one tap writes the last amount. */
export function AgainStrip() {
  useSignalEffect(() => {
    if (diary.value !== undefined && diary.value.changes.value >= 0) void loadRecents(diary.value);
  });
  const { again, addAgain } = texts.value;
  if (day.value !== today() || entries.value === undefined) return null;
  const meal = mealOfHour();
  const { name } = mealWords(meal);
  const there = entries.value.filter(({ mealType }) => mealType === meal).map(({ foodName }) => foodName);
  const foods = recentsFor(meal)
    .filter(({ mealType, foodName }) => mealType === meal && !there.includes(foodName))
    .slice(0, MAX_FOODS);
  if (foods.length === 0) return null;
  return (
    <section class="again" aria-label={again(name)}>
      <h2>{again(name)}</h2>
      <div class="again-foods">
        {foods.map((food) => {
          const amount = amountText(food.quantity, food.unit);
          return (
            <button
              key={keyOfEaten(food)}
              type="button"
              aria-label={addAgain(food.foodName, amount, name)}
              onClick={() => {
                const to = diary.peek()!;
                void attempt(to, () => add(to, meal, [entryAgain(food)]));
              }}
            >
              <Icon name="plus" />
              <span>{food.foodName}</span> <span class="quiet">{amount}</span>
            </button>
          );
        })}
      </div>
    </section>
  );
}
