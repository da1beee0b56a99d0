import { FOOD_LANGUAGES } from '@larder/core/food-languages.ts';
import { expect, test } from 'vitest';
import { servingLabelIn } from './food-json.ts';
import SERVING_WORDS from './serving-words.json' with { type: 'json' };

test.each([
  ['1 slice (28 g)', 'de', '1 Scheibe (28 g)'],
  ['2 slices (56 g)', 'de', '2 Scheiben (56 g)'],
  ['1/2 cup, sliced (52 g)', 'de', '1/2 Tasse (52 g)'],
  ['1.5 cup (244.5 ml)', 'fr', '1,5 tasse (244,5 ml)'],
  ['1 cup (240 ml)', 'pl', '1 szklanka (240 ml)'],
  ['2 cup (480 ml)', 'pl', '2 szklanki (480 ml)'],
  ['5 slice (140 g)', 'pl', '5 kromek (140 g)'],
  ['2 tbsp (32 g)', 'ru', '2 ст. л. (32 g)'],
  ['3 piece (30 g)', 'ar', '3 قطع (30 g)'],
  ['20 piece (30 g)', 'ro', '20 de bucăți (30 g)'],
  ['1 pot (125 g)', 'de', '1 pot (125 g)'],
  ['1 slice (28 g)', 'en', '1 slice (28 g)'],
  ['1 slice (28 g)', undefined, '1 slice (28 g)'],
  [undefined, 'de', undefined],
] as const)('the serving "%s" in %s is "%s"', (label, language, text) => {
  expect(servingLabelIn(label, language)?.replaceAll('\u00a0', ' ')).toBe(text);
});

test('every language names the same units', () => {
  const units = Object.keys(SERVING_WORDS.de);
  for (const [language, words] of Object.entries(SERVING_WORDS)) {
    expect(FOOD_LANGUAGES).toContain(language);
    expect(Object.keys(words)).toEqual(units);
  }
});
