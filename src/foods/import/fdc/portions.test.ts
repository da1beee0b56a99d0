import { describe, expect, test } from 'vitest';
import { type FdcPortion, portionServings } from './portions.ts';

function portions(...rows: Partial<FdcPortion>[]): FdcPortion[] {
  return rows.map((row, order) => ({ order, description: '', modifier: '', grams: 10, ...row }));
}

function survey(...rows: [description: string, grams: number][]): FdcPortion[] {
  return portions(...rows.map(([description, grams]) => ({ description, grams, modifier: '61667' })));
}

describe('the text of a portion', () => {
  test.each([
    ['survey foods say it all', { description: '1 cup, mashed', modifier: '10205' }, '1 cup, mashed'],
    ['SR Legacy names the unit in the modifier', { amount: 0.5, modifier: 'cup, sliced' }, '1/2 cup, sliced'],
    ['Foundation has a unit of its own', { amount: 1, unit: 'cup', modifier: 'sliced' }, '1 cup, sliced'],
    ['an amount of 0 or none is one', { amount: 0, modifier: 'fruit' }, '1 fruit'],
    ['a third', { amount: 0.33, unit: 'cup' }, '1/3 cup'],
    ['more than one', { amount: 1.25, unit: 'cup' }, '1 1/4 cups'],
    ['what is no usual fraction', { amount: 3.52, unit: 'oz' }, '3.52 oz'],
  ])('%s', (_, portion, text) => {
    expect(portionServings(portions(portion))).toEqual([{ text, grams: 10 }]);
  });
});

test('portions keep the order of the source', () => {
  const [first] = portionServings(portions({ order: 2, modifier: 'slice' }, { order: 1, modifier: 'loaf' }));
  expect(first?.text).toBe('1 loaf');
});

test('notes that are not servings are left out', () => {
  expect(
    portionServings(
      survey(['Quantity not specified', 0], ['Guideline amount per cup of hot cereal', 61], ['1 cup', 0]),
    ),
  ).toEqual([]);
  expect(portionServings(portions({ modifier: '' }))).toEqual([]);
});

describe('the usual amount decides which serving is first', () => {
  test.each([
    ['one of the servings', 126, ['1 banana', '1 cup']],
    ['a multiple of one', 10 * 30, ['2 cups', '1 cup', '1 banana']],
    ['a part of a cup', 75, ['1/2 cup', '1 cup', '1 banana']],
    ['none of them: the nearest', 119, ['1 banana', '1 cup']],
  ])('%s', (_, grams, texts) => {
    const rows = survey(['1 cup', 150], ['1 banana', 126], ['Quantity not specified', grams]);
    expect(portionServings(rows).map(({ text }) => text)).toEqual(texts);
  });

  test('the usual amount is a serving itself if there is no other', () => {
    const rows = survey(['Guideline amount in salad', 5], ['Quantity not specified', 30]);
    expect(portionServings(rows)).toEqual([{ text: '1 serving', grams: 30 }]);
  });

  test('a unit that is one of two is not counted', () => {
    const rows = survey(['1 slice/chunk', 8], ['Quantity not specified', 40]);
    expect(portionServings(rows)).toEqual([{ text: '1 slice/chunk', grams: 8 }]);
  });

  test('a whole number of ounces keeps its unit', () => {
    const rows = survey(['1 fl oz', 28], ['Quantity not specified', 280]);
    expect(portionServings(rows)[0]).toEqual({ text: '10 fl oz', grams: 280 });
  });
});
