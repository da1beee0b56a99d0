import { expect, test } from 'vitest';
import { FURTHER_NUTRIENTS, NUTRIENTS, REGISTRY, REQUIRED_NUTRIENTS, STATED_NUTRIENTS } from './nutrients.ts';

test('each column of a source belongs to one nutrient', () => {
  const columns = STATED_NUTRIENTS.flatMap(({ fdc = [], off = [] }) => [
    ...fdc.flatMap(([id, number]) => [`fdc ${id}`, `fdc ${number}`]),
    ...off.map((name) => `off ${name}`),
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

test('the registry names each nutrient once, and each further one by a column of its own', () => {
  const keys = REGISTRY.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.length).toBeGreaterThan(80);
  const columns = [...NUTRIENTS, ...FURTHER_NUTRIENTS].flatMap(({ fdc = [], off = [] }) => [
    ...fdc.flat(),
    ...off,
  ]);
  expect(new Set(columns).size).toBe(columns.length);
  expect(FURTHER_NUTRIENTS.filter(({ fdc, off }) => fdc === undefined && off === undefined)).toEqual([]);
});
