import { expect, it } from 'vitest';
import { gramTexts, percentTexts, statedPercents } from './goal-percents.ts';

it('makes grams of shares, and shares of grams', () => {
  expect(gramTexts({ protein: '20', carbs: '50', fat: '30' }, 2100)).toEqual({
    protein: '105',
    carbs: '262.5',
    fat: '70',
  });
  expect(percentTexts({ protein: '105', fat: '70' }, 2100)).toEqual({ protein: '20', carbs: '', fat: '30' });
});

it('leaves empty what has no share, and all without an energy', () => {
  expect(gramTexts({ protein: '', fat: '30' }, 2000)).toEqual({ protein: '', fat: '66.7' });
  expect(gramTexts({ fat: '30' }, 0)).toEqual({ fat: '' });
  expect(percentTexts({ fat: '70' }, Number.NaN)).toEqual({ protein: '', carbs: '', fat: '' });
});

it('keeps the shares that were typed, and nothing where there are none', () => {
  expect(statedPercents({ protein: '20', carbs: '', fat: '30' })).toEqual({ protein: 20, fat: 30 });
  expect(statedPercents({})).toBeUndefined();
});
