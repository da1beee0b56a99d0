import type { Food } from '@larder/core/food.ts';
import { hasValidCheckDigit } from '@larder/core/gtin.ts';
import { describe, expect, test } from 'vitest';
import { readStarterFoods } from './starter-foods.ts';
import { BRANDED_TABLE, GENERIC_TABLE, readTable, STARTER_COLUMNS } from './starter-table.ts';

const foods = [...readStarterFoods()];
const generic = foods.filter((food) => food.gtin === undefined);
const branded = foods.filter((food) => food.gtin !== undefined);

const MAX_NAME_CHARACTERS = 300;
const MAX_ALIASES = 120;

describe('the starter foods', () => {
  test('are at least 1,000 generic foods and 300 branded products', () => {
    expect(generic.length).toBeGreaterThanOrEqual(1000);
    expect(branded.length).toBeGreaterThanOrEqual(300);
  });

  test('have unique ids, and names that no other food of the brand has', () => {
    expect(duplicates(foods.map((food) => food.id))).toEqual([]);
    expect(duplicates(foods.map((food) => `${food.brand ?? ''}: ${food.name}`.toLowerCase()))).toEqual([]);
  });

  test('have names and aliases as people write them', () => {
    for (const { name, brand, aliases } of foods) {
      expect(name.length).toBeLessThanOrEqual(MAX_NAME_CHARACTERS);
      expect(aliases.length).toBeLessThanOrEqual(MAX_ALIASES);
      for (const text of [name, brand ?? name, ...aliases]) {
        expect(text).toMatch(/^[\p{L}\d]/u);
        expect(text).not.toMatch(/\s$|\s\s|[<>&]\w+;|^[^a-z]{5,}$/);
      }
      expect(duplicates([name, ...aliases].map((text) => text.toLowerCase()))).toEqual([]);
    }
  });

  test('branded products have a brand and their own GTIN with a valid check digit', () => {
    expect(branded.filter((food) => food.brand === undefined)).toEqual([]);
    expect(branded.filter((food) => !hasValidCheckDigit(food.gtin!))).toEqual([]);
    expect(duplicates(branded.map((food) => food.gtin!))).toEqual([]);
  });

  test('state at most the contents of 100 g or ml', () => {
    for (const { name, per100 } of foods) {
      const { protein, fat, carbohydrates } = per100;
      expect(per100.energy, name).toBeLessThanOrEqual(905);
      // Labels round each figure of a small serving, so that a sum may exceed 100 by a little.
      expect(protein + fat + carbohydrates, name).toBeLessThanOrEqual(105);
      expect(per100.saturatedFat ?? 0, name).toBeLessThanOrEqual(fat + 1);
    }
  });

  test('state an energy that fits protein, fat and carbohydrates', () => {
    expect(
      foods.filter((food) => !EXEMPT.has(categoryOf(food)) && !isPlausible(food)).map(described),
    ).toEqual([]);
  });

  test('are sorted by category and key, so that changes are easy to read', () => {
    for (const table of [GENERIC_TABLE, BRANDED_TABLE]) {
      const order = readTable(table, STARTER_COLUMNS).map(
        ({ values }) => `${values.category}\t${values.key}`,
      );
      expect(order).toEqual([...order].sort());
    }
  });
});

/** Exceptions: energy from alcohol, spices measured with factors of their own, and sugar alcohols. */
const EXEMPT: ReadonlySet<string> = new Set(['alcohol', 'herbs-spices']);
const ROUNDING_KCAL = 25;
const TOLERANCE = 0.2;

/** Fibre may count for anything between zero and a carbohydrate. */
function isPlausible({ per100 }: Food): boolean {
  const { energy, protein, fat, carbohydrates, fiber = 0, sugars = 0 } = per100;
  const most = 4 * protein + 9 * fat + 4 * carbohydrates;
  const least = most - 4 * Math.min(fiber, carbohydrates - Math.min(sugars, carbohydrates));
  return (
    energy <= most * (1 + TOLERANCE) + ROUNDING_KCAL && energy >= least * (1 - TOLERANCE) - ROUNDING_KCAL
  );
}

const categories = new Map(
  [GENERIC_TABLE, BRANDED_TABLE]
    .flatMap((table) => readTable(table, STARTER_COLUMNS))
    .map(({ values }) => [`starter:${values.key}`, values.category]),
);

function categoryOf(food: Food): string {
  return categories.get(food.id)!;
}

function described({ id, per100 }: Food): string {
  return `${id} ${per100.energy} kcal, ${per100.protein} p, ${per100.fat} f, ${per100.carbohydrates} c`;
}

function duplicates(texts: readonly string[]): string[] {
  return texts.filter((text, index) => texts.indexOf(text) !== index);
}
