import type { DiaryEntry, DiaryEntryPatch, MealType } from 'larder-client';
import { numberOf, typedAmount, typedNumber } from '../amounts/typed-number.ts';
import { energyOf, kcalOf } from '../parts/measures.ts';
import { furtherOf } from '../parts/nutrients.ts';
import { momentOf } from './eaten-at.ts';

const MACROS = ['protein', 'carbs', 'fat'] as const;
const FURTHER = ['fiber', 'sodium'] as const;

/** What a form of an entry has, as it was typed. */
export interface EntryFields extends ValueFields {
  /** Quantity in `unit`; empty if the entry has none. */
  readonly amount: string;
  readonly unit: string;
  readonly meal: MealType;
  /** HH:MM, or empty. */
  readonly time: string;
  readonly note: string;
}

/** The name and the values of an entry without a food. Empty amounts are unknown. */
export interface ValueFields {
  readonly name: string;
  /** In the unit that is shown. */
  readonly energy: string;
  readonly protein: string;
  readonly carbs: string;
  readonly fat: string;
}

/** Whether an entry has values of its own, not those of a food or recipe. */
export function hasOwnValues({ foodId, recipeId, quantity }: DiaryEntry): boolean {
  return quantity === undefined || (foodId === undefined && recipeId === undefined);
}

export function fieldsOf(entry: DiaryEntry): EntryFields {
  const { quantity, unit, mealType, eatenAt, note } = entry;
  const amount = quantity === undefined ? '' : typedAmount(quantity, unit ?? '');
  return {
    ...valuesAt(entry, amount),
    amount,
    unit: unit ?? '',
    meal: mealType,
    time: eatenAt?.slice(11, 16) ?? '',
    note: note ?? '',
  };
}

/** The fields with another amount, to which values that nobody typed are scaled. */
export function withAmount(entry: DiaryEntry, fields: EntryFields, amount: string): EntryFields {
  const [before, after] = [valuesAt(entry, fields.amount), valuesAt(entry, amount)];
  const scaled = Object.fromEntries(
    (Object.keys(before) as (keyof ValueFields)[]).map((key) => [
      key,
      fields[key] === before[key] ? after[key] : fields[key],
    ]),
  );
  return { ...fields, ...scaled, amount };
}

/** kcal of the amount in a form, if they follow from the entry; undefined for another unit. */
export function energyAt(entry: DiaryEntry, { amount, unit }: EntryFields): number | undefined {
  return unit === (entry.unit ?? '') ? amountsAt(entry, amount).calories : undefined;
}

/** Only what was changed. */
export function patchOf(entry: DiaryEntry, before: EntryFields, after: EntryFields): DiaryEntryPatch {
  const { amount, unit, meal, time, note } = after;
  const isOtherAmount = amount !== before.amount || unit !== before.unit;
  return {
    ...(isOtherAmount && { quantity: numberOf(amount), ...(unit !== '' && { unit }) }),
    ...(hasOwnValues(entry) && valuesPatch(entry, isOtherAmount, after)),
    ...(meal !== before.meal && { mealType: meal }),
    ...(time !== before.time && { eatenAt: time === '' ? null : momentOf(entry.date, time) }),
    ...(note.trim() !== before.note && { note: note.trim() === '' ? null : note.trim() }),
  };
}

/** The values that were typed. The service scales values with the amount only where none is given: then all are. */
function valuesPatch(entry: DiaryEntry, isOtherAmount: boolean, fields: EntryFields): DiaryEntryPatch {
  const shown = valuesAt(entry, fields.amount);
  const isTyped = (key: keyof ValueFields) => fields[key] !== shown[key];
  const typed = {
    ...(isTyped('energy') && { calories: kcalOf(numberOf(fields.energy)) }),
    ...Object.fromEntries(
      MACROS.filter(isTyped).map((key) => [key, fields[key].trim() === '' ? null : numberOf(fields[key])]),
    ),
  };
  const name = isTyped('name') && fields.name.trim() !== '' ? { foodName: fields.name.trim() } : {};
  const isScaled = isOtherAmount && Object.keys(typed).length > 0;
  return { ...name, ...(isScaled && amountsAt(entry, fields.amount)), ...typed };
}

function valuesAt(entry: DiaryEntry, amount: string): ValueFields {
  const { calories, protein, carbs, fat } = amountsAt(entry, amount);
  return {
    name: entry.foodName,
    energy: typedNumber(calories && Math.round(energyOf(calories) * 10) / 10),
    protein: typedNumber(protein),
    carbs: typedNumber(carbs),
    fat: typedNumber(fat),
  };
}

/** What the entry states, for another amount of it. */
function amountsAt(entry: DiaryEntry, amount: string) {
  const typed = numberOf(amount);
  const isSame = amount === typedAmount(entry.quantity, entry.unit ?? '');
  const factor = entry.quantity === undefined || isSame || !(typed > 0) ? 1 : typed / entry.quantity;
  const unknown: readonly string[] = entry.unknown ?? [];
  const stated = (['calories', ...MACROS, ...FURTHER] as const).filter(
    (key) => entry[key] !== undefined && !unknown.includes(key),
  );
  const scaled = (value: number) => Math.round(value * factor * 1_000) / 1_000;
  const further = Object.entries(furtherOf(entry.nutrients));
  return {
    ...(Object.fromEntries(stated.map((key) => [key, scaled(entry[key]!)])) as Partial<
      Record<(typeof stated)[number], number>
    >),
    ...(further.length > 0 && {
      nutrients: Object.fromEntries(further.map(([key, value]) => [key, scaled(value)])),
    }),
  };
}
