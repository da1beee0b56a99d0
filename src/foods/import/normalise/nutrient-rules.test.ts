import { noteText } from '@larder/core/food-notes.ts';
import { NUTRIENTS } from '@larder/core/nutrients.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import { normalise } from './normalise.ts';
import type { RawFood, RawNutrients } from './raw-food.ts';

const MACROS = { energy: 400, protein: 10, fat: 20, carbohydrates: 45 } as const;

/** Nutrients derived from stated ones, and the notes. */
function read(per100: RawNutrients, more: Partial<RawFood> = {}) {
  const raw: RawFood = {
    origin: 'off',
    key: '4006381333931',
    barcode: '4006381333931',
    name: 'Oat bar',
    per100,
    ...more,
  };
  const made = normalise(raw, 1_750_000_000);
  return made.kind === 'food' ? { ...made.food.per100, notes: made.food.notes } : made;
}

describe('parts above their whole', () => {
  test.each<[RawNutrients, RawNutrients, string]>([
    [{ saturatedFat: 31 }, {}, 'saturates_dropped'],
    [{ transFat: 30 }, {}, 'trans_fat_dropped'],
    [{ sugars: 71 }, {}, 'sugars_dropped'],
    [{ sugars: 30, addedSugars: 40 }, { sugars: 30 }, 'added_sugars_dropped'],
    [{ sugars: 45.3 }, { sugars: 45 }, 'part_rounded'],
    [{ saturatedFat: 20.2 }, { saturatedFat: 20 }, 'part_rounded'],
    [{ fat: 6, saturatedFat: 20 }, { fat: 20, saturatedFat: 6 }, 'fat_exchanged'],
    [{ carbohydrates: 12, sugars: 45 }, { carbohydrates: 45, sugars: 12 }, 'carbohydrates_exchanged'],
  ])('%j becomes %j: %s', (stated, expected, note) => {
    expect(read({ ...MACROS, ...stated })).toEqual({ ...MACROS, ...expected, notes: [note] });
  });

  test('consistent amounts are kept without a note', () => {
    const stated = { ...MACROS, sugars: 45, saturatedFat: 20, transFat: 0, fiber: 9 };
    expect(read(stated)).toEqual({ ...stated, notes: undefined });
  });
});

describe('salt and sodium', () => {
  test.each([
    [{ saltG: 1.25, sodium: 500 }, 500, undefined],
    [{ saltG: 1.2, sodium: 500 }, 500, undefined],
    [{ saltG: 1.25, sodium: 0.2 }, 500, ['salt_counts']],
    [{ saltG: 1.25, sodium: 1_250 }, 500, ['salt_counts']],
    [{ saltG: 1.67, sodium: 917 }, 917, ['sodium_kept']],
    [{ saltG: 0.01, sodium: 900 }, 4, ['salt_counts']],
    [{ saltG: 0.5, sodium: 500_000 }, 200, ['impossible_dropped']],
    [{ saltG: 120, sodium: 500 }, 500, ['impossible_dropped']],
    [{ sodium: 60_000 }, undefined, ['above_pure_dropped']],
    [{ saltG: 99.9 }, 39_960, undefined],
  ] as const)('%j is %s mg of sodium', (stated, sodium, notes) => {
    expect(read({ ...MACROS, ...stated })).toMatchObject({ ...(sodium && { sodium }), notes });
    if (sodium === undefined) expect(read({ ...MACROS, ...stated })).not.toHaveProperty('sodium');
  });

  test.each([
    { potassium: 80_000 },
    { calcium: 60_000 },
    { iron: 12_000 },
    { cholesterol: 20_000 },
    { vitaminD: 200_000 },
  ])('%j exceeds the pure substance', (stated) => {
    expect(read({ ...MACROS, ...stated })).toEqual({ ...MACROS, notes: ['above_pure_dropped'] });
  });
});

describe('sums', () => {
  test('protein, fat and carbohydrates that exceed the weight of the food are unknown', () => {
    expect(read({ energy: 500, protein: 50, fat: 60, carbohydrates: 40 })).toMatchObject({
      kind: 'known',
      reason: 'no protein, no fat, no carbohydrates after impossible ones were dropped',
    });
    const syrup = { energy: 480, protein: 0, fat: 0, carbohydrates: 120 };
    expect(read({ ...syrup, carbohydrates: 99, protein: 15 }, { basis: 'ml' })).toMatchObject({
      carbohydrates: 99,
    });
  });

  test('fibre that is neither part of the carbohydrates nor fits beside them is unknown', () => {
    expect(read({ ...MACROS, fiber: 60 })).toEqual({ ...MACROS, notes: ['fiber_dropped'] });
    const husk = { energy: 200, protein: 2, fat: 1, carbohydrates: 85, fiber: 85 };
    expect(read(husk)).toMatchObject(husk);
  });
});

describe('energy', () => {
  test.each<[string, RawNutrients, number | undefined, string | undefined]>([
    ['Gum', { protein: 0, fat: 0, carbohydrates: 60, polyolsG: 60 }, 144, 'energy_of_polyols'],
    [
      'Sweetener',
      { protein: 0, fat: 0, carbohydrates: 99.9, polyolsG: 99.9, erythritolG: 99.9 },
      0,
      'energy_of_polyols',
    ],
    [
      'Candy',
      { protein: 0, fat: 0, carbohydrates: 90, polyolsG: 80, erythritolG: 50 },
      112,
      'energy_of_polyols',
    ],
    ['Erythritol granulated', { protein: 0, fat: 0, carbohydrates: 99.9 }, 0, 'energy_of_polyols'],
    ['Érythritol bio', { protein: 0, fat: 0, carbohydrates: 100 }, 0, 'energy_of_polyols'],
    ['Eritritolo', { protein: 0, fat: 0, carbohydrates: 100 }, 0, 'energy_of_polyols'],
    ['Xylit Birkenzucker', { protein: 0, fat: 0, carbohydrates: 100 }, 240, 'energy_of_polyols'],
    ['Xilitol', { energyKj: 1000, protein: 0, fat: 0, carbohydrates: 100 }, 239.006, undefined],
    ['Xylitol', { energy: 1000, protein: 0, fat: 0, carbohydrates: 100 }, 239.006, 'energy_was_kj'],
    ['Cake with erythritol', { protein: 5, fat: 10, carbohydrates: 50 }, 310, 'energy_derived'],
    ['Sugar', { protein: 0, fat: 0, carbohydrates: 100 }, 400, 'energy_derived'],
    // 400 kJ typed into both fields.
    [
      'Yogurt',
      { energy: 400, energyKj: 400, protein: 4, fat: 3, carbohydrates: 13 },
      95.602,
      'energy_was_kj',
    ],
    ['Soup', { energy: 200, energyKj: 200, protein: 1, fat: 1, carbohydrates: 8 }, 47.801, 'energy_nearer'],
    ['Broth', { energy: 48, energyKj: 48, protein: 1, fat: 1, carbohydrates: 8 }, 48, 'energy_nearer'],
    ['Wine', { energy: 83, energyKj: 347, protein: 0, fat: 0, carbohydrates: 2.6 }, 83, undefined],
    ['Tea', { energy: 1, energyKj: 2, protein: 0, fat: 0, carbohydrates: 0.2 }, 1, undefined],
  ])('of %s %j is %s kcal', (name, stated, kcal, note) => {
    expect(read(stated, { name })).toMatchObject({ energy: kcal, notes: note && [note] });
  });

  test('two energies that disagree are unknown if nothing shows which is right', () => {
    expect(read({ energy: 400, energyKj: 400, protein: 4 })).toMatchObject({
      kind: 'known',
      reason: 'no energy, no fat, no carbohydrates after impossible ones were dropped',
    });
  });
});

test('results are always possible, whatever a source states', () => {
  const amount = fc.oneof(
    fc.double({ min: 0, max: 120, noNaN: true }),
    fc.double({ min: 0, max: 1e6, noNaN: true }),
  );
  const stated = fc.record(
    Object.fromEntries(
      [...NUTRIENTS.map(({ key }) => key), 'energyKj', 'saltG', 'polyolsG', 'erythritolG'].map((key) => [
        key,
        amount,
      ]),
    ),
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(stated, (per100) => {
      const made = read(per100 as RawNutrients);
      if (!('energy' in made)) return;
      expect(made.energy).toBeLessThanOrEqual(905);
      expect(made.protein + made.fat + made.carbohydrates).toBeLessThanOrEqual(110.1);
      for (const { key, partOf, maxPerGram } of NUTRIENTS) {
        if (partOf !== undefined) expect(made[key] ?? 0).toBeLessThanOrEqual(made[partOf] ?? 100);
        if (maxPerGram !== undefined) expect(made[key] ?? 0).toBeLessThanOrEqual(maxPerGram * 100);
      }
      for (const note of made.notes ?? []) expect(noteText(note)).toBeTypeOf('string');
    }),
    { numRuns: runs(3_000) },
  );
});
