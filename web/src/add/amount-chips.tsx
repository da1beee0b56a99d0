import type { MealType } from 'larder-client';
import { numberOf } from '../amounts/typed-number.ts';
import { setTo } from '../parts/signals.ts';
import { texts } from '../texts/texts.ts';
import { MEALS, mealWords } from '../today/meal-names.ts';
import { meal } from './dialog-state.ts';

/** Amounts of one tap: of a counted unit, and of grams or milliliters. */
const COUNTS = [
  ['0.5', '½'],
  ['1', '1'],
  ['2', '2'],
] as const;
const WEIGHTS = [
  ['50', '50'],
  ['100', '100'],
  ['200', '200'],
] as const;

interface AmountChipsProps {
  readonly quantity: string;
  readonly unit: string;
  readonly onChoose: (quantity: string) => void;
}

/** Usual amounts, and the meal that the food goes to. */
export function AmountChips({ quantity, unit, onChoose }: AmountChipsProps) {
  const { quickChoice, meal: mealLabel } = texts.value;
  return (
    <div class="amount-chips">
      <fieldset aria-label={quickChoice}>
        {(unit === 'g' || unit === 'ml' ? WEIGHTS : COUNTS).map(([value, words]) => (
          <button
            key={value}
            type="button"
            aria-pressed={numberOf(quantity) === Number(value)}
            onClick={() => onChoose(value)}
          >
            {words}
          </button>
        ))}
      </fieldset>
      <label>
        {mealLabel}
        <select
          value={meal.value}
          onChange={({ currentTarget: { value } }) => setTo(meal, value as MealType)}
        >
          {MEALS.map((each) => (
            <option key={each} value={each}>
              {mealWords(each).name}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
