import { expect, test } from 'vitest';
import { isSeenName, looksLike, nameKey } from './person.ts';

test.each([
  ['Ann', 'ANN'],
  ['José', 'jose'],
  ['Anna  Maria', 'anna maria'],
  ['Straße', 'STRASSE'],
  ['Élodie', `${'É'.normalize('NFD')}lodie`],
  ['Ann', 'A\u200bnn'],
  ['Bob', 'Bob\u00ad'],
  ['ΣΑΣ', 'σασ'],
])('%s and %s are one name', (a, b) => {
  expect(nameKey(a)).toBe(nameKey(b));
});

test('other letters are another name', () => {
  expect(nameKey('Анна')).not.toBe(nameKey('Инна'));
});

test.each(['\u200b', '\u00ad\u200d', '\u202eevil', '\u2066x\u2069'])('%j is not seen as it is', (name) => {
  expect(isSeenName(name)).toBe(false);
});

test.each(['Ann', 'José', 'Анна', '👩‍🍳', 'می‌خواهم'])('%s is seen as it is', (name) => {
  expect(isSeenName(name)).toBe(true);
});

test.each([
  ['Paul', 'Раul'],
  ['MAX', 'МАХ'],
  ['Bob', 'Вob'],
  ['scope', 'ѕсоре'],
  ['Zoë', 'ZOE'],
  ['Ann', 'Αnn'],
])('%s looks like %s', (one, other) => {
  expect([looksLike(one, other), looksLike(other, one)]).toEqual([true, true]);
});

test.each([
  ['Ian', 'Lan'],
  ['Ann', 'Anna'],
  ['Иван', 'Ivan'],
  ['Юлия', 'Юлий'],
])('%s does not look like %s', (one, other) => {
  expect(looksLike(one, other)).toBe(false);
});
