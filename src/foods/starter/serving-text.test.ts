import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseServing } from './starter-foods.ts';

describe('a serving in the form of the tables', () => {
  test.each([
    ['1 medium=118', { value: 1, unit: 'medium', basisAmount: 118, label: '1 medium (118 g)' }],
    ['2 tbsp=32', { value: 2, unit: 'tbsp', basisAmount: 32, label: '2 tbsp (32 g)' }],
    ['1/2 cup, sliced=52', { value: 0.5, unit: 'cup', basisAmount: 52, label: '1/2 cup, sliced (52 g)' }],
    ['1 large egg=50.5', { value: 1, unit: 'large egg', basisAmount: 50.5, label: '1 large egg (50.5 g)' }],
  ])('%s', (text, serving) => {
    expect(parseServing(text, 'g')).toEqual(serving);
  });

  test('drinks are labelled in millilitres', () => {
    expect(parseServing('1 glass=240', 'ml')?.label).toBe('1 glass (240 ml)');
  });

  test.each([
    '',
    'medium=118',
    '1 medium',
    '1 medium=',
    '1 medium=0',
    '0 cup=10',
    '1/0 cup=10',
    '1 =10',
    '1 a=-3',
  ])('%j has no serving', (text) => {
    expect(parseServing(text, 'g')).toBeUndefined();
  });

  test('any text is read without an error, and amounts are above 0', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const serving = parseServing(text, 'g');
        if (serving !== undefined) expect(Math.min(serving.value, serving.basisAmount)).toBeGreaterThan(0);
      }),
    );
  });
});
