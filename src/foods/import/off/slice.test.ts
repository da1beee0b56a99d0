import { expect, test } from 'vitest';
import { openSlice, outsideOf } from './slice.ts';

const sold = (countries: readonly string[], languages: readonly string[] = []) => ({ countries, languages });
const isIn = (slice: Parameters<typeof openSlice>[0], market = sold([]), scans?: number) =>
  outsideOf(openSlice(slice), scans, market) === undefined;

test.each([
  ['de', 'en:germany'],
  ['gb', 'en:united-kingdom'],
  ['us', 'en:united-states'],
  ['ba', 'en:bosnia-and-herzegovina'],
  ['lc', 'en:saint-lucia'],
  ['ci', 'en:cote-d-ivoire'],
  ['re', 'en:reunion'],
  ['cz', 'en:czech-republic'],
  ['cz', 'en:czechia'],
  ['tr', 'en:turkey'],
  ['hk', 'en:hong-kong'],
])('%s is the tag %s', (country, tag) => {
  expect(isIn({ countries: [country] }, sold(['en:france', tag]))).toBe(true);
  expect(isIn({ countries: [country] }, sold(['en:france']))).toBe(false);
});

test('what is sold all over the world is sold in each country, and what says nothing in none', () => {
  expect(isIn({ countries: ['de'] }, sold(['en:world']))).toBe(true);
  expect(isIn({ countries: ['de'] })).toBe(false);
});

test('a product fulfils each criterion that is given', () => {
  const slice = { countries: ['de', 'at'], languages: ['de'], popular: 3 };
  expect(isIn(slice, sold(['en:austria'], ['fr', 'de']), 3)).toBe(true);
  expect(isIn(slice, sold(['en:austria'], ['fr']), 3)).toBe(false);
  expect(isIn(slice, sold(['en:austria'], ['de']), 2)).toBe(false);
  expect(isIn(slice, sold(['en:austria'], ['de']))).toBe(false);
  expect(isIn({ popular: 1 }, sold([]), 1)).toBe(true);
});

test.each([
  [{ countries: ['germany'] }, '"germany" is no country'],
  [{ countries: ['qq'] }, '"qq" is no country'],
  [{ languages: ['xx'] }, '"xx" is no language'],
])('%o is refused', (slice, message) => {
  expect(() => openSlice(slice)).toThrow(message);
});
