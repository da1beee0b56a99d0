import type { RecipeServing } from 'larder-client';
import { numbers, texts } from '../texts/texts.ts';
import { energyOf, energyUnit } from './measures.ts';
import { FOOD_NUTRIENTS, type FoodNutrient } from './nutrients.ts';

/** Foods call carbohydrates by their whole name, the diary by `carbs`. */
function amountOf(amounts: RecipeServing, key: FoodNutrient): number | undefined {
  if (key === 'carbohydrates') return amounts.carbs;
  return amounts[key as 'protein'] ?? amounts.nutrients?.[key as 'sugars'];
}

/** Energy and nutrients, with those that are only partly known marked. What nothing states is left out. */
export function AmountsTable({
  amounts,
  caption,
}: {
  readonly amounts: RecipeServing;
  readonly caption: string;
}) {
  const { energy, nutrientNames, atLeast } = texts.value;
  const { precise, whole } = numbers.value;
  const isLow = (key: string) =>
    amounts.incomplete?.some((each) => each === (key === 'carbohydrates' ? 'carbs' : key)) ?? false;
  const rows = (Object.keys(FOOD_NUTRIENTS) as FoodNutrient[]).flatMap((key) => {
    const value = amountOf(amounts, key);
    // A sum of nothing that is stated is no amount.
    return value === undefined || (value === 0 && isLow(key)) ? [] : [{ key, value }];
  });
  return (
    <table class="amounts">
      <caption>{caption}</caption>
      <tbody>
        {amounts.calories !== undefined && (
          <tr>
            <th scope="row">{energy}</th>
            <td>
              {isLow('calories') && <span class="quiet">{atLeast} </span>}
              {whole(energyOf(amounts.calories))} {energyUnit.value}
            </td>
          </tr>
        )}
        {rows.map(({ key, value }) => (
          <tr key={key}>
            <th scope="row">{nutrientNames[key]}</th>
            <td>
              {isLow(key) && <span class="quiet">{atLeast} </span>}
              {precise(Math.round(value * 10) / 10)} {FOOD_NUTRIENTS[key]}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
