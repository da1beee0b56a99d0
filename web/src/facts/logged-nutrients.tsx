import '../styles/facts.css';
import type { DaySums, Summand } from '../offline/entries/day-sums.ts';
import { FOOD_NUTRIENTS, type FoodNutrient } from '../parts/nutrients.ts';
import { language, numbers, texts } from '../texts/texts.ts';
import { loggedOf, withAllNutrients } from './logged.ts';
import { type FactNutrient, FURTHER_FACTS, furtherName } from './nutrient-names.ts';
import { referenceMeaning, referenceOf, unitOf, useNutrients } from './references.ts';
import { factTexts } from './texts/texts.ts';

export interface LoggedNutrientsProps {
  /** Sums of days, or of a part of one. */
  readonly sums: readonly (DaySums & { readonly date?: string; readonly entries?: number })[];
  /** What they are sums of, where this device has it: the sums then lack what few foods state. */
  readonly items: readonly (Summand & { readonly date?: string })[] | undefined;
  /** Whether they are of whole days, which references are for. */
  readonly isDay: boolean;
  /** What the sums of several days are. */
  readonly note?: string;
}

/** Nutrients that foods state, a day on average, beside the intake that authorities state: for comparison, and no advice. */
export function LoggedNutrients({ sums, items, isDay, note }: LoggedNutrientsProps) {
  const days = sums.map((day) =>
    items === undefined
      ? { entries: 0, ...day }
      : withAllNutrients(day, day.date === undefined ? items : items.filter(({ date }) => date === day.date)),
  );
  const all = factTexts.value;
  const title = isDay ? all.besideReferences : all.furtherNutrients;
  const described = useNutrients();
  const names = texts.value.nutrientNames;
  const rows = [
    ...(Object.keys(FOOD_NUTRIENTS) as FoodNutrient[]).map((key) => [key, names[key]] as const),
    ...FURTHER_FACTS.map((key) => [key, furtherName(key, language.value)] as const),
  ].flatMap(([key, name]) => {
    const logged = loggedOf(days, key as FactNutrient);
    const nutrient = described.find((each) => each.nutrient === key);
    const unit = unitOf(key as FactNutrient, nutrient);
    const reference = isDay ? referenceOf(nutrient) : undefined;
    // The sheet already lists the nutrients of foods: repeat them only with a reference.
    const isShown = reference !== undefined || !(key in FOOD_NUTRIENTS);
    if (logged === undefined || unit === undefined || !isShown) return [];
    const amount = `${numbers.value.precise(Number(logged.amount.toPrecision(3)))} ${unit}`;
    const parts = [
      isDay ? all.logged(amount) : amount,
      ...(reference === undefined ? [] : [all.reference(`${reference} ${unit}`)]),
      ...(logged.foods > 1 ? [all.statedBy(String(logged.statedBy), String(logged.foods))] : []),
    ];
    return [{ key, name, text: parts.join(' · ') }];
  });
  if (rows.length === 0) return null;
  return (
    <section class={note === undefined ? 'food-facts' : 'food-facts trend-card wide'} aria-label={title}>
      <h3>{title}</h3>
      {note !== undefined && <p class="quiet">{note}</p>}
      <dl>
        {rows.map(({ key, name, text }) => (
          <div key={key}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {isDay && <p class="quiet note fact-note">{referenceMeaning()}</p>}
    </section>
  );
}
