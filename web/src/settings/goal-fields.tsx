import type { GoalAmounts } from 'larder-client';
import { energyOf, energyUnit, kcalOf } from '../parts/measures.ts';
import { NumberField } from '../parts/number-field.tsx';
import { DIARY_NUTRIENTS, type DiaryNutrient } from '../parts/nutrients.ts';
import { openForInvalid } from '../parts/open-for-invalid.ts';
import { texts } from '../texts/texts.ts';

const MAIN = ['protein', 'carbs', 'fat'] as const;
const MAIN_IN_API: readonly string[] = [...MAIN, 'fiber', 'sodium'];
const FURTHER = (Object.keys(DIARY_NUTRIENTS) as DiaryNutrient[]).filter(
  (key) => !(MAIN as readonly string[]).includes(key),
);
const MAX_CALORIES = 20_000;
/** Of nutrients without a field of their own in the API. */
const MAX_OTHER = 100_000;
/** Goals as they are typed, energy in the unit that is shown. */
export type Fields = Partial<Record<'calories' | DiaryNutrient, string>>;

interface GoalFieldsProps {
  readonly fields: Fields;
  /** What holds where a field is empty. */
  readonly otherwise?: Fields;
  readonly onChange: (fields: Fields) => void;
}

/** A field for each goal; an empty one is no goal, or that of `otherwise`. */
export function GoalFields({ fields, otherwise = {}, onChange }: GoalFieldsProps) {
  const { goalsPage: all, energy } = texts.value;
  const field = (key: 'calories' | DiaryNutrient, label: string, unit: string) => (
    <NumberField
      key={key}
      label={label}
      unit={unit}
      max={maxOf(key)}
      placeholder={otherwise[key]}
      value={fields[key] ?? ''}
      onInput={(text) => onChange({ ...fields, [key]: text })}
    />
  );
  const nutrient = (key: DiaryNutrient) => field(key, nameOf(key), DIARY_NUTRIENTS[key]);
  return (
    <>
      <div class="fields">
        {field('calories', energy, energyUnit.value)}
        {MAIN.map(nutrient)}
      </div>
      <details onInvalidCapture={openForInvalid}>
        <summary>{all.further}</summary>
        <div class="fields">{FURTHER.map(nutrient)}</div>
      </details>
    </>
  );
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
    ...Object.fromEntries(stated.map((key) => [key, String(amounts[key])])),
  };
}

function typedEnergy(kcal: number): string {
  return String(energyUnit.value === 'kJ' ? Math.round(energyOf(kcal)) : kcal);
}

export function goalsOf({ calories = '', ...fields }: Fields): GoalAmounts {
  const stated = Object.entries(fields).filter(([, text]) => text !== '');
  const isMain = ([key]: [string, string]) => MAIN_IN_API.includes(key);
  const amounts = (entries: [string, string][]) =>
    Object.fromEntries(entries.map(([key, text]) => [key, Number(text)]));
  const others = stated.filter((entry) => !isMain(entry));
  return {
    ...(calories !== '' && { calories: kcalOf(Number(calories)) }),
    ...amounts(stated.filter(isMain)),
    ...(others.length > 0 && { nutrients: amounts(others) }),
  };
}
