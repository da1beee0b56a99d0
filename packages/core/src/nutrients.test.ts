import { expect, test } from 'vitest';
import { NUTRIENTS, REQUIRED_NUTRIENTS, STATED_NUTRIENTS } from './nutrients.ts';

test('each column of a source belongs to one nutrient', () => {
  const columns = STATED_NUTRIENTS.flatMap(({ unit, fdc = [], off = [], ciqual, bls, italian }) => [
    ...fdc.flatMap(([id, number]) => [`fdc ${id}`, `fdc ${number}`]),
    ...off.map((name) => `off ${name}`),
    ...(ciqual === undefined ? [] : ciqual.split('|').map((name) => `ciqual ${name} in ${unit}`)),
    ...(bls === undefined ? [] : [`bls ${bls}`]),
    ...(italian === undefined ? [] : [`italian ${italian}`]),
  ]);
  expect(new Set(columns).size).toBe(columns.length);
});

test('required nutrients come first, since records store them without numbers', () => {
  expect(NUTRIENTS.slice(0, REQUIRED_NUTRIENTS.length).map(({ key }) => key)).toEqual(REQUIRED_NUTRIENTS);
  expect(REQUIRED_NUTRIENTS).toEqual(['energy', 'protein', 'fat', 'carbohydrates']);
});

test('small nutrients have the limit by which a misread label is recognized', () => {
  for (const { key, unit, maxPerGram } of NUTRIENTS) {
    const isSmall = unit === 'mg' || unit === 'ug';
    expect([key, maxPerGram !== undefined]).toEqual([key, isSmall]);
  }
});
