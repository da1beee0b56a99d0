import type { Ingredient, RecipePatch } from 'larder-client';
import type { Kind, Value, Write } from './writes.ts';

/** Fields whose meaning depends on each other: a change of one is a change of all. */
const GROUPS: Readonly<Partial<Record<Kind, readonly (readonly string[])[]>>> = {
  entry: [
    [
      ...['foodName', 'quantity', 'unit', 'foodId', 'barcode', 'recipeId'],
      ...['calories', 'protein', 'carbs', 'fat', 'fiber', 'sodium', 'nutrients', 'unknown'],
    ],
  ],
  recipe: [['servings', 'yieldGrams', 'ingredients', 'total', 'perServing']],
  food: [['servingSize', 'macros', 'servings', 'per100', 'unknown']],
};
/** Fields that the service sets with each write. */
const OWN_FIELDS_OF_SERVICE = ['version', 'updatedAt'];

export type Merge = 'done' | 'apply' | 'conflict';

/**
 * Compares a write with what another device made of its object: `done` if the object is already as the write wants it, `apply` if
 * the other device changed other fields, so that the write can be sent for the new version.
 */
export function mergeOf({ kind, op, base, body }: Write, theirs: Value): Merge {
  const mine = (body ?? {}) as Record<string, unknown>;
  const before = (base ?? {}) as Record<string, unknown>;
  const after = theirs as Record<string, unknown>;
  if (op === 'change' && Object.keys(mine).every((key) => isThere(key, mine[key], after))) return 'done';
  const wanted = op === 'remove' ? Object.keys({ ...before, ...after }) : Object.keys(mine);
  const touched = wanted.flatMap((key) => GROUPS[kind]?.find((group) => group.includes(key)) ?? [key]);
  const isUntouched = touched.every(
    (key) => OWN_FIELDS_OF_SERVICE.includes(key) || isEqual(before[key], after[key]),
  );
  return base !== undefined && isUntouched ? 'apply' : 'conflict';
}

/** Whether an object has what a write gives to one of its fields. */
function isThere(field: string, mine: unknown, object: Readonly<Record<string, unknown>>): boolean {
  if (field === 'partial') return true;
  if (field === 'ingredients') return areRead(mine as Ingredients, object[field] as readonly Ingredient[]);
  if (field !== 'macros') return isEqual(mine, object[field]);
  // Unknown amounts of a food are 0 beside their names.
  const unknown = Object.fromEntries(((object['unknown'] as string[]) ?? []).map((key) => [key, null]));
  return isEqual(mine, { ...(object['macros'] as object), ...unknown });
}

type Ingredients = NonNullable<RecipePatch['ingredients']>;

/** Whether the service made these ingredients of lines and ingredients that were sent. A line may name several. */
function areRead(sent: Ingredients, made: readonly Ingredient[]): boolean {
  const left = [...made];
  for (const each of sent) {
    if (typeof each === 'string') {
      if (left[0]?.text !== each) return false;
      while (left[0]?.text === each) left.shift();
    } else {
      const { foodName, ...stated } = each;
      const next = left.shift() as Readonly<Record<string, unknown>> | undefined;
      const fields = Object.entries({ ...stated, name: foodName ?? stated.name ?? next?.['name'] });
      if (!fields.every(([key, value]) => isEqual(value, next?.[key]))) return false;
    }
  }
  return left.length === 0;
}

/** Compares JSON values; null and undefined are both absent. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b || (a ?? null) === (b ?? null)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) =>
    isEqual((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}
