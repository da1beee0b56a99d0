import { describe, expect, it } from 'vitest';
import { findPrintedAmounts, toNumber } from './amounts.ts';

const likeliest = (text: string) =>
  findPrintedAmounts(text).map(({ readings: [first], isBelow }) => [
    first!.value,
    first!.unit,
    ...(isBelow ? ['below'] : []),
  ]);

describe('findAmounts', () => {
  it.each([
    [
      'Total Fat 8g 10%',
      [
        [8, 'g'],
        [10, 'percent'],
      ],
    ],
    [
      'Energie 1046 kJ/250 kcal',
      [
        [1046, 'kj'],
        [250, 'kcal'],
      ],
    ],
    ['1 046 kJ', [[1046, 'kj']]],
    ['363 k', [[363, 'kj']]],
    ['Salz 0,43 g', [[0.43, 'g']]],
    ['Trans Fat Og', [[0, 'g']]],
    ['Protein 0l g', [[0.1, 'g']]],
    ['Salz 025g', [[0.25, 'g']]],
    ['Fat 00 g', [[0, 'g']]],
    ['InludesOg Added', [[0, 'g']]],
    ['Sodium680mg', [[680, 'mg']]],
    ['2,400mg', [[2400, 'mg']]],
    ['Less than 1g', [[0.5, 'g', 'below']]],
    ['<0,5 g', [[0.25, 'g', 'below']]],
    ['Traces', [[0, 'g', 'below']]],
    ['Vit. D 2mcg', [[2, 'ug']]],
    ['Calories 270 Calories from Fat', [[270, undefined]]],
  ])('reads %s', (text, amounts) => {
    expect(likeliest(text)).toEqual(amounts);
  });

  it('offers the g that looks like a 9', () => {
    expect(findPrintedAmounts('379')[0]!.readings).toContainEqual({ value: 37, unit: 'g', cost: 0.5 });
  });
});

describe('toNumber', () => {
  it.each([
    ['1,5', 1.5],
    ['1.5', 1.5],
    ['1,046', 1046],
    ['0,125', 0.125],
    ['1.2.3', undefined],
  ])('takes %s for %s', (text, number) => {
    expect(toNumber(text)).toBe(number);
  });
});
