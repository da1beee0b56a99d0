import { expect, test } from 'vitest';
import { ADDITIONAL_DESCRIPTION, aliasesIn, COMMON_NAME } from './field-texts.ts';

test('common names are names, without the codes among them', () => {
  expect(aliasesIn(COMMON_NAME, 'URMIS #1116, Filet Mignon, Beef Medallions', 'Beef, loin')).toEqual([
    'Filet Mignon',
    'Beef Medallions',
  ]);
});

test('a description only counts with the food that it describes', () => {
  expect(aliasesIn(ADDITIONAL_DESCRIPTION, 'banana; NS as to kind', 'Daiquiri, frozen')).toEqual([
    'Daiquiri banana',
  ]);
});

test('other attributes are no names', () => {
  expect(aliasesIn(999, '9602', 'Milk')).toEqual([]);
});
