import type { RecipeServing } from 'larder-client';
import { numbers, texts } from '../texts/texts.ts';
import { energyOf, energyUnit } from './measures.ts';
import { amountOf, DIARY_NUTRIENTS, type DiaryNutrient, type FoodNutrient, nutrientOf } from './nutrients.ts';

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
  const isLow = (key: string) => amounts.unknown?.some((each) => each === key) ?? false;
  const rows = (Object.keys(DIARY_NUTRIENTS) as DiaryNutrient[]).flatMap((key) => {
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
            <th scope="row">{nutrientNames[nutrientOf(key) as FoodNutrient]}</th>
            <td>
              {isLow(key) && <span class="quiet">{atLeast} </span>}
              {precise(Math.round(value * 10) / 10)} {DIARY_NUTRIENTS[key]}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
