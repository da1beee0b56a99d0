import { parseBarcode } from '@larder/core/codes/scanned-code.ts';
import { checkDigit } from '@larder/core/gtin.ts';
import { describe, expect, test } from 'vitest';
import { compileFoods } from '../../../test/support/compiled-foods.ts';
import { customFood } from '../../../test/support/custom-food.ts';
import { sampleFood, sampleProduct } from '../../../test/support/sample-foods.ts';
import { CustomFoods } from '../custom/custom-foods.ts';
import { findAmong } from './same-number.ts';

const find = (owners: Parameters<typeof findAmong>[0], code: string) => findAmong(owners, parseBarcode(code));
const owner = (...foods: Parameters<CustomFoods['put']>[0][]) => {
  const made = new CustomFoods();
  for (const [at, food] of foods.entries()) made.put(food, at + 1);
  return made;
};

describe('two products with one padded number', () => {
  const short = sampleFood('off', '00031233', { name: 'Chicken with quinoa', barcode: '00031233' });
  const long = sampleFood('off', '0000000031233', {
    name: 'Fruit muesli',
    barcode: '0000000031233',
    popularity: 9,
  });

  test.each([
    ['00031233', short, long],
    ['0000000031233', long, short],
    ['0003-1233', short, long],
  ])('%s is the one that is written so, and the other one is named', async (typed, found, other) => {
    const { catalogue, report } = await compileFoods([[short, long]]);
    expect(catalogue.findByBarcode(parseBarcode(typed))).toEqual({
      food: found,
      others: [{ id: other.id, name: other.name, barcode: other.barcode }],
    });
    expect(report.notices.doubtfulBarcode?.count).toBe(1);
  });

  test('a valid number of eight digits is no reason to merge two records of one source', async () => {
    const digits = ['96385074', '0000096385074'] as const;
    const [a, b] = digits.map((barcode, at) => sampleFood('off', barcode, { name: `Bread ${at}`, barcode }));
    const { catalogue, report } = await compileFoods([[a!, b!]]);
    for (const food of [a!, b!])
      expect(catalogue.findByBarcode(parseBarcode(food.barcode!))).toMatchObject({ food });
    expect(report.notices.otherDigits).toEqual({ count: 1, example: 'off:96385074 and off:0000096385074' });
  });

  test('one name under both is one product', async () => {
    const digits = ['96385074', '0000096385074'] as const;
    const foods = digits.map((barcode) => sampleFood('off', barcode, { name: 'Rye bread', barcode }));
    const { catalogue } = await compileFoods([foods]);
    expect(catalogue.info.foods).toBe(1);
  });

  test('a product known by name only is not replaced by the numbers of the other', async () => {
    const known = sampleProduct('off', '00031233', '00031233', 'Chicken with quinoa');
    const { catalogue } = await compileFoods([[long]], [known]);
    expect(catalogue.findByBarcode(parseBarcode('00031233'))).toEqual({
      known,
      others: [{ id: long.id, name: long.name, barcode: long.barcode }],
    });
    expect(catalogue.findByBarcode(parseBarcode('0000000031233'))).toMatchObject({ food: long });
  });

  test('if only one is stored, the other spelling finds it', async () => {
    const { catalogue } = await compileFoods([[long]]);
    expect(catalogue.findByBarcode(parseBarcode('00031233'))).toEqual({ food: long });
  });

  test('a custom food precedes the catalogue in its own spelling only', async () => {
    const { catalogue } = await compileFoods([[short]]);
    const custom = customFood({ key: 'own', barcode: '0000000031233' });
    expect(find([owner(custom), catalogue], '0000000031233')).toMatchObject({ food: custom });
    expect(find([owner(custom), catalogue], '00031233')).toMatchObject({ food: short });
  });

  test('a UPC-A and its EAN-13 are one number: the custom food comes first', async () => {
    const { catalogue } = await compileFoods([[sampleFood('off', '1', { barcode: '0012345678905' })]]);
    const custom = customFood({ key: 'own', barcode: '012345678905' });
    expect(find([owner(custom), catalogue], '0012345678905')).toMatchObject({ food: custom });
  });
});

describe('labels of a scale', () => {
  const label = (body: string) => body + checkDigit(body);
  const gouda = customFood({ key: 'gouda', name: 'Gouda', barcode: label('201234500250') });

  test('a custom food that was entered from one is found by another one of the same item', () => {
    expect(find([owner(gouda)], label('201234500678'))).toEqual({ food: gouda });
    expect(find([owner(gouda)], `0${label('201234500678')}`)).toEqual({ food: gouda });
    expect(find([owner(gouda)], label('201234600678'))).toBeUndefined();
    expect(find([owner(gouda)], '2012345006780')).toBeUndefined();
  });

  test('the label itself and a food with its exact number come first', async () => {
    const other = customFood({ key: 'other', name: 'Gouda, 678 g', barcode: label('201234500678') });
    expect(find([owner(gouda, other)], label('201234500678'))).toEqual({ food: other });
    const { catalogue } = await compileFoods([[sampleFood('off', 'x', { barcode: label('201234500678') })]]);
    expect(find([owner(gouda), catalogue], label('201234500678'))).toMatchObject({ food: { id: 'off:x' } });
  });

  test('a removed food is not found any more', () => {
    const foods = owner(gouda);
    foods.remove(gouda.id);
    expect(find([foods], label('201234500678'))).toBeUndefined();
  });
});
