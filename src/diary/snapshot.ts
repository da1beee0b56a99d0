import type { Food } from '../catalogue/food.ts';
import type { NutrientKey, Nutrients } from '../catalogue/nutrients.ts';
import { AppError } from '../errors.ts';
import { toBasisAmount } from './convert.ts';
import { AMOUNT_KEYS, type AmountKey, type Amounts, maxAmount } from './entry.ts';
import { scale, type Thousandths, toDecimal } from './thousandths.ts';

/** The catalogue's nutrient for each amount of the diary. */
const NUTRIENT_OF: Readonly<Record<AmountKey, NutrientKey>> = {
  calories: 'energy',
  protein: 'protein',
  carbs: 'carbohydrates',
  fat: 'fat',
  fiber: 'fiber',
  sodium: 'sodium',
};

/** What `quantity` of `unit` of the food holds now. */
export function snapshotOf(food: Food, quantity: number, unit: string): Amounts {
  const factor = toBasisAmount(food, quantity, unit) / 100;
  return amountsOf(food.per100, factor);
}

/** `factor` times these nutrients. */
export function amountsOf(nutrients: Nutrients, factor = 1): Amounts {
  return eachAmount((key) => {
    const amount = nutrients[NUTRIENT_OF[key]];
    return amount === undefined ? undefined : amount * factor;
  });
}

/** `amounts` of `factor` times as much. */
export function scaleAmounts(amounts: Amounts, factor: number): Amounts {
  return eachAmount((key) => {
    const amount = amounts[key];
    return amount === undefined ? undefined : toDecimal(amount) * factor;
  });
}

function eachAmount(amountOf: (key: AmountKey) => number | undefined): Amounts {
  const amounts: Partial<Record<AmountKey, Thousandths>> = {};
  for (const key of AMOUNT_KEYS) {
    const value = amountOf(key);
    if (value === undefined) continue;
    const max = maxAmount(key);
    // Written so that NaN is refused too: 0 times an infinite factor.
    if (!(value <= max)) throw tooMuch(key, max);
    amounts[key] = scale(value, 1);
  }
  return amounts as Amounts;
}

function tooMuch(key: AmountKey, max: number): AppError {
  return new AppError({
    code: 'invalid_request',
    message: `That much holds more than ${max} of ${key}; check "quantity" and "unit".`,
    details: { fields: ['quantity', 'unit'], max },
  });
}
