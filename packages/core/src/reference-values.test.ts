import { expect, test } from 'vitest';
import { REGISTRY } from './nutrients.ts';
import { REFERENCE_VALUES, referenceValuesFor } from './reference-values.ts';

test('values follow sex and age', () => {
  const of = (source: 'efsa' | 'nih', key: string, age: number, sex?: 'female' | 'male') =>
    referenceValuesFor(source, { age, ...(sex && { sex }) }).get(key)?.value;
  expect([of('efsa', 'iron', 30, 'female'), of('efsa', 'iron', 60, 'female')]).toEqual([16, 11]);
  expect([of('nih', 'iron', 30, 'female'), of('nih', 'iron', 30, 'male')]).toEqual([18, 8]);
  expect([of('efsa', 'vitaminC', 5), of('efsa', 'vitaminC', 40), of('efsa', 'vitaminC', 40, 'male')]).toEqual(
    [30, undefined, 110],
  );
  expect(of('nih', 'calcium', 0)).toBeUndefined();
});

test('each nutrient has one value for each sex at each age, and no gap', () => {
  const named = new Set(REFERENCE_VALUES.map(({ nutrient, source }) => `${source} ${nutrient}`));
  expect(named.size).toBeGreaterThan(55);
  for (const each of named) {
    const [source, nutrient] = each.split(' ');
    expect(REGISTRY.map(({ key }) => key)).toContain(nutrient);
    for (const sex of ['female', 'male'] as const) {
      for (let age = 1; age <= 100; age++) {
        const values = REFERENCE_VALUES.filter(
          (value) =>
            value.source === source &&
            value.nutrient === nutrient &&
            (value.sex ?? sex) === sex &&
            value.fromAge <= age &&
            age <= (value.toAge ?? age),
        );
        expect([each, sex, age, values.length]).toEqual([each, sex, age, 1]);
        expect(values[0]!.value).toBeGreaterThan(0);
      }
    }
  }
});
