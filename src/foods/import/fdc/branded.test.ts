import { describe, expect, test } from 'vitest';
import { type BrandedFields, brandedPart } from './branded.ts';

const NOTHING: BrandedFields = {
  gtinUpc: '',
  brandName: '',
  brandOwner: '',
  servingSize: undefined,
  servingSizeUnit: '',
  householdText: '',
  modifiedAt: undefined,
  ingredients: '',
  category: '',
  country: '',
  packageWeight: '',
};

test('the brand takes precedence over its owner, and an owner loses its location number', () => {
  expect(brandedPart({ ...NOTHING, brandName: 'TALENTI', brandOwner: 'Conopco Inc.' }).brand).toBe('TALENTI');
  expect(brandedPart({ ...NOTHING, brandOwner: 'The Cola Company-0049000000016' }).brand).toBe(
    'The Cola Company',
  );
  expect(brandedPart({ ...NOTHING, brandOwner: 'Bakers US (0074819091009)' }).brand).toBe('Bakers US');
});

test('unstated fields are absent', () => {
  expect(brandedPart(NOTHING)).toEqual({});
});

describe('units in the data', () => {
  test.each([
    [30, 'g', '1/4 cup', 'g', { text: '1/4 cup', quantity: 30, unit: 'g' }],
    [28, 'GRM', '1 ONZ', 'g', { text: '1 ONZ', quantity: 28, unit: 'g' }],
    [34, 'GM', '', 'g', { quantity: 34, unit: 'g' }],
    [240, 'MLT', '0.333 cup', 'ml', { text: '1/3 cup', quantity: 240, unit: 'ml' }],
    [90, 'MG', '1/2 cup', undefined, { text: '1/2 cup', quantity: 90, unit: 'g' }],
    [2_400, 'MG', '1 tablet', undefined, { text: '1 tablet' }],
    [30, 'IU', '3 Tbsp', undefined, { text: '3 Tbsp', quantity: 30, unit: 'g' }],
    [240, '', '8 OZA', 'ml', { text: '8 OZA', quantity: 240, unit: 'ml' }],
    [56, '', 'Amount per serving', undefined, { quantity: 56, unit: 'g' }],
    [0, 'g', 'none', 'g', undefined],
  ])('%s %s, "%s"', (servingSize, servingSizeUnit, householdText, basis, serving) => {
    const part = brandedPart({ ...NOTHING, servingSize, servingSizeUnit, householdText });
    expect(part.basis).toBe(basis);
    expect(part.servings).toEqual(serving && [serving]);
  });
});
