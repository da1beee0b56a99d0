import { describe, expect, test } from 'vitest';
import type { RawServing } from './raw-food.ts';
import { cleanServings } from './servings.ts';

const served = (serving: RawServing, basis?: 'g' | 'ml') => {
  const { servings, mended } = cleanServings({ servings: [serving], ...(basis && { basis }) });
  return {
    servings: servings.map(({ value, unit, basisAmount }) => `${value} ${unit} = ${basisAmount}`),
    mended,
  };
};
const derived = (text: string, quantity?: number, more: RawServing = {}): RawServing => ({
  text,
  isQuantityDerived: true,
  ...(quantity !== undefined && { quantity }),
  ...more,
});

describe('milligrams', () => {
  test.each([
    ['330 mg', {}, undefined, '330 g = 330'],
    ['330 mg', {}, 'ml', '330 ml = 330'],
    ['30 mg', { packageAmount: 250 }, undefined, '30 g = 30'],
  ] as const)('%s is an error: %j %s', (text, more, basis, serving) => {
    expect(served(derived(text, 0.33, more), basis)).toEqual({
      servings: [serving],
      mended: ['serving_in_mg'],
    });
  });

  test.each([
    ['1 capsule (500 mg)', {}, ['0.5 g = 0.5', '1 capsule = 0.5']],
    ['2 Tabletten (800 mg)', {}, ['0.8 g = 0.8', '2 capsule = 0.8']],
    ['500 mg', { packageAmount: 100 }, ['0.5 g = 0.5']],
    ['2400 mg', {}, ['2.4 g = 2.4']],
  ] as const)('%s is right: %j', (text, more, servings) => {
    expect(served(derived(text, undefined, more))).toEqual({ servings, mended: [] });
  });
});

describe('a number in a separate field', () => {
  test.each([
    ['1 bar (45 g)', 1, ['45 g = 45', '1 bar = 45'], true],
    ['2 x 21,5 g', 21.5, ['43 g = 43'], true],
    ['1 bar (45 g)', 45, ['45 g = 45', '1 bar = 45'], false],
    ['355 ml (12 fl oz)', 354.882, ['354.882 ml = 354.882'], false],
    ['1 oz', 28, ['28 g = 28'], false],
    ['2 oz', 15, ['2 oz = 56.699'], true],
  ] as const)('%s and %d: the text counts if they disagree', (text, quantity, servings, isMended) => {
    const { servings: found, mended } = served(derived(text, quantity));
    expect(found).toEqual(servings);
    expect(mended).toEqual(isMended ? ['serving_text_counts'] : []);
  });

  test('a number that repeats the count is not a weight, unless the piece is a light one', () => {
    expect(served(derived('1 bar', 1))).toEqual({
      servings: ['100 g = 100'],
      mended: ['serving_count_dropped', 'serving_unknown'],
    });
    expect(served(derived('1 sachet', 1)).servings).toEqual(['1 g = 1', '1 sachet = 1']);
    expect(served(derived('1 bar', 40)).servings).toEqual(['40 g = 40', '1 bar = 40']);
  });

  test('a number that the source states itself is used, unless it is the count', () => {
    expect(served({ text: '1 ONZ', quantity: 28, unit: 'g' }).servings).toEqual(['28 g = 28']);
    expect(served({ text: '2 cookies (30 g)', quantity: 28, unit: 'g' }).servings[0]).toBe('28 g = 28');
    expect(served({ text: '2 cookies (30 g)', quantity: 2, unit: 'g' }).servings[0]).toBe('30 g = 30');
  });

  test('ounces beside millilitres are fluid', () => {
    expect(served(derived('8 oz (240 ml)', 240)).servings).toEqual(['240 ml = 240']);
  });
});
