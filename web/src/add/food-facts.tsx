import type { Food, MealType } from 'larder-client';
import { numberOf } from '../amounts/typed-number.ts';
import { energyText } from '../parts/measures.ts';
import { FOOD_NUTRIENTS, type FoodNutrient } from '../parts/nutrients.ts';
import { numbers, texts } from '../texts/texts.ts';
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
          onChange={({ currentTarget: { value } }) => {
            meal.value = value as MealType;
          }}
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

/** All that is known of a food, of 100 g or of its serving. */
export function FoodFacts({ food }: { readonly food: Food }) {
  const { nutrientNames, energy, inAmount } = texts.value;
  const { macros, per100, servingSize, unknown = [] } = food;
  const amounts: Readonly<Record<string, number | undefined>> = per100 ?? macros;
  const isKnown = (key: string) =>
    amounts[key] !== undefined && !(unknown as readonly string[]).includes(key);
  const isLiquid = servingSize.unit === 'ml' || servingSize.unit === 'fl_oz';
  const basis =
    per100 === undefined
      ? (servingSize.label ?? `${servingSize.value} ${servingSize.unit}`)
      : `100 ${isLiquid ? 'ml' : 'g'}`;
  return (
    <section class="food-facts" aria-label={inAmount(basis)}>
      <h3>{inAmount(basis)}</h3>
      <dl>
        {isKnown('energy') && (
          <div>
            <dt>{energy}</dt>
            <dd>{energyText(amounts['energy']!)}</dd>
          </div>
        )}
        {(Object.keys(FOOD_NUTRIENTS) as FoodNutrient[]).filter(isKnown).map((key) => (
          <div key={key}>
            <dt>{nutrientNames[key]}</dt>
            <dd>
              {numbers.value.precise(Number(amounts[key]!.toPrecision(3)))} {FOOD_NUTRIENTS[key]}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
