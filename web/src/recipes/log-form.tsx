import { useSignal } from '@preact/signals';
import type { MealType, Recipe } from 'larder-client';
import { unitName } from '../amounts/amount-text.ts';
import { type StatedAmount, useLargeAmounts } from '../amounts/large-amounts.tsx';
import { numberOf, typedNumber } from '../amounts/typed-number.ts';
import { today } from '../days.ts';
import { ownDiary } from '../diary/shown-diary.ts';
import { amountOf, asFood } from '../offline/entries/recipe-food.ts';
import { isRead } from '../offline/queue/addition-again.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { energyText, energyUnit } from '../parts/measures.ts';
import { NumberField } from '../parts/number-field.tsx';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { texts } from '../texts/texts.ts';
import { add, day, type NewFood } from '../today/day-store.ts';
import { changedPortion } from './tweak.ts';

const MEALS: readonly MealType[] = ['breakfast', 'lunch', 'dinner', 'snacks'];
/** Hours at which the meal that is offered changes: lunch, snacks, dinner. */
const MEAL_HOURS = [
  [10, 'breakfast'],
  [15, 'lunch'],
  [17, 'snacks'],
  [24, 'dinner'],
] as const;

/** Logs a portion of a recipe, with other amounts of its ingredients where they differ this once. */
export function LogForm({ recipe }: { readonly recipe: Recipe }) {
  const { recipesPage: all, amount, unit, meals, add: button, chooseDay } = texts.value;
  const quantity = useSignal('1');
  const chosen = useSignal<'serving' | 'g'>('serving');
  const meal = useSignal<MealType>(mealNow());
  const date = useSignal(today());
  const shares = useSignal<readonly number[]>(recipe.ingredients.map(() => 1));
  /** Amounts of ingredients as they were typed. */
  const typed = useSignal<Readonly<Record<number, string>>>({});
  const problem = useSignal('');
  const isWriting = useSignal(false);
  const whole = chosen.value === 'g' ? (recipe.yieldGrams ?? 0) : recipe.servings;
  const portion = numberOf(quantity.value) / whole;
  const isUnread = !recipe.ingredients.every(isRead);
  const isChanged = shares.value.some((share) => share !== 1);
  const changed = changedPortion(recipe, shares.value, portion, all.changedName(recipe.name));
  const large = useLargeAmounts(async ([stated]: readonly StatedAmount[]) => {
    isWriting.value = true;
    const { quantity: count, unit: of } = stated!;
    const entry: NewFood = isChanged
      ? { ...changed, quantity: count, unit: of }
      : amountOf(asFood(recipe), count, of);
    try {
      day.value = date.value;
      await add(ownDiary(), meal.value, [entry]);
      problem.value = '';
      shares.value = recipe.ingredients.map(() => 1);
      typed.value = {};
    } catch (error) {
      problem.value = problemOf(error);
    }
    isWriting.value = false;
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // Changed amounts belong to the portion that is shown, which has no other unit then.
    const stated = { quantity: numberOf(quantity.value), unit: chosen.value };
    const { calories: energy } = changed as { calories: number };
    void large.submit([isChanged ? { ...stated, energy } : { ...stated, food: asFood(recipe) }]);
  };
  return (
    <form class="card form" aria-label={all.log} onSubmit={submit} onInput={large.forget}>
      <h2>{all.log}</h2>
      <div class="fields">
        <NumberField
          label={amount}
          value={quantity.value}
          onInput={(text) => setTo(quantity, text)}
          isRequired
          isPositive
        />
        <label>
          {unit}
          <select
            value={chosen.value}
            onChange={({ currentTarget: { value } }) => {
              chosen.value = value as 'serving' | 'g';
              quantity.value =
                value === 'g' ? typedNumber(Math.round((recipe.yieldGrams ?? 0) / recipe.servings)) : '1';
            }}
          >
            <option value="serving">{unitName('serving')}</option>
            {recipe.yieldGrams !== undefined && <option value="g">g</option>}
          </select>
        </label>
        <label>
          {all.meal}
          <select
            value={meal.value}
            onChange={({ currentTarget: { value } }) => setTo(meal, value as MealType)}
          >
            {MEALS.map((each) => (
              <option key={each} value={each}>
                {meals[each]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {chooseDay}
          <input
            type="date"
            required
            value={date.value}
            onChange={({ currentTarget: { value } }) => setTo(date, value === '' ? today() : value)}
          />
        </label>
      </div>
      {!isUnread && (
        <details>
          <summary>{all.tweak}</summary>
          <p class="quiet note">{all.tweakText}</p>
          <div class="fields">
            {recipe.ingredients.map(({ name, quantity: usual = 1, unit: of }, at) => (
              <NumberField
                key={`${at} ${name}`}
                label={name}
                unit={of ?? '×'}
                value={typed.value[at] ?? typedNumber(usual * shares.value[at]!)}
                onInput={(text) => {
                  typed.value = { ...typed.value, [at]: text };
                  shares.value = shares.value.with(at, numberOf(text) / usual);
                }}
              />
            ))}
          </div>
        </details>
      )}
      <p class="preview" aria-live="polite">
        {portion > 0 &&
          (isUnread ? `? ${energyUnit.value}` : energyText((changed as { calories: number }).calories))}
        {isChanged && <span class="quiet note"> {all.changedOnce}</span>}
      </p>
      {large.question}
      <Problem text={problem.value} />
      <BusyButton type="submit" class="primary" isBusy={isWriting.value}>
        {button}
      </BusyButton>
    </form>
  );
}

function mealNow(): MealType {
  const hour = new Date().getHours();
  return MEAL_HOURS.find(([until]) => hour < until)?.[1] ?? 'dinner';
}
