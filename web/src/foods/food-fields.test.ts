import fc from 'fast-check';
import type { FoodInput } from 'larder-client';
import { describe, expect, it, vi } from 'vitest';
import { runs } from '../../../test/support/runs.ts';

const energyUnit = vi.hoisted(() => ({ isKj: false }));
vi.mock('../parts/measures.ts', () => ({
  energyOf: (kcal: number) => (energyUnit.isKj ? kcal * 4.184 : kcal),
  kcalOf: (typed: number) => (energyUnit.isKj ? typed / 4.184 : typed),
}));

const { fieldsOf, inputOf, onBasis } = await import('./food-fields.ts');

const amount = fc.oneof(
  fc.integer({ min: 0, max: 100_000 }).map((thousandths) => thousandths / 1_000),
  fc.double({ min: 0, max: 99, noNaN: true }),
);
const size = fc.oneof(
  fc.constantFrom(1, 0.25, 30, 50, 100),
  fc.integer({ min: 1, max: 9_999_000 }).map((thousandths) => thousandths / 1_000),
);
/** Own foods in all forms that the API has them in. */
const foods: fc.Arbitrary<FoodInput> = fc.record({
  name: fc.constantFrom('Bread', 'Plum jam'),
  brand: fc.constantFrom('Home'),
  barcode: fc.constantFrom('4006381333931'),
  servingSize: fc.record(
    {
      value: size,
      unit: fc.constantFrom('g', 'ml', 'oz', 'fl_oz', 'cup', 'tbsp', 'slice', 'bar', 'Stück'),
      label: fc.constantFrom('1 bar (50 g)', '2 slices (60 g)', 'a piece', '1/4 block (81 g)', '(3)'),
      grams: size,
    },
    { requiredKeys: ['value', 'unit'] },
  ),
  macros: fc.record(
    { energy: amount, protein: amount, fat: amount, sodium: amount, sugars: amount, vitaminD: amount },
    { requiredKeys: ['energy'] },
  ),
  shared: fc.boolean(),
});

describe('an own food that is opened and saved', () => {
  it.each([
    ['in kcal', false],
    ['in kJ', true],
  ])('%s is what it was, to the last digit', (_, isKj) => {
    energyUnit.isKj = isKj;
    fc.assert(
      fc.property(foods, (food) => {
        expect(inputOf(fieldsOf(food), food)).toEqual(food);
      }),
      { numRuns: runs(400) },
    );
    energyUnit.isKj = false;
  });

  it('has one changed amount, and all others as they were', () => {
    const food: FoodInput = {
      ...{ name: 'Bread', shared: true, servingSize: { value: 33, unit: 'g' } },
      macros: { energy: 81.23456, protein: 2.0004 },
    };
    expect(inputOf({ ...fieldsOf(food), nutrients: { protein: '3' } }, food).macros).toEqual({
      energy: 81.23456,
      protein: 3,
    });
  });
});

describe('another basis', () => {
  const cake: FoodInput = {
    ...{ name: 'Cake', servingSize: { value: 50, unit: 'g' } },
    macros: { energy: 240.5, fat: 10 },
  };

  it('converts the amounts that are shown, and saves the same food', () => {
    const per100 = onBasis(fieldsOf(cake), '100g');
    expect(per100).toMatchObject({ energy: '481', nutrients: { fat: '20' }, quantity: '50', per: '100g' });
    expect(inputOf(per100, cake)).toMatchObject({ servingSize: cake.servingSize, macros: cake.macros });
    expect(onBasis(per100, 'serving')).toEqual(fieldsOf(cake));
  });

  it('keeps the name of a household serving', () => {
    const bar = { ...cake, servingSize: { value: 1, unit: 'bar', grams: 50 } };
    const per100 = onBasis(fieldsOf(bar), '100g');
    expect(per100).toMatchObject({ energy: '481', quantity: '50', unit: 'g', servingName: '1 bar' });
    expect(inputOf(per100, bar)).toMatchObject({
      servingSize: { value: 50, unit: 'g', label: '1 bar (50 g)' },
      macros: cake.macros,
    });
  });

  it('leaves amounts as they are where nothing tells what they are of', () => {
    const typed = { ...fieldsOf({ name: 'X', unknown: [] }), energy: '100' };
    expect(onBasis(typed, '100ml').energy).toBe('100');
    expect(onBasis(typed, 'serving')).toMatchObject({ energy: '100', quantity: '100', unit: 'g' });
  });

  it('converts there and back without a trace', () => {
    fc.assert(
      fc.property(foods, (food) => {
        const shown = fieldsOf(food);
        const back = onBasis(onBasis(shown, shown.per === '100g' ? 'serving' : '100g'), shown.per);
        const energy = (text: string) => Number(text);
        fc.pre(shown.per !== 'serving' || shown.unit === 'g');
        expect(energy(back.energy)).toBeCloseTo(energy(shown.energy), 0);
      }),
      { numRuns: runs(200) },
    );
  });
});

it('a serving in grams has the name that is typed', () => {
  const typed = {
    ...fieldsOf({ name: 'Bar', unknown: [] }),
    energy: '400',
    quantity: '50',
    servingName: 'bar',
  };
  expect(inputOf(typed)).toMatchObject({
    servingSize: { value: 50, unit: 'g', label: '1 bar (50 g)' },
    macros: { energy: 200 },
  });
});
