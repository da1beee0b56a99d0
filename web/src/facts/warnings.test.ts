import type { FoodFacts } from 'larder-client';
import { expect, it } from 'vitest';
import { FURTHER_NUTRIENTS } from '../../../packages/core/src/nutrients.ts';
import { LANGUAGE_CODES } from '../texts/languages.ts';
import { FURTHER_FACTS, furtherName } from './nutrient-names.ts';
import type { OwnDiet } from './own-diet.ts';
import { texts } from './texts/en.ts';
import { warningsOf } from './warnings.ts';

const facts = (parts: Partial<FoodFacts>): FoodFacts => ({
  foodId: 'off:1',
  per: 'g',
  nutrients: {},
  sources: [],
  ...parts,
});
const MILK: OwnDiet = { diet: undefined, allergens: ['milk', 'nuts'] };
const warn = (stated: FoodFacts | undefined, own = MILK) =>
  warningsOf(stated, own, (word) => word in texts.allergens);

it('tells what is stated, and traces of what is not stated', () => {
  const stated = facts({ allergens: ['en:milk', 'en:eggs'], traces: ['en:milk', 'en:nuts'] });
  expect(warn(stated)).toEqual({ states: ['milk'], traces: ['nuts'], otherWords: [], isUnstated: false });
});

it('takes nothing for stated where there are no facts, no ingredients, or those of FoodData Central', () => {
  for (const unstated of [undefined, facts({}), facts({ dataType: 'Branded', ingredients: { en: 'MILK' } })])
    expect(warn(unstated).isUnstated).toBe(true);
  expect(warn(facts({ ingredients: { en: 'dates' } })).isUnstated).toBe(false);
});

it('tells words for allergens that it does not know, since each may be the one to avoid', () => {
  expect(warn(facts({ allergens: ['en:milk', 'de:irgendwas'] })).otherWords).toEqual(['irgendwas']);
  const vegan: OwnDiet = { diet: 'vegan', allergens: [] };
  expect(warn(facts({ allergens: ['de:irgendwas'], vegan: 'yes' }), vegan).otherWords).toEqual([]);
});

it('never takes an unknown diet for a fitting one', () => {
  const vegan: OwnDiet = { diet: 'vegan', allergens: [] };
  expect(warn(facts({ vegan: 'yes' }), vegan).diet).toBeUndefined();
  expect(warn(facts({ vegan: 'maybe' }), vegan).diet).toBe('maybe');
  expect(warn(facts({ vegan: 'no' }), vegan).diet).toBe('no');
  expect(warn(facts({ vegetarian: 'yes' }), vegan).diet).toBe('unknown');
  expect(warn(undefined, vegan).diet).toBe('unknown');
});

it.each(LANGUAGE_CODES)('names every nutrient of facts in %s, each by another name', (language) => {
  const names = FURTHER_FACTS.map((key) => furtherName(key, language));
  expect(FURTHER_FACTS).toEqual(FURTHER_NUTRIENTS.map(({ key }) => key));
  expect(names.every((name) => name.trim() === name && name.length > 1)).toBe(true);
  expect(new Set(names).size).toBe(names.length);
});
