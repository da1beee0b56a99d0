import { expect, test } from 'vitest';
import { ADDITIONAL_DESCRIPTION, aliasesIn, COMMON_NAME } from './field-texts.ts';

test('common names are aliases, without the codes among them', () => {
  expect(aliasesIn(COMMON_NAME, 'URMIS #1116, Filet Mignon, Beef Medallions', 'Beef, loin')).toEqual([
    'Filet Mignon',
    'Beef Medallions',
  ]);
});

test('an additional description counts only with its food', () => {
  expect(aliasesIn(ADDITIONAL_DESCRIPTION, 'banana; NS as to kind', 'Daiquiri, frozen')).toEqual([
    'Daiquiri banana',
  ]);
});

test('other attributes are not aliases', () => {
  expect(aliasesIn(999, '9602', 'Milk')).toEqual([]);
});
