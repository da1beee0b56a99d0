import type { GoalAmounts } from 'larder-client';
import { fullDateOf, nearName } from '../days.ts';
import { showNutrients } from '../nutrients/open.ts';
import type { DaySums } from '../offline/entries/day-sums.ts';
import { energyOf, energyUnit } from '../parts/measures.ts';
import { amountOf, DIARY_NUTRIENTS, type DiaryNutrient, type Measure } from '../parts/nutrients.ts';
import { numbers, texts } from '../texts/texts.ts';
import { day, entries, totals } from './day-store.ts';

const MACROS = ['protein', 'carbs', 'fat'] as const;
/** Nutrients beyond the macros: those with a goal are shown everywhere, others where the screen has room. */
const FURTHER = (Object.keys(DIARY_NUTRIENTS) as DiaryNutrient[]).filter(
  (key) => !(MACROS as readonly string[]).includes(key),
);
/** Smaller amounts have a decimal. */
const MIN_WHOLE = 10;

/** The sums of the day: what was eaten first, then what remains of the goals. Unknown amounts are named, never drawn as zero. */
export function Sums() {
  const all = texts.value;
  const { whole } = numbers.value;
  const sums = totals.value;
  const goal = goalOf(sums?.goals, 'calories');
  const unknown = (sums?.unknown ?? []).filter((key) => key in all.nutrients);
  const further = FURTHER.filter(
    (key) => goalOf(sums?.goals, key) !== undefined || sumOf(sums, key) !== undefined,
  );
  const eaten = sums?.calories ?? 0;
  const isAtLeast = unknown.includes('calories');
  return (
    <section class="sums" aria-label={all.energy}>
      <p class="energy" role="status" aria-label={all.energy}>
        {isAtLeast && <span class="quiet">{all.atLeast} </span>}
        <span class="number">{whole(energyOf(eaten))}</span>{' '}
        {goal === undefined ? (
          <span class="quiet">{`${energyUnit.value} ${all.eaten}`}</span>
        ) : (
          <>
            <span class="of-goal">{`/ ${whole(energyOf(goal))} ${energyUnit.value}`}</span>{' '}
            <Rest eaten={energyOf(eaten)} goal={energyOf(goal)} unit={energyUnit.value} />
          </>
        )}
      </p>
      {goal !== undefined && <Bar kind="energy" value={eaten} goal={goal} />}
      <dl class="macros">
        {MACROS.map((key) => (
          <Amount key={key} kind={key} name={all[key]} sums={sums} />
        ))}
      </dl>
      {further.length > 0 && (
        <dl class="further-goals" aria-label={all.nutrientsOfDay}>
          {further.map((key) => (
            <Amount key={key} kind={key} name={all.nutrientNames[key as 'fiber']} sums={sums} />
          ))}
        </dl>
      )}
      {entries.value !== undefined && entries.value.length > 0 && (
        <button
          type="button"
          class="link all-nutrients"
          aria-haspopup="dialog"
          onClick={() =>
            showNutrients({
              title: nearName(day.peek()) ?? fullDateOf(day.peek()),
              eaten: () => entries.value ?? [],
              goals: () => totals.value?.goals,
              isDay: true,
            })
          }
        >
          {all.allNutrients}
        </button>
      )}
      {unknown.length > 0 && (
        <p class="quiet note">
          {all.incomplete(unknown.map((key) => all.nutrients[key as keyof typeof all.nutrients]).join(', '))}
        </p>
      )}
    </section>
  );
}

function goalOf(goals: GoalAmounts | undefined, key: Measure): number | undefined {
  return goals && amountOf(goals, key);
}

/** Undefined while it is not known: nothing but unknown amounts is no sum of 0. */
function sumOf(sums: DaySums | undefined, key: Measure): number | undefined {
  const sum = sums && amountOf(sums, key);
  return sum === 0 && isLow(sums, key) ? undefined : sum;
}

/** Whether some foods do not state it, so that the true sum is higher. */
function isLow(sums: DaySums | undefined, key: Measure): boolean {
  return sums?.unknown?.some((each) => each === key) === true;
}

interface AmountProps {
  readonly kind: DiaryNutrient;
  readonly name: string;
  readonly sums: DaySums | undefined;
}

/** A nutrient of the day: `134 / 100 g`, then `34 g over`. */
function Amount({ kind, name, sums }: AmountProps) {
  const { atLeast } = texts.value;
  const eaten = sumOf(sums, kind);
  const goal = goalOf(sums?.goals, kind);
  const unit = DIARY_NUTRIENTS[kind];
  return (
    <div class={goal === undefined ? `macro ${kind} no-goal` : `macro ${kind}`}>
      <dt>{name}</dt>
      <dd>
        {eaten !== undefined && isLow(sums, kind) && <span class="quiet">{atLeast} </span>}
        <span class="number">{eaten === undefined ? '?' : amount(eaten)}</span>{' '}
        <span class="of-goal">{goal === undefined ? unit : `/ ${amount(goal)} ${unit}`}</span>
        {goal !== undefined && eaten !== undefined && (
          <>
            {' '}
            <Rest eaten={eaten} goal={goal} unit={unit} />
          </>
        )}
      </dd>
      {goal !== undefined && <Bar kind={kind} value={eaten ?? 0} goal={goal} />}
    </div>
  );
}

function amount(value: number): string {
  const { whole, precise } = numbers.value;
  return value < MIN_WHOLE ? precise(Math.round(value * 10) / 10) : whole(value);
}

interface RestProps {
  readonly eaten: number;
  readonly goal: number;
  readonly unit: string;
}

/** `66 g left` or `34 g over`, as its numbers are rounded. */
function Rest({ eaten, goal, unit }: RestProps) {
  const { left, over } = texts.value;
  const isOver = eaten > goal;
  return (
    <span class={isOver ? 'rest is-over' : 'rest quiet'}>
      {`${amount(Math.abs(goal - eaten))} ${unit} ${isOver ? over : left}`}
    </span>
  );
}

interface BarProps {
  readonly kind: string;
  readonly value: number;
  readonly goal: number;
}

/** How much of a goal is reached; beyond it a mark stands at the goal and the rest is hatched. The numbers beside it say it in words. */
function Bar({ kind, value, goal }: BarProps) {
  const isOver = value > goal;
  const share = `${(isOver ? goal / value : value / Math.max(goal, Number.MIN_VALUE)) * 100}%`;
  return (
    <svg class={isOver ? `bar ${kind} is-over` : `bar ${kind}`} aria-hidden="true">
      <rect class="rail" width="100%" height="100%" />
      <rect class="fill" width={share} height="100%" />
      {isOver && (
        <>
          <line class="beyond" x1={share} x2="100%" y1="50%" y2="50%" />
          <line class="mark" x1={share} x2={share} y1="0" y2="100%" />
        </>
      )}
    </svg>
  );
}
