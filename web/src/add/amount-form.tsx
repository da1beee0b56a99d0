import { useSignal } from '@preact/signals';
import type { AddedMethod, Food } from 'larder-client';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { larder } from '../larder.ts';
import { showNutrients } from '../nutrients/open.ts';
import { eatenOf } from '../nutrients/rows.ts';
import { amountOf } from '../offline/entries/recipe-food.ts';
import { BusyButton } from '../parts/busy-button.tsx';
import { energyText, energyUnit } from '../parts/measures.ts';
import { problemOf } from '../parts/problem.ts';
import { numbers, texts } from '../texts/texts.ts';
import { type NewFood, totals } from '../today/day-store.ts';
import { measureOf, proposedIn, rememberUnit, startAmount, unitsOf } from './units.ts';

export interface Amount {
  readonly quantity: string;
  readonly unit: string;
}

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
      (error) => {
        problem.value = problemOf(error);
      },
    );
  }, [food.id]);
  const factor = servingsIn(food, Number(quantity), unit);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    isWriting.value = true;
    rememberUnit(food, unit);
    const entry = amountOf(food, Number(quantity), unit);
    await write([{ ...entry, ...(method !== undefined && { addedMethod: method }) }]);
    isWriting.value = false;
  };
  return (
    <form class="amount-form" onSubmit={submit}>
      <h3 class="food-title">
        {food.name}
        {food.brand !== undefined && <span class="brand-of"> {food.brand}</span>}
      </h3>
      <div class="pair">
        <label>
          {amount}
          <input
            ref={input}
            type="number"
            inputMode="decimal"
            min="0.001"
            step="any"
            required
            value={quantity}
            onFocus={({ currentTarget }) => currentTarget.select()}
            onInput={({ currentTarget: { value } }) => {
              isTyped.current = true;
              onChange(food, { quantity: value, unit });
            }}
          />
        </label>
        <label>
          {unitLabel}
          <select
            value={unit}
            onChange={({ currentTarget: { value: to } }) => {
              const proposed = isTyped.current ? quantity : proposedIn(food, Number(quantity), unit, to);
              onChange(food, { quantity: proposed, unit: to });
            }}
          >
            {withUnit(unitsOf(food), unit).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Preview food={food} quantity={Number(quantity)} unit={unit} />
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
      {problem.value !== '' && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <BusyButton type="submit" class="primary" isBusy={isWriting.value}>
        {add}
      </BusyButton>
    </form>
  );
}

/** An amount in servings of the food; undefined where it cannot be told before the service computes it. */
function servingsIn(food: Food, quantity: number, unit: string): number | undefined {
  const { servingSize } = food;
  if (!(quantity > 0)) return undefined;
  if (unit === servingSize.unit) return quantity / servingSize.value;
  const measures = [measureOf(food, quantity, unit), measureOf(food, servingSize.value, servingSize.unit)];
  const [measure, ofServing] = measures;
  return measure === undefined || !ofServing ? undefined : measure / ofServing;
}

/** A unit that was used before stands among the choices, though the food does not list it. */
function withUnit(units: [string, string][], unit: string): [string, string][] {
  return units.some(([each]) => each === unit) ? units : [...units, [unit, unit]];
}

const SHOWN = [
  ['protein', 'protein'],
  ['carbohydrates', 'carbs'],
  ['fat', 'fat'],
] as const;

/** What the amount has, as far as it can be told before the service computes it. */
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
  const { macros, per100, servingSize, unknown } = food;
  const measure = measureOf(food, quantity, unit);
  const of = (nutrient: keyof typeof macros & keyof NonNullable<typeof per100>) => {
    if (!(quantity > 0) || (unknown as string[] | undefined)?.includes(nutrient)) return undefined;
    if (per100?.[nutrient] !== undefined && measure !== undefined) return (per100[nutrient] * measure) / 100;
    return unit === servingSize.unit ? ((macros[nutrient] ?? 0) * quantity) / servingSize.value : undefined;
  };
  const energy = of('energy');
  return (
    <div class="preview">
      <p class="preview-energy">{energy === undefined ? `? ${energyUnit.value}` : energyText(energy)}</p>
      <p class="quiet">
        {SHOWN.map(([nutrient, word]) => {
          const value = of(nutrient);
          return `${all[word]} ${value === undefined ? '?' : precise(Number(value.toFixed(1)))} g`;
        }).join(' · ')}
      </p>
    </div>
  );
}
