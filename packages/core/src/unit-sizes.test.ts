import { expect, test } from 'vitest';
import { GRAMS_PER, ML_PER, sizeOfUnit } from './unit-sizes.ts';

test('sizes are those of NIST Handbook 44, appendix C', () => {
  expect(GRAMS_PER.oz).toBe(28.349523125);
  expect(GRAMS_PER.lb).toBe(453.59237);
  expect(ML_PER).toMatchObject({
    tsp: 4.92892159375,
    tbsp: 14.78676478125,
    fl_oz: 29.5735295625,
    cup: 236.5882365,
    pint: 473.176473,
    quart: 946.352946,
    gallon: 3785.411784,
  });
});

test('a unit of mass has its size in g, a unit of volume in ml, and a slice none', () => {
  expect(sizeOfUnit('kg')).toEqual({ basis: 'g', size: 1000 });
  expect(sizeOfUnit('dl')).toEqual({ basis: 'ml', size: 100 });
  expect(sizeOfUnit('slice')).toBeUndefined();
  expect(sizeOfUnit('constructor')).toBeUndefined();
});
