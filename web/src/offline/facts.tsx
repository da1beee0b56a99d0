import type {
  DiaryDay,
  DiaryEntry,
  Favourite,
  Food,
  Goals,
  Measurement,
  Recipe,
  SavedMeal,
  UserSettings,
} from 'larder-client';
import { amountText } from '../amounts/amount-text.ts';
import { dateOf } from '../days.ts';
import { energyText, energyUnit } from '../parts/measures.ts';
import { textOf } from '../recipes/lines.ts';
import { numbers, texts } from '../texts/texts.ts';
import type { Kind, Value } from './queue/writes.ts';

interface FactsProps {
  readonly kind: Kind;
  readonly value: Value | undefined;
}

/** An object in a few lines: what a person recognizes and compares. */
export function Facts({ kind, value }: FactsProps) {
  if (value === undefined) return null;
  const [title, ...facts] = factsOf(kind, value).filter((fact) => fact !== undefined && fact !== '');
  return (
    <dl class="facts">
      <dt>{title}</dt>
      {facts.map((fact, at) => (
        <dd key={`${at} ${fact}`}>{fact}</dd>
      ))}
    </dl>
  );
}

function factsOf(kind: Kind, value: Value): readonly (string | undefined)[] {
  switch (kind) {
    case 'entry':
      return factsOfEntry(value as DiaryEntry);
    case 'recipe':
      return factsOfRecipe(value as Recipe);
    case 'food':
      return factsOfFood(value as Food);
    case 'goals':
      return factsOfGoals(value as Goals);
    case 'measurement':
      return factsOfMeasurement(value as Measurement);
    case 'day':
      return factsOfDay(value as DiaryDay);
    case 'favourite':
      return factsOfFavourite(value as Favourite);
    case 'meal':
      return factsOfMeal(value as SavedMeal);
    case 'settings':
      return factsOfSettings(value as UserSettings);
  }
}

function factsOfEntry({ foodName, quantity, unit, calories, unknown, ...entry }: DiaryEntry) {
  const { date, mealType, note } = entry;
  return [
    foodName,
    quantity === undefined ? undefined : amountText(quantity, unit),
    energyOrUnknown(calories, unknown?.includes('calories') === true),
    `${texts.value.meals[mealType]}, ${dateOf(date, { weekday: 'short', day: 'numeric', month: 'short' })}`,
    note,
  ];
}

function factsOfRecipe({ name, servings, yieldGrams, perServing, ingredients }: Recipe) {
  const { recipesPage: all } = texts.value;
  const { precise } = numbers.value;
  const isUnknown = perServing.calories === undefined || perServing.unknown?.includes('calories') === true;
  return [
    name,
    all.servingsCount(servings, precise(servings)),
    yieldGrams === undefined ? undefined : all.cooked(precise(yieldGrams)),
    `${energyOrUnknown(perServing.calories ?? 0, isUnknown)} ${all.perServing}`,
    ...textOf(ingredients).split('\n'),
  ];
}

function factsOfFood({ name, brand, barcode, servingSize, macros, unknown = [] }: Food) {
  const { protein, carbs, fat } = texts.value;
  const { precise } = numbers.value;
  const { value, unit } = servingSize;
  const names = { protein, carbohydrates: carbs, fat } as const;
  return [
    brand === undefined ? name : `${name}, ${brand}`,
    amountText(value, unit),
    energyOrUnknown(macros.energy, unknown.includes('energy')),
    ...(Object.keys(names) as (keyof typeof names)[])
      .filter((key) => !unknown.includes(key))
      .map((key) => `${names[key]} ${precise(macros[key])} g`),
    barcode,
  ];
}

function factsOfGoals({ from, calories, ...goals }: Goals) {
  const { goalsPage, protein, carbs, fat } = texts.value;
  const { precise } = numbers.value;
  const names = { protein, carbs, fat } as const;
  return [
    texts.value.goals,
    from && `${goalsPage.from} ${dateOf(from, { day: 'numeric', month: 'short', year: 'numeric' })}`,
    calories === undefined ? undefined : energyText(calories),
    ...(Object.keys(names) as (keyof typeof names)[])
      .filter((key) => goals[key] !== undefined)
      .map((key) => `${names[key]} ${precise(goals[key]!)} g`),
  ];
}

function factsOfMeasurement({ name, value, unit, measuredAt }: Measurement) {
  const { trendsPage } = texts.value;
  return [
    name === 'weight' ? trendsPage.weight : name,
    `${numbers.value.precise(value)} ${unit}`,
    dateOf(measuredAt.slice(0, 10), { weekday: 'short', day: 'numeric', month: 'short' }),
  ];
}

function factsOfDay({ date, note, complete }: DiaryDay) {
  return [
    dateOf(date, { weekday: 'short', day: 'numeric', month: 'short' }),
    note,
    complete === true ? texts.value.offline.dayComplete : undefined,
  ];
}

function factsOfFavourite({ name, brand, quantity, unit }: Favourite) {
  return [name, brand, quantity === undefined ? undefined : amountText(quantity, unit)];
}

function factsOfMeal({ name, items }: SavedMeal) {
  return [
    name,
    ...items.map(({ foodName, quantity, unit }) =>
      quantity === undefined ? foodName : `${foodName}, ${amountText(quantity, unit)}`,
    ),
  ];
}

/** Settings are compared as they are stored: they differ in a few values. */
function factsOfSettings({ version, userId, createdAt, updatedAt, ...settings }: UserSettings) {
  return [
    texts.value.settings,
    ...Object.entries(settings).map(([key, value]) => `${key}: ${textIn(value)}`),
  ];
}

function textIn(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value).replaceAll(/["{}[\]]/g, ' ') : String(value);
}

function energyOrUnknown(kcal: number, isUnknown: boolean): string {
  return isUnknown ? `? ${energyUnit.value}` : energyText(kcal);
}
