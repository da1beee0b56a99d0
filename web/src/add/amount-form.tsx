import { useSignal } from '@preact/signals';
import type { AddedMethod, Food } from 'larder-client';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { inOtherUnit, UnitSelect } from '../amounts/amount-inputs.tsx';
import { nutrientsOf, servingsIn } from '../amounts/food-amounts.ts';
import { type StatedAmount, useLargeAmounts } from '../amounts/large-amounts.tsx';
import { numberOf } from '../amounts/typed-number.ts';
import { unitsWith } from '../amounts/units.ts';
import { ownDiet } from '../facts/own-diet.ts';
import { loadWarnings } from '../facts/parts.ts';
import { larder } from '../larder.ts';
import { showNutrients } from '../nutrients/open.ts';
import { eatenOf } from '../nutrients/rows.ts';
import { amountOf } from '../offline/entries/recipe-food.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { Later } from '../parts/later.tsx';
import { energyText, energyUnit } from '../parts/measures.ts';
import { NumberInput } from '../parts/number-field.tsx';
import { problemOf } from '../parts/problem.ts';
import { Problem } from '../parts/problem-line.tsx';
import { setTo } from '../parts/signals.ts';
import { numbers, texts } from '../texts/texts.ts';
import { type NewFood, totals } from '../today/day-store.ts';
import { StarButton } from './star-button.tsx';
import { type Amount, rememberUnit, startAmount } from './start-amount.ts';

interface AmountFormProps {
  readonly food: Food;
  readonly amount: Amount;
  readonly method?: AddedMethod | undefined;
  readonly onChange: (food: Food, amount: Amount) => void;
  readonly write: (foods: readonly NewFood[]) => Promise<void>;
}

/** How much of a food: any of its servings, or grams. */
export function AmountForm({ food, amount: { quantity, unit }, method, onChange, write }: AmountFormProps) {
  const { amount, unit: unitLabel, add, allNutrients } = texts.value;
  const input = useRef<HTMLInputElement>(null);
  const problem = useSignal('');
  const isWriting = useSignal(false);
  /** A number that was typed stays when the unit changes; one that was proposed is converted. */
  const isTyped = useRef(false);
  // Before the next key arrives.
  useLayoutEffect(() => input.current?.focus(), []);
  useEffect(() => {
    if (food.servings !== undefined) return;
    larder.foods.get(food.id).then(
      (read) => onChange(read, isTyped.current ? { quantity, unit } : startAmount(read)),
      (error) => setTo(problem, problemOf(error)),
    );
  }, [food.id]);
  const factor = servingsIn(food, numberOf(quantity), unit);
  const large = useLargeAmounts(async ([stated]: readonly StatedAmount[]) => {
    isWriting.value = true;
    rememberUnit(food, stated!.unit);
    const entry = amountOf(food, stated!.quantity, stated!.unit);
    await write([{ ...entry, ...(method !== undefined && { addedMethod: method }) }]);
    isWriting.value = false;
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void large.submit([{ food, quantity: numberOf(quantity), unit }]);
  };
  return (
    <form class="amount-form" onSubmit={submit} onInput={large.forget}>
      <h3 class="food-title">
        {food.name}
        {food.brand !== undefined && (
          <>
            {' '}
            <span class="brand-of">{food.brand}</span>
          </>
        )}
        <StarButton food={food} />
      </h3>
      {ownDiet.value !== undefined && <Later load={loadWarnings} props={{ food }} />}
      <div class="pair">
        <label>
          {amount}
          <NumberInput
            input={input}
            isRequired
            isPositive
            selects
            value={quantity}
            onInput={(text) => {
              isTyped.current = true;
              onChange(food, { quantity: text, unit });
            }}
          />
        </label>
        <label>
          {unitLabel}
          <UnitSelect
            units={unitsWith(food, unit)}
            unit={unit}
            onChange={(to) =>
              onChange(food, inOtherUnit(food, { quantity, unit, isTyped: isTyped.current }, to))
            }
          />
        </label>
      </div>
      <Preview food={food} quantity={numberOf(quantity)} unit={unit} />
      {factor !== undefined && (
        <button
          type="button"
          class="link"
          aria-haspopup="dialog"
          onClick={() =>
            showNutrients({
              title: food.name,
              eaten: () => [eatenOf(food, factor)],
              goals: () => totals.value?.goals,
            })
          }
        >
          {allNutrients}
        </button>
      )}
      {large.question}
      <Problem text={problem.value} />
      <BusyButton type="submit" class="primary" isBusy={isWriting.value}>
        {add}
      </BusyButton>
    </form>
  );
}

const SHOWN = [
  ['protein', 'protein'],
  ['carbohydrates', 'carbs'],
  ['fat', 'fat'],
] as const;

/** The nutrients of the amount, as far as the page can compute them without the service. */
function Preview({
  food,
  quantity,
  unit,
}: {
  readonly food: Food;
  readonly quantity: number;
  readonly unit: string;
}) {
  const all = texts.value;
  const { precise } = numbers.value;
  const nutrients = nutrientsOf(food, quantity, unit);
  const { energy } = nutrients;
  return (
    <div class="preview">
      <p class="preview-energy">{energy === undefined ? `? ${energyUnit.value}` : energyText(energy)}</p>
      <p class="quiet">
        {SHOWN.map(([nutrient, word]) => {
          const value = nutrients[nutrient];
          return `${all[word]} ${value === undefined ? '?' : precise(Number(value.toFixed(1)))} g`;
        }).join(' · ')}
      </p>
    </div>
  );
}
