import { useSignal } from '@preact/signals';
import type { Food, Serving } from 'larder-client';
import { useEffect, useRef } from 'preact/hooks';
import { larder } from '../larder.ts';
import { problemOf } from '../parts/problem.ts';
import { numbers, texts } from '../texts/texts.ts';
import type { NewFood } from '../today/day-store.ts';

interface AmountFormProps {
  readonly food: Food;
  readonly write: (foods: readonly NewFood[]) => Promise<void>;
}

/** How much of a food: any of its servings, or grams. */
export function AmountForm({ food, write }: AmountFormProps) {
  const { amount, unit, add } = texts.value;
  const { whole } = numbers.value;
  /** The food with all its servings, when they are read. */
  const detailed = useSignal(food);
  const input = useRef<HTMLInputElement>(null);
  const problem = useSignal('');
  const quantity = useSignal(String(food.servingSize.value));
  const chosen = useSignal(food.servingSize.unit);
  const isWriting = useSignal(false);
  useEffect(() => {
    input.current?.focus();
    larder.foods.get(food.id).then(
      (read) => {
        detailed.value = read;
      },
      (error) => {
        problem.value = problemOf(error);
      },
    );
  }, [food.id]);
  const servings = detailed.value.servings ?? [food.servingSize];
  const basis = isByVolume(servings) ? 'ml' : 'g';
  const units = unitsOf(servings, basis);
  const energy = energyOf(detailed.value, servings, Number(quantity.value), chosen.value, basis);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    isWriting.value = true;
    await write([
      { foodId: food.id, quantity: Number(quantity.value), unit: chosen.value, food: detailed.value },
    ]);
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
            value={quantity.value}
            onFocus={({ currentTarget }) => currentTarget.select()}
            onInput={({ currentTarget: { value } }) => {
              quantity.value = value;
            }}
          />
        </label>
        <label>
          {unit}
          <select
            value={chosen.value}
            onChange={({ currentTarget: { value } }) => {
              const serving = servings.find((each) => each.unit === value);
              quantity.value = String(serving?.value ?? 100);
              chosen.value = value;
            }}
          >
            {units.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
      <p class="preview">{energy === undefined ? '' : `${whole(energy)} kcal`}</p>
      {problem.value !== '' && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <button type="submit" class="primary" disabled={isWriting.value}>
        {add}
      </button>
    </form>
  );
}

function isByVolume(servings: readonly Serving[]): boolean {
  return servings.some(({ milliliters, unit }) => milliliters !== undefined || unit === 'ml');
}

/** Each unit once, with what it weighs; grams or milliliters last. */
function unitsOf(servings: readonly Serving[], basis: 'g' | 'ml'): [string, string][] {
  const units = new Map<string, string>();
  for (const { unit, label } of servings) if (!units.has(unit)) units.set(unit, label ?? unit);
  units.set(basis, basis);
  return [...units];
}

/** What the amount has, as far as it can be told before the service computes it. */
function energyOf(
  { per100, macros, servingSize, unknown }: Food,
  servings: readonly Serving[],
  quantity: number,
  unit: string,
  basis: 'g' | 'ml',
): number | undefined {
  if (unknown?.includes('energy') === true || !(quantity > 0)) return undefined;
  const serving = servings.find((each) => each.unit === unit);
  const measure =
    unit === basis
      ? quantity
      : ((serving?.grams ?? serving?.milliliters ?? 0) / (serving?.value ?? 1)) * quantity;
  if (per100?.energy !== undefined && measure > 0) return (per100.energy * measure) / 100;
  return unit === servingSize.unit ? (macros.energy * quantity) / servingSize.value : undefined;
}
