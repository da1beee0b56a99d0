import type { GoalAmounts } from 'larder-client';
import { numberOf, typedNumber } from '../amounts/typed-number.ts';
import { MACRO_KEYS, type Macro } from '../parts/macro-energy.ts';
import { energyOf, energyUnit, kcalOf } from '../parts/measures.ts';
import { NumberField } from '../parts/number-field.tsx';
import { DIARY_NUTRIENTS, type DiaryNutrient } from '../parts/nutrients.ts';
import { openForInvalid } from '../parts/open-for-invalid.ts';
import { numbers, texts } from '../texts/texts.ts';
import { gramTexts, type Percents, percentTexts } from './goal-percents.ts';

const MAIN_IN_API: readonly string[] = [...MACRO_KEYS, 'fiber', 'sodium'];
const FURTHER = (Object.keys(DIARY_NUTRIENTS) as DiaryNutrient[]).filter(
  (key) => !(MACRO_KEYS as readonly string[]).includes(key),
);
const MAX_CALORIES = 20_000;
/** Of nutrients without a field of their own in the API. */
const MAX_OTHER = 100_000;
/** Goals as they are typed, energy in the unit that is shown. */
export interface Fields extends Partial<Record<'calories' | DiaryNutrient, string>> {
  /** Macros as shares of the energy, of which their grams are computed; absent where grams are typed. */
  readonly percents?: Percents | undefined;
}

interface GoalFieldsProps {
  readonly fields: Fields;
  /** What holds where a field is empty. */
  readonly otherwise?: Fields;
  readonly onChange: (fields: Fields) => void;
}

/** A field for each goal; an empty one is no goal, or that of `otherwise`. */
export function GoalFields({ fields, otherwise = {}, onChange }: GoalFieldsProps) {
  const { goalsPage: all, energy } = texts.value;
  const { percents } = fields;
  const kcal = energyIn(fields, otherwise);
  const field = (key: 'calories' | DiaryNutrient, label: string, unit: string) => (
    <NumberField
      key={key}
      label={label}
      unit={unit}
      max={maxOf(key)}
      placeholder={otherwise[key]}
      value={fields[key] ?? ''}
      onInput={(text) => onChange(withGrams({ ...fields, [key]: text }, otherwise))}
    />
  );
  const nutrient = (key: DiaryNutrient) => field(key, nameOf(key), DIARY_NUTRIENTS[key]);
  const share = (key: Macro) => (
    <NumberField
      key={key}
      label={nameOf(key)}
      unit="%"
      max={100}
      value={percents?.[key] ?? ''}
      onInput={(text) =>
        onChange(withGrams({ ...fields, percents: { ...percents, [key]: text } }, otherwise))
      }
    />
  );
  return (
    <>
      <div class="fields">
        {field('calories', energy, energyUnit.value)}
        {percents === undefined ? MACRO_KEYS.map(nutrient) : MACRO_KEYS.map(share)}
      </div>
      <fieldset class="segments" aria-label={all.macrosIn}>
        {[false, true].map((isPercent) => (
          <button
            key={String(isPercent)}
            type="button"
            aria-pressed={isPercent === (percents !== undefined)}
            onClick={() =>
              onChange({ ...fields, percents: isPercent ? percentTexts(fields, kcal ?? 0) : undefined })
            }
          >
            {isPercent ? all.inPercent : all.inGrams}
          </button>
        ))}
      </fieldset>
      <OtherWay fields={fields} kcal={kcal} />
      <details onInvalidCapture={openForInvalid}>
        <summary>{all.further}</summary>
        <div class="fields">{FURTHER.map(nutrient)}</div>
      </details>
    </>
  );
}

/** The macros in grams where shares are typed, and as shares where grams are. */
function OtherWay({ fields, kcal }: { readonly fields: Fields; readonly kcal: number | undefined }) {
  const { goalsPage: all } = texts.value;
  const { whole, precise } = numbers.value;
  const isPercent = fields.percents !== undefined;
  if (kcal === undefined) return isPercent ? <p class="problem">{all.percentNeedsEnergy}</p> : null;
  const shares = fields.percents ?? percentTexts(fields, kcal);
  const shown = MACRO_KEYS.flatMap((key) => {
    const text = isPercent ? fields[key] : shares[key];
    return text === undefined || text === '' ? [] : [{ key, value: numberOf(text) }];
  });
  if (shown.length === 0) return null;
  const sum = MACRO_KEYS.reduce((total, key) => total + (numberOf(shares[key] ?? '') || 0), 0);
  return (
    <p class="quiet note" role="status">
      {shown
        .map(({ key, value }) => `${nameOf(key)} ${isPercent ? `${precise(value)} g` : `${whole(value)} %`}`)
        .join(' · ')}
      {shown.length === MACRO_KEYS.length && ` · ${all.together(whole(sum))}`}
    </p>
  );
}

/** kcal of the energy goal; undefined while there is none. */
function energyIn(fields: Fields, otherwise: Fields): number | undefined {
  const kcal = kcalOf(numberOf(fields.calories || otherwise.calories || '0'));
  return kcal > 0 ? kcal : undefined;
}

/** The fields with the grams that their shares are. */
function withGrams(fields: Fields, otherwise: Fields): Fields {
  if (fields.percents === undefined) return fields;
  return { ...fields, ...gramTexts(fields.percents, energyIn(fields, otherwise) ?? 0) };
}

/** The same goals with macros as shares of the energy: those that were typed, as far as the grams are still theirs. */
export function inPercent(
  fields: Fields,
  otherwise: Fields = {},
  typed: Readonly<Partial<Record<Macro, number>>> = {},
): Fields {
  const kcal = energyIn(fields, otherwise) ?? 0;
  const kept = Object.fromEntries(Object.entries(typed).map(([key, share]) => [key, typedNumber(share)]));
  const grams = gramTexts(kept, kcal);
  const computed = percentTexts(fields, kcal);
  const percents = MACRO_KEYS.map((key) => [key, grams[key] === fields[key] ? kept[key] : computed[key]]);
  return { ...fields, percents: Object.fromEntries(percents) };
}

/** In the unit that is shown; undefined is the largest that fields take. */
function maxOf(key: 'calories' | DiaryNutrient): number | undefined {
  if (key === 'calories') return Math.floor(energyOf(MAX_CALORIES));
  return MAIN_IN_API.includes(key) ? undefined : MAX_OTHER;
}

export function nameOf(key: DiaryNutrient): string {
  const { carbs, nutrientNames } = texts.value;
  return key === 'carbs' ? carbs : nutrientNames[key];
}

/** The goals of nutrients by their names, those with a field of their own among them. */
export function nutrientsOf({
  calories,
  nutrients,
  ...main
}: GoalAmounts): Partial<Record<DiaryNutrient, number>> {
  return { ...main, ...nutrients } as Partial<Record<DiaryNutrient, number>>;
}

export function fieldsOf(goals: GoalAmounts): Fields {
  const { calories } = goals;
  const amounts = nutrientsOf(goals);
  const stated = (Object.keys(DIARY_NUTRIENTS) as DiaryNutrient[]).filter(
    (key) => amounts[key] !== undefined,
  );
  return {
    ...(calories !== undefined && { calories: typedEnergy(calories) }),
    ...Object.fromEntries(stated.map((key) => [key, typedNumber(amounts[key])])),
  };
}

function typedEnergy(kcal: number): string {
  return typedNumber(energyUnit.value === 'kJ' ? Math.round(energyOf(kcal)) : kcal);
}

export function goalsOf({ calories = '', percents: _, ...fields }: Fields): GoalAmounts {
  const stated = Object.entries(fields).filter(([, text]) => text.trim() !== '');
  const isMain = ([key]: [string, string]) => MAIN_IN_API.includes(key);
  const amounts = (entries: [string, string][]) =>
    Object.fromEntries(entries.map(([key, text]) => [key, numberOf(text)]));
  const others = stated.filter((entry) => !isMain(entry));
  return {
    ...(calories.trim() !== '' && { calories: kcalOf(numberOf(calories)) }),
    ...amounts(stated.filter(isMain)),
    ...(others.length > 0 && { nutrients: amounts(others) }),
  };
}
