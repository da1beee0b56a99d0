import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readStarterFoods } from '../../src/foods/starter/starter-foods.ts';
import { readPhotoLabels } from './photo-labels.ts';

const labels = readPhotoLabels();
/** The least factor between a typical amount and the ends of its range. */
const LEAST_REACH = 1.6;

describe('photo labels', () => {
  test('each refers to a starter food, without repetition', () => {
    const ids = new Set([...readStarterFoods()].map((food) => food.id));
    expect(labels.filter(({ foodId }) => !ids.has(foodId))).toEqual([]);
    expect(new Set(labels.map(({ set, label }) => `${set}/${label}`)).size).toBe(labels.length);
  });

  test('ranges reach as far as the weights of single pieces do (training/amounts.py)', () => {
    const narrow = labels.filter(
      ({ typicalAmount, lowAmount, highAmount }) =>
        lowAmount > typicalAmount / LEAST_REACH || highAmount < typicalAmount * LEAST_REACH,
    );
    expect(narrow).toEqual([]);
  });

  test('all 101 dishes of Food-101 are included', () => {
    expect(labels.filter(({ set }) => set === 'food101')).toHaveLength(101);
  });
});

const VISION = join(import.meta.dirname, '../../../shared/vision');
/** Photos of several foods, which have no single food. */
const SEVERAL_FOODS = new Set(['ecustfd/mix']);

describe.skipIf(!existsSync(VISION))('photo labels (skipped where ../shared/vision is absent)', () => {
  test.each([
    ['food101', 'food101_64.tsv'],
    ['grocery', 'grocery.tsv'],
    ['ecustfd', 'ecustfd.tsv'],
  ])('every label of %s refers to a food', (set, file) => {
    const [, ...lines] = readFileSync(join(VISION, file), 'utf8').trimEnd().split('\n');
    const wanted = new Set(lines.map((line) => line.split('\t', 1)[0]!));
    const tied = new Set(labels.filter((label) => label.set === set).map(({ label }) => label));
    expect([...wanted].filter((label) => !tied.has(label) && !SEVERAL_FOODS.has(`${set}/${label}`))).toEqual(
      [],
    );
  });
});
