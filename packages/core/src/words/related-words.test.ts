import { expect, test } from 'vitest';
import KINDS_OF_FOOD from './kinds-of-food.json' with { type: 'json' };
import { kindsOf, MAX_PHRASE_WORDS, sameFoods } from './related-words.ts';
import SAME_FOOD from './same-food.json' with { type: 'json' };
import { tokenise } from './tokenise.ts';

const LISTED = [...SAME_FOOD.flat(), ...KINDS_OF_FOOD.flatMap(({ sorts, kind }) => [...sorts, kind])];

test('each phrase is stored as names are folded', () => {
  for (const phrase of LISTED) expect(tokenise(phrase, 9).join(' ')).toBe(phrase);
});

test('no phrase has more words than are looked up', () => {
  const sorts = KINDS_OF_FOOD.flatMap((group) => group.sorts);
  expect(sorts.filter((phrase) => phrase.split(' ').length > MAX_PHRASE_WORDS)).toEqual([]);
});

test('no group repeats a phrase or another group', () => {
  for (const group of SAME_FOOD) expect(group).toEqual([...new Set(group)]);
  const groups = SAME_FOOD.map((group) => group.toSorted().join());
  expect(groups).toEqual([...new Set(groups)]);
  for (const group of SAME_FOOD) expect(group.length).toBeGreaterThan(1);
});

test('no food has the same kind twice, or is its own kind', () => {
  const pairs = KINDS_OF_FOOD.flatMap(({ sorts, kind }) => sorts.map((sort) => `${sort} > ${kind}`));
  expect(pairs).toEqual([...new Set(pairs)]);
  expect(KINDS_OF_FOOD.filter(({ sorts, kind }) => sorts.includes(kind))).toEqual([]);
});

test('each phrase finds its group and only varieties find a kind, also in the plural', () => {
  expect(sameFoods('eggplants')).toEqual(['aubergine', 'brinjal']);
  expect(kindsOf('merlot')).toEqual(['red wine']);
  expect(kindsOf('red wine')).toEqual([]);
});
