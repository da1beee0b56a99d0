import type { GoalAmounts, Goals } from 'larder-client';
import { dateOf, type Weekday } from '../days.ts';
import { amountsOn } from '../offline/entries/day-sums.ts';
import { energyOf, energyUnit } from '../parts/measures.ts';
import { DIARY_NUTRIENTS, type DiaryNutrient } from '../parts/nutrients.ts';
import { numbers, texts } from '../texts/texts.ts';
import { nameOf, nutrientsOf } from './goal-fields.tsx';
import { groupsOf, namesOf } from './weekday-goals.tsx';

const ALWAYS_SHOWN: readonly DiaryNutrient[] = ['protein', 'carbs', 'fat'];

/** All goals, the latest first, each with a row for the days that have others. */
export function GoalsHistory({ goals }: { readonly goals: readonly Goals[] }) {
  const { goalsPage: all, energy } = texts.value;
  const stated = goals.flatMap((each) => [each, ...Object.values(each.weekdays ?? {})]);
  const columns = (Object.keys(DIARY_NUTRIENTS) as DiaryNutrient[]).filter(
    (key) => ALWAYS_SHOWN.includes(key) || stated.some((each) => nutrientsOf(each)[key] !== undefined),
  );
  return (
    <details>
      <summary>{all.history}</summary>
      <div class="scrolls">
        <table class="data">
          <thead>
            <tr>
              <th scope="col">{all.from}</th>
              <th scope="col">
                {energy} ({energyUnit.value})
              </th>
              {columns.map((key) => (
                <th key={key} scope="col">
                  {nameOf(key)} ({DIARY_NUTRIENTS[key]})
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {goals
              .toReversed()
              .flatMap((each) => [
                <Row key={each.from} name={nameOfGoals(each)} amounts={each} columns={columns} />,
                ...groupsOf(each.weekdays).map(({ days }) => (
                  <Row
                    key={`${each.from} ${days}`}
                    name={namesOf(days)}
                    amounts={amountsOn(each, days[0] as Weekday)}
                    columns={columns}
                  />
                )),
              ])}
          </tbody>
        </table>
      </div>
    </details>
  );
}

interface RowProps {
  readonly name: string;
  readonly amounts: GoalAmounts;
  readonly columns: readonly DiaryNutrient[];
}

function Row({ name, amounts, columns }: RowProps) {
  const { whole, precise } = numbers.value;
  const nutrients = nutrientsOf(amounts);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{amounts.calories === undefined ? '–' : whole(energyOf(amounts.calories))}</td>
      {columns.map((key) => (
        <td key={key}>{nutrients[key] === undefined ? '–' : precise(nutrients[key])}</td>
      ))}
    </tr>
  );
}

function nameOfGoals({ from }: Goals): string {
  if (from === undefined) return texts.value.goalsPage.always;
  return dateOf(from, { day: 'numeric', month: 'short', year: 'numeric' });
}
