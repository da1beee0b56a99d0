import type { GoalAmounts } from 'larder-client';
import '../styles/nutrients.css';
import { listOf } from '../days.ts';
import { loadLogged } from '../facts/parts.ts';
import { sumsOf } from '../offline/entries/day-sums.ts';
import { Later } from '../parts/later.tsx';
import { KCAL_PER_G } from '../parts/macro-energy.ts';
import { energyOf, energyUnit } from '../parts/measures.ts';
import { DIARY_NUTRIENTS, type Measure } from '../parts/nutrients.ts';
import { Sheet } from '../parts/sheet.tsx';
import { locale, numbers, texts } from '../texts/texts.ts';
import { type Eaten, energyShareOf, type NutrientRow, PARTS, rowsOf } from './rows.ts';

export interface NutrientSheetProps {
  readonly title: string;
  /** Read whenever the sheet is drawn, so that it follows what is written meanwhile. */
  readonly eaten: () => readonly Eaten[];
  /** Those of the day. */
  readonly goals: () => GoalAmounts | undefined;
  /** Whether it is a whole day, as goals are; for anything else its share of the goals is shown. */
  readonly isDay?: boolean;
  readonly onClose: () => void;
}

/** All nutrients of a day, a meal, an entry or a food: how much, of which goal, and which foods have most of it. */
export function NutrientSheet({ title, eaten, goals, isDay = false, onClose }: NutrientSheetProps) {
  const { nutrientSheet: all } = texts.value;
  const items = eaten();
  const { known, unknown } = rowsOf(items, goals());
  return (
    <Sheet title={title} onClose={onClose}>
      {items.length === 0 && <p class="quiet">{all.nothing}</p>}
      <ul class="nutrients">
        {known.map((row) => (
          <li key={row.key} class={PARTS.has(row.key) ? 'part-of' : undefined}>
            <Row row={row} share={energyShareOf(row, known)} isDay={isDay} hasTop={items.length > 1} />
          </li>
        ))}
      </ul>
      {items.length > 0 && unknown.length > 0 && (
        <p class="quiet note">{all.unknown(listOf(unknown.map(nameOf)))}</p>
      )}
      {known.some(({ isAtLeast }) => isAtLeast) && <p class="quiet note">{all.atLeastMeans}</p>}
      {items.length > 0 && <Later load={loadLogged} props={{ sums: [sumsOf(items)], items, isDay }} />}
    </Sheet>
  );
}

interface RowProps {
  readonly row: NutrientRow;
  /** In the energy. */
  readonly share: number | undefined;
  readonly isDay: boolean;
  /** Whether the foods with most of a nutrient are shown. */
  readonly hasTop: boolean;
}

function Row({ row, share, isDay, hasTop }: RowProps) {
  const { nutrientSheet: all } = texts.value;
  const { key, top } = row;
  const line = <Line row={row} share={share} isDay={isDay} />;
  if (!hasTop || top.length === 0) return <div class="nutrient">{line}</div>;
  return (
    <details class="nutrient-row">
      <summary class="nutrient">{line}</summary>
      <ol aria-label={all.mostFrom(nameOf(key))}>
        {top.map((each) => (
          <li key={each.name}>
            <span>{each.name}</span>
            <span class="amount">
              <bdi>{amountText(key, each.amount)}</bdi> <span class="quiet">{percent(each.share)}</span>
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}

function Line({ row, share, isDay }: Omit<RowProps, 'hasTop'>) {
  const { atLeast, nutrientSheet: all } = texts.value;
  const { key, amount, isAtLeast, goal } = row;
  const ofGoal = goal === undefined || goal === 0 ? undefined : amount / goal;
  return (
    <>
      <span class="nutrient-name">
        {nameOf(key)}
        {share !== undefined && <span class="quiet note">{all.ofEnergy(percent(share))}</span>}
      </span>
      <span class="amount">
        {isAtLeast && <span class="quiet">{atLeast} </span>}
        <bdi>{amountText(key, amount)}</bdi>
        {ofGoal !== undefined && (
          <span class="quiet">
            {isDay ? ` / ${amountText(key, goal!)}` : ` · ${all.ofGoal(percent(ofGoal))}`}
          </span>
        )}
      </span>
      {ofGoal !== undefined && (
        <svg class={`bar ${key in KCAL_PER_G ? key : ''}`} aria-hidden="true">
          <rect class="rail" width="100%" height="100%" />
          <rect class="fill" width={`${Math.min(1, ofGoal) * 100}%`} height="100%" />
        </svg>
      )}
    </>
  );
}

/** `12.3 g`; from 10 on whole. */
function amountText(key: Measure, amount: number): string {
  const { whole, precise } = numbers.value;
  if (key === 'calories') return `${whole(energyOf(amount))} ${energyUnit.value}`;
  const number = amount < 10 ? precise(Math.round(amount * 10) / 10) : whole(amount);
  return `${number} ${DIARY_NUTRIENTS[key]}`;
}

function percent(share: number): string {
  return new Intl.NumberFormat(locale.value, { style: 'percent' }).format(share);
}

function nameOf(key: Measure): string {
  const { energy, nutrientNames } = texts.value;
  if (key === 'calories') return energy;
  return nutrientNames[key === 'carbs' ? 'carbohydrates' : key];
}
