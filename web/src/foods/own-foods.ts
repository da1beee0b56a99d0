import { signal } from '@preact/signals';
import type { Food, FoodInput, Serving } from 'larder-client';
import { person } from '../account/session.ts';
import { larder } from '../larder.ts';
import { newId } from '../offline/ids.ts';
import { allOwn } from '../offline/own-lists.ts';
import { foodAgain, foodInputOf, idOfFood } from '../offline/queue/addition-again.ts';
import { isEqual } from '../offline/queue/merge.ts';
import { refusedWrite, removeOne, writeOne } from '../offline/queue/write-one.ts';
import { baseOf, type Shown } from '../offline/queue/writes.ts';
import { problemOf } from '../parts/problem.ts';

/** Own foods and those of the household, latest first; undefined until they are read. */
export const ownFoods = signal<readonly Shown<Food>[] | undefined>(undefined);
export const problem = signal('');

/** Reads from before a later one are dropped. */
let latest = 0;

/** Reads own foods from this device, where it has them. */
export async function loadFoods(): Promise<void> {
  const read = ++latest;
  try {
    const all = await allOwn('food', larder.foods.list({ userId: person.peek()!.id, limit: 100 }));
    if (read !== latest) return;
    ownFoods.value = all.toReversed();
    problem.value = '';
  } catch (error) {
    if (read === latest) problem.value = problemOf(error);
  }
}

/** Writes a food, or changes one: fields that were emptied are removed. */
export async function writeFood(input: FoodInput, shown?: Shown<Food>): Promise<Shown<Food>> {
  const refused = shown && refusedWrite('food', shown.id);
  if (shown === undefined || refused?.op === 'add') {
    const id = shown?.id ?? idOfFood(newId());
    const key = id.slice(id.indexOf(':') + 1);
    const write = { kind: 'food', id, op: 'add', body: { ...input, id: key } } as const;
    return await writeOne('food', { ...write, preview: previewOf(input, { id, version: 0 }) });
  }
  const before = (refused?.base as Food | undefined) ?? shown;
  const known = foodInputOf(before);
  const macros = {
    ...Object.fromEntries(Object.keys(known.macros).map((key) => [key, null])),
    ...input.macros,
  };
  const wanted = { ...input, brand: input.brand ?? null, barcode: input.barcode ?? null, macros };
  const changes = Object.entries(wanted).filter(([key, value]) => !isEqual(value, known[key as 'name']));
  if (changes.length === 0) return shown;
  return await writeOne('food', {
    ...{ kind: 'food', id: before.id, op: 'change', body: Object.fromEntries(changes) },
    ...{ base: baseOf(before), preview: previewOf(input, before) },
  });
}

/** Deletes a food; "Undo" enters it again. */
export async function removeFood(food: Shown<Food>): Promise<void> {
  const { id, name } = food;
  await removeOne({ kind: 'food', id, op: 'remove', base: baseOf(food) }, name, () => foodAgain(food));
}

const REQUIRED = ['energy', 'protein', 'fat', 'carbohydrates'] as const;

/** A food as far as this device can tell what the service will make of an input. */
function previewOf(input: FoodInput, before: Pick<Food, 'id'> & Partial<Food>): Food {
  const { servingSize, macros } = input;
  const { value, unit, label, grams = unit === 'g' ? value : undefined } = servingSize;
  const measure = unit === 'ml' ? value : grams;
  const unknown = REQUIRED.filter((key) => macros[key] === undefined);
  const all = { ...Object.fromEntries(unknown.map((key) => [key, 0])), ...macros } as Food['macros'];
  const serving: Serving = {
    ...{ value, unit },
    ...(label !== undefined && { label }),
    ...(unit === 'ml' ? { milliliters: value } : grams !== undefined && { grams }),
  };
  const now = new Date().toISOString();
  return {
    ...input,
    ...{ id: before.id, version: before.version ?? 0, macros: all, servings: [serving] },
    nutrients: Object.fromEntries(Object.entries(macros).filter(([, of]) => of !== undefined)),
    ...(unknown.length > 0 && { unknown }),
    ...(measure !== undefined && { per100: per100Of(all, measure) }),
    ...{ source: 'manual_entry', createdAt: before.createdAt ?? now, updatedAt: now },
  };
}

function per100Of(macros: Food['macros'], measure: number): Food['macros'] {
  const scaled = Object.entries(macros).map(([key, value]) => [key, (value * 100) / measure]);
  return Object.fromEntries(scaled) as Food['macros'];
}
