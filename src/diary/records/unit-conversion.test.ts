import { AppError } from '@larder/core/errors.ts';
import type { Basis, Serving } from '@larder/core/food.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readStarterFoods } from '../../foods/starter/starter-foods.ts';
import { type Convertible, distinctServings, possibleUnits, toBasisAmount } from './unit-conversion.ts';

function food(basis: Basis, ...servings: [Serving, ...Serving[]]): Convertible {
  return { name: servings.map(({ label, unit }) => label ?? unit).join(' or '), basis, servings };
}

const bread = food(
  'g',
  { value: 2, unit: 'slice', basisAmount: 56, label: '2 slices (56 g)' },
  { value: 1, unit: 'loaf', basisAmount: 450 },
);
const plain = food('g', { value: 100, unit: 'g', basisAmount: 100 });
const milk = food('g', { value: 1, unit: 'cup', basisAmount: 244, label: '1 cup' });
const soda = food(
  'ml',
  { value: 12, unit: 'fl_oz', basisAmount: 355 },
  { value: 1, unit: 'can', basisAmount: 355, label: '1 can (355 ml)' },
);
const fruit = food(
  'g',
  { value: 1, unit: 'cup', basisAmount: 150, label: '1 cup (150 g)' },
  { value: 1, unit: 'serving', basisAmount: 75, label: '1 serving (75 g)' },
  { value: 1, unit: 'oz', basisAmount: 28, label: '1 oz (28 g)' },
);
const carrots = food(
  'g',
  { value: 1, unit: 'cup, chopped', basisAmount: 128, label: '1 cup, chopped' },
  { value: 1, unit: 'medium', basisAmount: 61 },
  { value: 4, unit: 'oz', basisAmount: 113 },
);
const cheese = food(
  'g',
  { value: 1, unit: 'cup', basisAmount: 113, label: '1 cup, shredded (113 g)' },
  { value: 1, unit: 'cup', basisAmount: 132, label: '1 cup, diced (132 g)' },
);
const raisins = food(
  'g',
  { value: 1, unit: 'cup', basisAmount: 165, label: '1 cup, packed (165 g)' },
  { value: 1, unit: 'cup', basisAmount: 145, label: '1 cup (145 g)' },
);
const iceCream = food(
  'g',
  { value: 0.5, unit: 'cup', basisAmount: 66, label: '1/2 cup (66 g)' },
  { value: 1, unit: 'cup', basisAmount: 135, label: '1 cup (135 g)' },
);
const sub = food('g', { value: 1, unit: '6-inch sub', basisAmount: 148, label: '1 6-inch sub (148 g)' });

describe('servings in units that stand for one alone', () => {
  test.each([
    [bread, [2, 'slice'], [1, 'loaf']],
    [fruit, [1, 'cup'], [1, '1 serving (75 g)'], [1, 'oz']],
    [cheese, [1, 'cup'], [1, 'cup, diced']],
    [raisins, [1, 'cup, packed'], [1, 'cup']],
    [iceCream, [1, '1/2 cup (66 g)'], [1, 'cup']],
    [sub, [1, '6-inch sub']],
  ])('$name', (of, ...expected) => {
    expect(distinctServings(of).map(({ value, unit }) => [value, unit])).toEqual(expected);
  });

  test('each serving of each shipped food is converted to its measure, but for the rounding of its label', () => {
    const wrong = [...readStarterFoods()].flatMap((of) =>
      distinctServings(of)
        .filter(
          ({ value, unit, basisAmount }) => Math.abs(toBasisAmount(of, value, unit) - basisAmount) > 0.5,
        )
        .map(({ label }) => [of.id, label]),
    );
    expect(wrong).toEqual([]);
  });
});

describe('units of a food', () => {
  test.each<[Convertible, number, string, number]>([
    [plain, 150, 'g', 150],
    [plain, 150, 'grams', 150],
    [plain, 2, 'kg', 2000],
    [plain, 500, 'mg', 0.5],
    [plain, 1, 'oz', 28.349523125],
    [plain, 1, 'Ounces', 28.349523125],
    [plain, 1, 'lb', 453.59237],
    [plain, 2, 'lbs', 907.18474],
    [plain, 2, 'servings', 200],
    [bread, 1, 'serving', 56],
    [bread, 3, 'slice', 84],
    [bread, 3, 'Slices', 84],
    [bread, 1, '2 slices', 56],
    [bread, 1, '2 slices (56 g)', 56],
    [bread, 1, '1/2 slice', 14],
    [bread, 2, 'loaves', 900],
    [bread, 100, 'g', 100],
    [soda, 12, 'fl oz', 355],
    [soda, 1, 'can', 355],
    [soda, 2, 'cans', 710],
    [soda, 330, 'ml', 330],
    [soda, 1, 'L', 1000],
    [soda, 1, 'litre', 1000],
    [soda, 1, 'cup', 236.5882365],
    [milk, 1, 'cup', 244],
    [milk, 236.5882365, 'ml', 244],
    [milk, 16, 'tbsp', 244],
    [milk, 48, 'teaspoons', 244],
    [milk, 8, 'fl_oz', 244],
    [fruit, 1, 'serving', 150],
    [fruit, 2, '1 serving (75 g)', 150],
    [fruit, 1, '1 oz (28 g)', 28],
    [fruit, 1, 'oz', 28.349523125],
    [carrots, 1, 'cup', 128],
    [carrots, 1, 'cups, chopped', 128],
    [carrots, 2, 'medium', 122],
    [carrots, 4, 'oz', 113.3980925],
    [cheese, 1, 'cup', 113],
    [cheese, 1, 'cup, diced', 132],
    [raisins, 1, 'cup', 145],
    [raisins, 1, 'cup, packed', 165],
    [iceCream, 1, 'cup', 135],
    [iceCream, 1, '1/2 cup (66 g)', 66],
    [sub, 1, '6-inch sub', 148],
    [sub, 2, '1 6-inch sub', 296],
    [bread, 1, 'Scheibe', 28],
    [bread, 3, 'tranches', 84],
    [bread, 1, 'fetta', 28],
    [bread, 1, '2 Scheiben', 56],
  ])('of $0.name: $1 $2 is $3 of its basis', (of, quantity, unit, amount) => {
    expect(toBasisAmount(of, quantity, unit)).toBeCloseTo(amount, 6);
  });

  test.each([
    ['Radish', 2, 'bunches', 360],
    ['Cabbage, raw', 1, 'large head', 1248],
    ['Cabbage, raw', 1, 'small head', 714],
    ['Banana', 1, 'piece', 118],
    ['Banana', 3, 'large', 408],
    ['Parsley, fresh', 1, 'sprig', 1],
  ])('a typical piece: of %s %s %s is %s g', (name, quantity, unit, grams) => {
    expect(toBasisAmount({ ...plain, name }, quantity, unit)).toBe(grams);
  });

  test("a food's own serving takes precedence over a typical piece", () => {
    const own = { ...food('g', { value: 1, unit: 'bunch', basisAmount: 90 }), name: 'Radish' };
    expect(toBasisAmount(own, 1, 'bunch')).toBe(90);
    expect(possibleUnits(own).filter((unit) => unit === 'bunch')).toHaveLength(1);
  });

  test('each typical piece is offered, and can be converted', () => {
    const leek = { ...plain, name: 'Leek' };
    expect(possibleUnits(leek)).toEqual(expect.arrayContaining(['piece', 'stalk', 'bunch', 'slice']));
    for (const unit of possibleUnits(leek)) expect(toBasisAmount(leek, 1, unit)).toBeGreaterThan(0);
  });

  test('dishes and foods by volume have no typical pieces', () => {
    expect(() => toBasisAmount({ ...plain, name: 'Carrot cake' }, 1, 'piece')).toThrow('cannot be converted');
    expect(() => toBasisAmount({ ...plain, basis: 'ml', name: 'Banana' }, 1, 'piece')).toThrow();
  });

  test.each<[Convertible, string]>([
    [bread, 'ml'],
    [bread, 'cup'],
    [soda, 'g'],
    [plain, 'slice'],
    [plain, ''],
    [plain, 'x'.repeat(10_000)],
  ])('an impossible conversion is rejected, and the error names the possible units', (of, unit) => {
    const refused = catchError(() => toBasisAmount(of, 1, unit));
    expect(refused).toMatchObject({ code: 'invalid_request', details: { fields: ['unit'] } });
    expect((refused.details['possible'] as string[]).length).toBeGreaterThan(1);
  });

  test('every unit that is named as possible converts', () => {
    for (const of of [bread, plain, milk, soda, carrots]) {
      for (const unit of possibleUnits(of)) expect(toBasisAmount(of, 1, unit)).toBeGreaterThan(0);
    }
  });

  test('any text is either converted to a finite positive amount or refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.double({ noNaN: true }), (unit, quantity) => {
        // A thousandth of the smallest double is 0.
        fc.pre(quantity <= 0 || quantity > 1e-300);
        for (const of of [bread, milk, soda]) {
          try {
            const amount = toBasisAmount(of, quantity, unit);
            expect(Number.isFinite(amount) && amount > 0).toBe(true);
          } catch (error) {
            expect(error).toBeInstanceOf(AppError);
          }
        }
      }),
    );
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1_000_001])(
    'a quantity of %d is rejected',
    (quantity) => {
      expect(catchError(() => toBasisAmount(plain, quantity, 'g')).details['fields']).toEqual(['quantity']);
    },
  );
});

function catchError(run: () => unknown): AppError {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
