import { expect, test } from 'vitest';
import { foodLanguageOf, foodLanguagesOf } from './food-languages.ts';

test.each([
  ['de-AT', 'de'],
  ['zh-Hans-CN', 'zh'],
  ['pt_BR', 'pt'],
  ['no', 'nb'],
  ['nn-NO', 'nb'],
  ['hi-Latn', 'hi-Latn'],
  ['HI', 'hi'],
  ['xx', undefined],
  ['', undefined],
])('the language of %s is %s', (tag, code) => expect(foodLanguageOf(tag)).toBe(code));

test('unknown languages and repetitions are left out, and both scripts of Hindi are looked through', () => {
  expect(foodLanguagesOf(['de-AT', 'xx', 'de', 'hi'])).toEqual(['de', 'hi', 'hi-Latn']);
});
