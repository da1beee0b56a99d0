import { expect, test } from 'vitest';
import { nameKey } from './person.ts';

test.each([
  ['Ann', 'ANN'],
  ['José', 'jose'],
  ['Anna  Maria', 'anna maria'],
  ['Straße', 'STRASSE'],
  ['Élodie', `${'É'.normalize('NFD')}lodie`],
])('%s and %s are one name', (a, b) => {
  expect(nameKey(a)).toBe(nameKey(b));
});

test('other letters are another name', () => {
  expect(nameKey('Анна')).not.toBe(nameKey('Инна'));
});
