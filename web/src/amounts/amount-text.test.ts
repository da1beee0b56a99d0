import { afterEach, describe, expect, test } from 'vitest';
import { ALL_TEXTS } from '../texts/all-texts.ts';
import type { Language } from '../texts/languages.ts';
import { language, texts } from '../texts/texts.ts';
import { amountText, unitName } from './amount-text.ts';

function speak(chosen: Language): void {
  language.value = chosen;
  texts.value = ALL_TEXTS[chosen];
}

afterEach(() => speak('en'));

describe('an amount as a person would say it', () => {
  test.each([
    [1, 'slice', '1 slice'],
    [2, 'slice', '2 slices'],
    [2, 'egg', '2 eggs'],
    [1, 'slices', '1 slice'],
    [0.5, 'cup', '½ cup'],
    [1.5, 'cup', '1½ cups'],
    [0.333, 'cup', '⅓ cup'],
    [2, 'large slice', '2 large slices'],
    [2, 'slice, thin', '2 slices, thin'],
    [2, 'fl_oz', '2 fl oz'],
    [2, 'zorb', '2 zorb'],
    [2, 'medium', '2 medium'],
    [355.05, 'g', '355 g'],
    [1250.4, 'g', '1,250 g'],
    [12.34, 'g', '12.3 g'],
    [0.5, 'g', '0.5 g'],
    [2.25, 'oz', '2.25 oz'],
    [20, '', '20'],
    [undefined, undefined, ''],
  ])('%s of "%s" is "%s"', (quantity, unit, text) => {
    expect(amountText(quantity, unit)).toBe(text);
  });

  test.each([
    [1, '1/4 block (81 g)', '¼ block'],
    [2, '1/4 block (81 g)', '½ block'],
    [5, '1/4 block (81 g)', '1¼ blocks'],
    [1, '10 almonds (12 g)', '10 almonds'],
    [0.1, '10 almonds (12 g)', '1 almond'],
    [3, '2 tbsp (32 g)', '6 tbsp'],
    [2, '1 1/2 cups (300 g)', '3 cups'],
    [1, '1 cup, diced (132 g)', '1 cup, diced'],
    [1, '1 6-inch sub (148 g)', '1 6-inch sub'],
    [2, '6-inch sub', '2 6-inch sub'],
    [1, '40 g', '40 g'],
    [1, '(3)', '1 (3)'],
    [3, '0 g', '3 0 g'],
  ])('%s of the label "%s" is "%s"', (quantity, unit, text) => {
    expect(amountText(quantity, unit)).toBe(text);
  });

  test.each([
    ['de', 2, 'slice', '2 Scheiben'],
    ['de', 1, 'slices', '1 Scheibe'],
    ['de', 0.5, 'slice', '½ Scheibe'],
    ['de', 1.55, 'cup', '1,55 Tassen'],
    ['de', 2, 'large slice', '2 large slice'],
    ['fr', 1.5, 'slice', '1½ tranche'],
    ['fr', 2, 'egg', '2 œufs'],
    ['es', 2, 'can', '2 latas'],
    ['it', 2, 'egg', '2 uova'],
    ['pt', 1.5, 'cup', '1½ xícara'],
    ['nl', 3, 'slices', '3 plakken'],
    ['pl', 1, 'slice', '1 plasterek'],
    ['pl', 3, 'slice', '3 plasterki'],
    ['pl', 12, 'slice', '12 plasterków'],
    ['pl', 22, 'slice', '22 plasterki'],
    ['pl', 0.5, 'cup', '½ filiżanki'],
    ['pl', 1.2, 'egg', '1,2 jajka'],
  ] as const)('in %s %s of "%s" is "%s"', (chosen, quantity, unit, text) => {
    speak(chosen);
    expect(amountText(quantity, unit)).toBe(text);
  });

  test('the name of a unit is that of one', () => {
    expect(unitName('cookies')).toBe('cookie');
    speak('de');
    expect(unitName('bottle')).toBe('Flasche');
    expect(unitName('Stück')).toBe('Stück');
  });
});
