import { expect, test } from 'vitest';
import { leadWithMeasure } from './food.ts';

test('a household measure is shown by its weight, and remains a serving', () => {
  const banana = { value: 1, unit: 'medium', basisAmount: 118, label: '1 medium (118 g)' };
  expect(leadWithMeasure([banana], 'g')).toEqual([
    { value: 118, unit: 'g', basisAmount: 118, label: '1 medium (118 g)' },
    banana,
  ]);
  const glass = { value: 2, unit: 'glass', basisAmount: 480 };
  expect(leadWithMeasure([glass], 'ml')[0]).toEqual({
    value: 480,
    unit: 'ml',
    basisAmount: 480,
    label: '2 glass',
  });
});

test.each(['g', 'ml', 'oz', 'fl_oz'])('a serving in %s is left as it is', (unit) => {
  const servings = [{ value: 8, unit, basisAmount: 8 }] as const;
  expect(leadWithMeasure(servings, 'g')).toBe(servings);
});
