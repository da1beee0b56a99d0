import type { Food } from 'larder-client';
import { describe, expect, it } from 'vitest';
import {
  householdOf,
  inUnit,
  measureOf,
  nutrientsOf,
  proposedIn,
  sizeOf,
  unitChoices,
} from './food-amounts.ts';

const macros = { energy: 117, protein: 12.8, fat: 7.1, carbohydrates: 2.2 };
const per100 = { energy: 144.4, protein: 15.8, fat: 8.8, carbohydrates: 2.7 };
const tofu = {
  ...{
    id: 'starter:tofu',
    name: 'Tofu',
    macros,
    per100,
    source: 'public_dataset',
    createdAt: '',
    updatedAt: '',
  },
  servingSize: { value: 81, unit: 'g', label: '1/4 block (81 g)' },
  servings: [
    { value: 81, unit: 'g', label: '1/4 block (81 g)', grams: 81 },
    { value: 0.25, unit: 'block', label: '1/4 block (81 g)', grams: 81 },
    { value: 1, unit: 'cup', label: '1 cup, shredded (113 g)', grams: 113 },
    { value: 1, unit: 'cup, diced', label: '1 cup, diced (132 g)', grams: 132 },
    { value: 1, unit: '10 pieces (142 g)', label: '10 pieces (142 g)', grams: 142 },
    { value: 3, unit: 'oz', label: '3 oz (85 g)', grams: 85 },
  ],
} as Food;
const bar = {
  ...tofu,
  id: 'manual:bar',
  servingSize: { value: 50, unit: 'g', label: '1 bar (50 g)' },
  servings: [{ value: 50, unit: 'g', label: '1 bar (50 g)', grams: 50 }],
} as Food;
const { per100: _, ...unweighed } = tofu;
const soup = {
  ...unweighed,
  servingSize: { value: 2, unit: 'ladle' },
  servings: [
    { value: 2, unit: 'ladle' },
    { value: 3, unit: 'cup' },
  ],
} as Food;
const drink = {
  ...tofu,
  servingSize: { value: 250, unit: 'ml', label: '1 glass (250 ml)' },
  servings: [{ value: 250, unit: 'ml', label: '1 glass (250 ml)', milliliters: 250 }],
} as Food;

describe('one of a unit', () => {
  it.each([
    [tofu, 'block', 324],
    [tofu, 'cup', 113],
    [tofu, 'cup, diced', 132],
    [tofu, '10 pieces (142 g)', 142],
    [tofu, '1/4 block (81 g)', 81],
    [tofu, 'oz', 28.349523125],
    [tofu, 'g', 1],
    [tofu, 'tbsp', 113 / 16],
    [tofu, 'serving', 81],
    [tofu, 'slice', undefined],
    [bar, 'bar', 50],
    [bar, 'cup', undefined],
    [drink, 'glass', 250],
    [drink, 'fl_oz', 29.5735295625],
    [drink, 'cup', 236.5882365],
    [drink, 'l', 1000],
    [soup, 'cup', undefined],
  ])('of $name: %s', (food, unit, size) => {
    const found = sizeOf(food, unit);
    if (size === undefined) expect(found).toBeUndefined();
    else expect(found).toBeCloseTo(size, 9);
  });
});

it('lists each unit of a food once, and the name of a serving in grams', () => {
  expect(unitChoices(tofu, false)).toEqual([
    ['block', 'block (324 g)'],
    ['cup', 'cup (113 g)'],
    ['cup, diced', 'cup, diced (132 g)'],
    ['10 pieces (142 g)', '10 pieces (142 g)'],
    ['oz', 'oz'],
    ['g', 'g'],
  ]);
  expect(unitChoices(bar, true)).toEqual([
    ['bar', 'bar (50 g)'],
    ['oz', 'oz'],
    ['g', 'g'],
  ]);
  expect(unitChoices(drink, true).map(([, words]) => words)).toEqual([
    'glass (250 ml)',
    'fl oz (29.6 ml)',
    'cup (237 ml)',
    'ml',
  ]);
  expect(unitChoices(soup, true).map(([unit]) => unit)).toEqual(['ladle', 'cup']);
});

it('tells the energy of an amount', () => {
  expect(nutrientsOf(tofu, 0.25, 'block').energy).toBeCloseTo((144.4 * 81) / 100, 9);
  expect(nutrientsOf(soup, 1, 'ladle').energy).toBe(117 / 2);
  expect(nutrientsOf(soup, 1, 'g')).toEqual({});
  expect(nutrientsOf({ ...tofu, unknown: ['protein'] }, 1, 'g').protein).toBeUndefined();
  expect(nutrientsOf(tofu, Number.NaN, 'g')).toEqual({});
});

it('knows the household unit of the usual serving', () => {
  expect(householdOf(tofu, 81)).toBe('block');
  expect(householdOf(bar, 50)).toBe('bar');
});

it('converts, and proposes no number of one unit with another', () => {
  expect(measureOf(tofu, 2, 'oz')).toBeCloseTo(56.7, 1);
  expect(inUnit(tofu, 1, 'block', 'g')).toBe(324);
  expect(proposedIn(soup, 2, 'ladle', 'cup')).toBe(3);
  expect(proposedIn(soup, 2, 'ladle', 'g')).toBeUndefined();
});
