import type { Food } from '@larder/core/food.ts';
import { REQUIRED_NUTRIENTS } from '@larder/core/nutrients.ts';
import { describe, expect, test } from 'vitest';
import { type Normalised, normalise } from './normalise.ts';
import type { RawFood, RawNutrients } from './raw-food.ts';

const NOW = 1_750_000_000;
const MACROS = { energy: 400, protein: 10, fat: 20, carbohydrates: 45 } as const;

function raw(changes: Partial<RawFood> = {}): RawFood {
  return { origin: 'off', key: '4006381333931', name: 'Oat bar', per100: { ...MACROS }, ...changes };
}

function foodOf(result: Normalised): Food {
  if (result.kind !== 'food') throw new Error(`no food: ${result.reason}`);
  return result.food;
}
const made = (changes: Partial<RawFood>) => foodOf(normalise(raw(changes), NOW));
const mendedOf = (changes: Partial<RawFood>) => {
  const result = normalise(raw(changes), NOW);
  return result.kind === 'food' ? result.mended : [];
};
const per100 = (changes: RawNutrients): Partial<RawFood> => ({ per100: { ...MACROS, ...changes } });

describe('names', () => {
  test.each([
    ['M&amp;M&#039;s  peanut', "M&M's peanut"],
    ['Caf&amp;eacute;', 'Café'],
    ['PÂTE À TARTINER', 'Pâte à Tartiner'],
    ['COCA-COLA ZERO 33CL', 'Coca-Cola Zero 33CL'],
    ['BBQ SAUCE', 'BBQ Sauce'],
    ['KFC', 'KFC'],
    ['<b>Bread</b>\u0000\t rolls ', 'Bread rolls'],
    ['नमकीन', 'नमकीन'],
  ])('%j reads %j', (given, expected) => {
    expect(made({ name: given }).name).toBe(expected);
  });

  test('are cut to 300 characters, never within a character', () => {
    const { name } = made({ name: '𠮷'.repeat(200) });
    expect(name).toBe('𠮷'.repeat(150));
    expect(mendedOf({ name: 'long '.repeat(100) })).toEqual(['name cut to 300 characters']);
  });

  test('a food without a name is skipped', () => {
    expect(normalise(raw({ name: ' — ' }), NOW)).toEqual({ kind: 'skipped', reason: 'no name' });
  });

  test('the first brand of a list is kept, and texts for no brand give none', () => {
    expect(made({ brand: 'Ferrero, Nutella' }).brand).toBe('Ferrero');
    expect(made({ brand: 'Kellogg Company, Inc.' }).brand).toBe('Kellogg Company, Inc.');
    expect(made({ brand: 'null' }).brand).toBeUndefined();
  });

  test('aliases are kept once and without the name', () => {
    expect(made({ aliases: ['OAT BAR', 'Müsliriegel', 'müsliriegel', ' '] }).aliases).toEqual([
      'Müsliriegel',
    ]);
  });
});

describe('energy', () => {
  test('kJ are converted to kcal', () => {
    const { energy: _, ...macros } = MACROS;
    expect(made({ per100: { ...macros, energyKj: 1_673.6 } }).per100.energy).toBe(400);
  });

  test('kJ entered as kcal are corrected if arithmetic proves it', () => {
    expect(made(per100({ energy: 1_674 })).per100.energy).toBe(400.096);
    expect(mendedOf(per100({ energy: 1_674 }))).toEqual(['energy in kJ entered as kcal']);
  });

  test('a drink with unstated alcohol proves nothing', () => {
    expect(made({ per100: { energy: 83, protein: 0, fat: 0, carbohydrates: 5 } }).per100.energy).toBe(83);
  });

  test('kcal entered as kJ are corrected', () => {
    const { energy: _, ...macros } = MACROS;
    expect(made({ per100: { ...macros, energyKj: 400 } }).per100.energy).toBe(400);
  });

  test('an impossible amount is dropped and derived from the rest', () => {
    const wrong = per100({ energy: 10_000 });
    expect(made(wrong).per100.energy).toBe(400);
    expect(mendedOf(wrong)).toEqual([
      'energy below 0 or above 905 kcal per 100 dropped',
      'energy derived by 4-4-9 arithmetic',
    ]);
  });

  test.each(REQUIRED_NUTRIENTS)('a missing %s is derived from the other three', (key) => {
    const { [key]: expected, ...others } = MACROS;
    expect(made({ per100: others }).per100[key]).toBe(expected);
  });

  test('with 100 g of fat, the other nutrients are 0', () => {
    expect(made({ per100: { fat: 100 } }).per100).toEqual({
      energy: 900,
      fat: 100,
      protein: 0,
      carbohydrates: 0,
    });
  });

  test('undetermined amounts are not derived', () => {
    const spirit = raw({
      per100: { energy: 231, protein: 0, fat: 0, alcoholG: 33 },
      barcode: '4006381333931',
    });
    expect(foodOf(normalise(spirit, NOW)).per100.carbohydrates).toBe(0);
    const heavy = raw({ per100: { energy: 900, protein: 0, fat: 0 }, barcode: '4006381333931' });
    expect(normalise(heavy, NOW)).toMatchObject({ kind: 'known', reason: 'no carbohydrates' });
  });
});

describe('an energy far below that of protein, fat and sugars', () => {
  const bread = { protein: 8, fat: 10, carbohydrates: 40, sugars: 4 };

  test.each([
    ['0', { energy: 0 }, 282],
    ['of 1 g', { energy: 2.5, energyKj: 10.46 }, 282],
    ['with a slip of the decimal point', { energy: 28 }, 282],
    ['in kcal but not in kJ', { energy: 28, energyKj: 1_200 }, 286.8],
  ])('%s is dropped', (_, energy, kcal) => {
    const food = made({ per100: { ...bread, ...energy } });
    expect(food.per100.energy).toBeCloseTo(kcal, 0);
    expect(food.notes).toContainEqual(expect.stringMatching(/^energy_(too_low|nearer|from_kj)$/));
  });

  test.each([
    ['a sweetener', { energy: 5, protein: 0, fat: 0, carbohydrates: 99, sugars: 0 }],
    ['noodles of fibre', { energy: 9, protein: 0.5, fat: 0, carbohydrates: 4, sugars: 0 }],
    ['a fruit with too much protein', { energy: 38, protein: 10, fat: 0.5, carbohydrates: 7.6, sugars: 7.6 }],
    ['a vegetable', { energy: 12, protein: 2.9, fat: 0.3, carbohydrates: 1.8, sugars: 0.4 }],
  ])('of %s is possible', (_, macros) => {
    expect(made({ per100: macros }).per100.energy).toBe(macros.energy);
  });
});

test('kJ that the source computed from the nutrients are ignored beside kcal', () => {
  const chicken = { energy: 102.5, energyKj: 194, protein: 0, fat: 0, carbohydrates: 10.66, fiber: 1.6 };
  expect(made({ per100: chicken }).per100.energy).toBe(102.5);
});

describe('nutrients', () => {
  test('sodium is derived from salt, and vitamin D from international units', () => {
    const food = made(per100({ saltG: 1.25, vitaminDIu: 40 }));
    expect(food.per100).toEqual({ ...MACROS, sodium: 500, vitaminD: 1 });
  });

  test('the sodium of a rounded serving of salt is that of salt', () => {
    const salt = { energy: 0, protein: 0, fat: 0, carbohydrates: 0 };
    expect(made({ per100: { ...salt, sodium: 41_667 } }).per100.sodium).toBe(40_000);
    expect(made({ per100: { ...salt, sodium: 48_200 } }).per100).not.toHaveProperty('sodium');
  });

  test('more than 100 g per 100 g and negative amounts are dropped', () => {
    const wrong = per100({ sugars: 101, sodium: 2e6, fiber: -1, calcium: 100 });
    expect(made(wrong).per100).toEqual({ ...MACROS, calcium: 100 });
    expect(mendedOf(wrong)).toEqual(['nutrient below 0 or above 100 g per 100 g dropped']);
  });

  test.each([-10, 126])('%d g of alcohol prove nothing', (alcoholG) => {
    expect(made({ per100: { protein: 10, carbohydrates: 20, fat: 5, alcoholG } }).per100.energy).toBe(165);
    expect(normalise(raw({ per100: { energy: 250, alcoholG } }), NOW).kind).not.toBe('food');
  });

  test('impossible sodium is replaced by that of the salt, and impossible salt by none', () => {
    expect(made(per100({ sodium: 500_000, saltG: 1.25 })).per100.sodium).toBe(500);
    expect(made(per100({ saltG: 200 })).per100.sodium).toBeUndefined();
  });

  test('amounts are free of floating-point noise', () => {
    const { per100: clean } = made(
      per100({ fiber: 0.1 + 0.2, iron: 0.009999999776482582, sodium: 1_234.56789 }),
    );
    expect(clean).toEqual({ ...MACROS, fiber: 0.3, iron: 0.01, sodium: 1_234.568 });
  });

  test('values per serving are scaled by its weight', () => {
    const food = made({
      per100: {},
      perServing: { energy: 200, protein: 5, fat: 10, carbohydrates: 22.5 },
      servings: [{ text: '1 bar (50 g)' }],
    });
    expect(food.per100).toEqual(MACROS);
    expect(food.servings).toEqual([
      { value: 50, unit: 'g', basisAmount: 50, label: '1 bar (50 g)' },
      { value: 1, unit: 'bar', basisAmount: 50, label: '1 bar (50 g)' },
    ]);
  });

  test('amounts stated for a serving are kept for that serving', () => {
    const perServing = { energy: 70, protein: 1, fat: 4.5, carbohydrates: 6, sodium: 5 };
    const servings = [{ quantity: 12, unit: 'g' }];
    const label = made({ per100: {}, perServing, servings });
    expect(label.stated).toEqual({ amount: 12, nutrients: perServing });
    expect(label.per100.protein).toBe(100 / 12);
    // Exports state both amounts, one computed from the other.
    const scaled = { energy: 583, protein: 8.33, fat: 37.5, carbohydrates: 50, sodium: 41.7 };
    expect(made({ per100: scaled, perServing, servings })).toEqual(label);
    expect(mendedOf({ per100: scaled, perServing, servings })).toEqual([]);
    const per100 = { energy: 583, protein: 8.3, fat: 37.5, carbohydrates: 50 };
    const computed = { energy: 69.96, protein: 0.996, fat: 4.5, carbohydrates: 6 };
    const european = made({ per100, perServing: computed, servings });
    expect(european).toMatchObject({ per100 });
    expect(european).not.toHaveProperty('stated');
    // The rounding of FoodData Central does not determine this.
    const fdc = { ...scaled, sodium: 42 };
    expect(made({ per100: fdc, isScaledLabel: true, servings })).toEqual(label);
  });

  test('a serving lighter than its contents has values per 100 g', () => {
    const mixedUp = {
      per100: { energy: 800, protein: 20, fat: 40, carbohydrates: 90 },
      perServing: { ...MACROS },
      servings: [{ quantity: 50, unit: 'g' }],
    };
    expect(made(mixedUp).per100).toEqual(MACROS);
    expect(mendedOf(mixedUp)).toEqual(['values per 100 entered as values per serving']);
  });
});

describe('servings', () => {
  test('the default serving is 100 g, for a drink 100 ml', () => {
    expect(made({}).servings).toEqual([{ value: 100, unit: 'g', basisAmount: 100 }]);
    expect(made({ basis: 'ml' }).servings).toEqual([{ value: 100, unit: 'ml', basisAmount: 100 }]);
  });

  test('a serving in millilitres makes the basis of the food ml', () => {
    const drink = made({ servings: [{ text: '1 cup (240 ml)' }] });
    expect(drink.basis).toBe('ml');
    expect(drink.servings[0]).toEqual({ value: 240, unit: 'ml', basisAmount: 240, label: '1 cup (240 ml)' });
  });

  test('an amount without unit has the unit that the text mentions', () => {
    expect(made({ servings: [{ text: '1 bar', quantity: 45 }] }).servings[0]).toEqual({
      value: 45,
      unit: 'g',
      basisAmount: 45,
      label: '1 bar',
    });
    expect(made({ servings: [{ text: '25 cl', quantity: 250 }] }).servings[0]).toMatchObject({
      value: 250,
      unit: 'ml',
    });
  });

  test('a weighed portion shows its weight and keeps its household unit', () => {
    const food = made({
      servings: [
        { text: '1 cup, chopped', grams: 128 },
        { text: 'Quantity not specified', grams: 0 },
      ],
    });
    expect(food.servings).toEqual([
      { value: 128, unit: 'g', basisAmount: 128, label: '1 cup, chopped' },
      { value: 1, unit: 'cup', basisAmount: 128, label: '1 cup, chopped' },
    ]);
  });

  test('a text without a weight is counted as replaced', () => {
    expect(mendedOf({ servings: [{ text: 'one handful' }] })).toEqual([
      'serving without a usable weight replaced by 100 g or ml',
    ]);
  });
});

describe('codes', () => {
  test('a wrong check digit is kept for exact look-up', () => {
    const food = made({ barcode: '4006381333930' });
    expect([food.barcode, food.gtin]).toEqual(['4006381333930', '04006381333930']);
    expect(mendedOf({ barcode: '4006381333930' })).toEqual([
      'barcode with a wrong check digit kept for exact look-up',
    ]);
  });

  test('a code of more than 14 digits is a key and not a barcode', () => {
    const food = made({ key: '123456789012345678', barcode: '123456789012345678' });
    expect([food.id, food.barcode]).toEqual(['off:123456789012345678', undefined]);
  });

  test('codes with prefix 2 are kept', () => {
    expect(made({ barcode: '2000000000008' }).gtin).toBe('02000000000008');
  });

  test('a product without nutrients is known by its barcode, or skipped', () => {
    const bare = { per100: { energy: 100 }, brand: 'Acme' };
    expect(normalise(raw({ ...bare, barcode: '4006381333931' }), NOW)).toEqual({
      kind: 'known',
      reason: 'no protein, no fat, no carbohydrates',
      product: {
        id: 'off:4006381333931',
        name: 'Oat bar',
        brand: 'Acme',
        barcode: '4006381333931',
        gtin: '04006381333931',
      },
    });
    expect(normalise(raw(bare), NOW).kind).toBe('skipped');
  });
});

test('impossible times are replaced by that of the import', () => {
  expect(made({ createdAt: 5, updatedAt: NOW * 2 })).toMatchObject({ createdAt: NOW, updatedAt: NOW });
  expect(made({ createdAt: NOW - 20, updatedAt: NOW - 10 })).toMatchObject({
    createdAt: NOW - 20,
    updatedAt: NOW - 10,
  });
});

describe('zeros of a tiny serving', () => {
  const zeros = { energy: 0, protein: 0, fat: 0, carbohydrates: 0 };

  test('of energy and macros are kept for the serving, and noted for 100', () => {
    for (const [perServing, grams] of [
      [zeros, 0.25],
      [{ ...zeros, sodium: 55, calcium: 0 }, 5],
    ] as const) {
      const servings = [{ quantity: grams, unit: 'g' }];
      const food = made({ per100: {}, perServing, servings });
      expect(food.notes).toContain('rounded_zeros_kept');
      expect(food.per100).not.toHaveProperty('calcium');
      expect(made({ per100: { ...zeros }, isScaledLabel: true, servings }).notes).toEqual([
        'rounded_zeros_kept',
      ]);
    }
  });

  test('are those of the serving if the source says that it is stated', () => {
    const spray = { per100: zeros, perServing: zeros, servings: [{ quantity: 0.25, unit: 'g' }] };
    expect(made(spray)).not.toHaveProperty('notes');
    expect(made({ ...spray, isPerServing: true }).notes).toEqual(['rounded_zeros_kept']);
  });

  test('are omitted if the energy is explained', () => {
    const perServing = { energy: 36, protein: 0, fat: 4, carbohydrates: 0, sugars: 0, sodium: 30 };
    const butter = { per100: {}, perServing, servings: [{ quantity: 5, unit: 'g' }] };
    const { sugars: _, ...kept } = perServing;
    expect(made(butter).stated).toEqual({ amount: 5, nutrients: kept });
    expect(made(butter).per100).not.toHaveProperty('sugars');
    expect(made(butter).notes).toEqual(['rounded_zeros_dropped']);
  });

  test('are kept of salt, of larger servings and of values per 100 g', () => {
    const salt = { ...zeros, sodium: 590 };
    expect(
      made({ per100: {}, perServing: salt, servings: [{ quantity: 1.5, unit: 'g' }] }).per100.energy,
    ).toBe(0);
    expect(
      made({ per100: {}, perServing: zeros, servings: [{ quantity: 240, unit: 'ml' }] }).per100.fat,
    ).toBe(0);
    expect(made({ per100: { ...zeros }, servings: [{ quantity: 5, unit: 'g' }] }).per100.fat).toBe(0);
  });
});
