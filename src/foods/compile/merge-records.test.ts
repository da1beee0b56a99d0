import { type Food, ORIGINS, type Origin } from '@larder/core/food.ts';
import { languageBit } from '@larder/core/name-languages.ts';
import { NUTRIENT_KEYS, type Nutrients } from '@larder/core/nutrients.ts';
import { toPer100 } from '@larder/core/rounding.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { sampleFood, sampleProduct } from '../../../test/support/sample-foods.ts';
import type { StoredRecord } from '../catalogue/food-record.ts';
import { mergeRecords } from './merge-records.ts';

const BARCODE = '3017620422003';
const FOUR: Nutrients = { energy: 100, protein: 5, fat: 4, carbohydrates: 11 };

test('of one origin the last updated food wins, even with fewer nutrients', () => {
  const old = food('fdc', '1', { updatedAt: 10, per100: { ...FOUR, energy: 300, fiber: 2, iron: 1 } });
  const recent = food('fdc', '2', { updatedAt: 20, per100: FOUR });
  expect(merged(old, recent)).toMatchObject({ id: 'fdc:2', per100: FOUR });
  expect(merged(recent, old)).toMatchObject({ id: 'fdc:2', per100: FOUR });
});

test('of different origins the food with more nutrients wins, then the last updated one', () => {
  const poor = food('fdc', '1', { updatedAt: 20, per100: FOUR });
  const rich = food('off', '2', { updatedAt: 10, per100: { ...FOUR, fiber: 2 } });
  expect(merged(poor, rich).id).toBe('off:2');
  expect(merged(poor, food('off', '3', { updatedAt: 30, per100: FOUR })).id).toBe('off:3');
});

test('nutrients added to a food with a serving are stated for that serving', () => {
  const label = { energy: 25, protein: 1, fat: 1, carbohydrates: 3 };
  const stated = { amount: 30, nutrients: label };
  const winner = food('off', '1', {
    updatedAt: 20,
    servings: [{ value: 30, unit: 'g', basisAmount: 30 }],
    stated,
    per100: toPer100(stated),
  });
  const other = food('off', '2', { updatedAt: 10, per100: { ...FOUR, energy: 83, calcium: 120 } });
  const { per100, stated: kept } = merged(winner, other);
  expect(kept).toEqual({ amount: 30, nutrients: { ...label, calcium: 36 } });
  expect(per100).toEqual(toPer100(kept!));
});

test('added names keep their languages', () => {
  const [en, de, fr] = ['en', 'de', 'fr'].map(languageBit) as [number, number, number];
  const winner = food('off', '1', {
    name: 'Oat drink',
    aliases: ['Haferdrink'],
    per100: { ...FOUR, fiber: 1 },
  });
  const other = food('fdc', '2', {
    name: 'oat drink',
    aliases: ["boisson à l'avoine"],
    nameLanguages: [en, fr],
    per100: FOUR,
  });
  const both = merged({ ...winner, nameLanguages: [en, de] }, other);
  expect(both.aliases).toEqual(['Haferdrink', "boisson à l'avoine"]);
  expect(both.nameLanguages).toEqual([en, de, fr]);
});

test('the winner gets a missing brand, household serving, nutrients and names from the others', () => {
  const cup = { value: 1, unit: 'cup', basisAmount: 240, label: '1 cup (240 g)' };
  const winner = food('off', '1', { name: 'Oat drink', per100: { ...FOUR, sugars: 3, sodium: 40 } });
  const other = food('fdc', '2', {
    name: 'OATLY ORIGINAL',
    brand: 'Oatly',
    per100: { ...FOUR, energy: 103, calcium: 120 },
    servings: [cup],
    popularity: 90,
  });
  expect(merged(winner, other)).toEqual({
    ...winner,
    brand: 'Oatly',
    aliases: ['OATLY ORIGINAL'],
    per100: { ...FOUR, sugars: 3, sodium: 40, calcium: 120 },
    servings: [cup],
    popularity: 90,
  });
});

test('nutrients are not added between recipes of different energy, nor between grams and millilitres', () => {
  const winner = food('off', '1', { per100: { ...FOUR, sugars: 3 } });
  expect(merged(winner, food('fdc', '2', { per100: { ...FOUR, energy: 120, iron: 1 } })).per100.iron).toBe(
    undefined,
  );
  expect(merged(winner, food('fdc', '2', { basis: 'ml', per100: { ...FOUR, iron: 1 } })).per100.iron).toBe(
    undefined,
  );
});

test('a part that exceeds the winner’s whole is not added', () => {
  const own = { ...FOUR, fiber: 1, iron: 2, calcium: 30 };
  const winner = food('off', '1', { per100: own });
  const other = food('fdc', '2', { per100: { ...FOUR, saturatedFat: 4.5, transFat: 0.1 } });
  expect(merged(winner, other).per100).toEqual({ ...own, transFat: 0.1 });
});

test('a food wins over known products, which add their brand and id', () => {
  const known = { known: { ...sampleProduct('off', '9', BARCODE), brand: 'Acme' }, otherIds: [] };
  const only = food('fdc', '1', {});
  expect(mergeRecords([known, { food: only, otherIds: [] }])).toEqual({
    food: { ...only, brand: 'Acme', aliases: ['Product 9'] },
    otherIds: ['off:9'],
  });
});

const arbitraryRecord: fc.Arbitrary<StoredRecord> = fc
  .record({
    origin: fc.constantFrom(...ORIGINS.slice(0, 3)),
    key: fc.nat({ max: 999 }).map(String),
    updatedAt: fc.nat({ max: 1_000_000 }),
    energy: fc.constantFrom(100, 102, 180),
    extra: fc.subarray(NUTRIENT_KEYS.slice(4)),
    popularity: fc.nat({ max: 255 }),
    served: fc.boolean(),
  })
  .map(({ origin, key, updatedAt, energy, extra, popularity, served }) => {
    if (!served) return { known: sampleProduct(origin, key, BARCODE), otherIds: [] };
    const per100 = { ...FOUR, energy, ...Object.fromEntries(extra.map((nutrient) => [nutrient, 1])) };
    return { food: food(origin, key, { updatedAt, popularity, per100 }), otherIds: [] };
  });
/** Only the newest import of one id reaches merging; for equal times the order decides. */
const arbitraryGroup = fc.uniqueArray(arbitraryRecord, {
  comparator: (a, b) => idOf(a) === idOf(b) || timeOf(a) === timeOf(b),
  minLength: 1,
  maxLength: 6,
});

test('the order of the records does not matter, and no value is lost or invented', () => {
  fc.assert(
    fc.property(
      arbitraryGroup.chain((group) =>
        fc.tuple(fc.constant(group), fc.shuffledSubarray(group, { minLength: group.length })),
      ),
      ([group, shuffled]) => {
        const result = mergeRecords(group);
        expect(mergeRecords(shuffled)).toEqual(result);
        const ids = new Set(group.map(idOf));
        expect(new Set([idOf(result), ...result.otherIds])).toEqual(ids);
        const foods = group.flatMap((record) => ('food' in record ? [record.food] : []));
        expect('food' in result).toBe(foods.length > 0);
        if (!('food' in result)) return;
        expect(result.food.popularity).toBe(Math.max(...foods.map(({ popularity }) => popularity)));
        const winner = foods.find(({ id }) => id === result.food.id)!;
        expect(result.food.per100).toMatchObject(winner.per100);
        for (const nutrient of NUTRIENT_KEYS) {
          const amount = result.food.per100[nutrient];
          if (amount !== undefined) expect(foods.map(({ per100 }) => per100[nutrient])).toContain(amount);
        }
      },
    ),
    { numRuns: runs(500) },
  );
});

test('nutrients and details of a later version survive merging', () => {
  const stated = { amount: 50, nutrients: FOUR };
  const complete = { amount: 50, nutrients: { ...FOUR, fiber: 1, sugars: 1, iron: 1 } };
  const winner = food('off', '1', { stated: complete, per100: toPer100(complete) });
  const other = food('fdc', '2', { per100: toPer100(stated) });
  const otherRecipe = food('starter', '3', {
    updatedAt: winner.updatedAt - 2,
    per100: { ...FOUR, energy: 700 },
  });
  const details = Buffer.from('details');
  const result = mergeRecords([
    { food: winner, otherIds: [], unknownNutrients: [[90, 1]] },
    {
      food: other,
      otherIds: [],
      unknownNutrients: [
        [90, 5],
        [91, 3],
      ],
      details,
    },
    { food: otherRecipe, otherIds: [], unknownNutrients: [[92, 1]] },
  ]);
  // Per 50 g, as the winner states its nutrients.
  expect(result).toMatchObject({
    unknownNutrients: [
      [90, 1],
      [91, 1.5],
    ],
    details,
  });
});

function food(origin: Origin, key: string, parts: Partial<Food>): Food {
  return sampleFood(origin, key, { barcode: BARCODE, name: 'Spread', ...parts });
}

function merged(...foods: Food[]): Food {
  const result = mergeRecords(foods.map((one) => ({ food: one, otherIds: [] })));
  if (!('food' in result)) throw new Error('expected a food');
  return result.food;
}

function idOf(record: StoredRecord): string {
  return 'food' in record ? record.food.id : record.known.id;
}

function timeOf(record: StoredRecord): number {
  return 'food' in record ? record.food.updatedAt : 0;
}
