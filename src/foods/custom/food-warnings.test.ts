import { describe, expect, it } from 'vitest';
import { type FoodDraft, toCustomFood } from './food-draft.ts';
import { warningsOf } from './food-warnings.ts';

const STAMP = { id: 'manual:x', createdAt: 0, updatedAt: 0 } as const;

function warnedAbout(
  macros: FoodDraft['macros'],
  [value, unit] = [100, 'g'] as readonly [number, string],
): string[] {
  const food = toCustomFood({ name: 'Food', servingSize: { value, unit }, macros }, STAMP as never);
  return warningsOf(food).map(({ code, message }) => `${code}: ${message}`);
}

const ENERGY = expect.stringMatching(/^implausible_energy: /);
const nutrients = (energy: number, protein: number, fat: number, carbohydrates: number, fiber?: number) => ({
  energy,
  protein,
  fat,
  carbohydrates,
  ...(fiber !== undefined && { fiber }),
});

describe('the energy', () => {
  it.each([
    ['jam', nutrients(48, 0.1, 0, 12), [20, 'g']],
    ['oil', nutrients(884, 0, 100, 0), [100, 'g']],
    ['pure fat as some labels round it', nutrients(902, 0, 100, 0), [100, 'g']],
    ['bran with the fibre among the carbohydrates', nutrients(216, 15.6, 4.3, 64.5, 42.8), [100, 'g']],
    ['bran with the fibre beside them', nutrients(282, 15.6, 4.3, 21.7, 42.8), [100, 'g']],
    ['wine', nutrients(125, 0.1, 0, 3.9), [150, 'ml']],
    ['spirits', nutrients(231, 0, 0, 0), [100, 'ml']],
    ['water', nutrients(0, 0, 0, 0), [250, 'ml']],
    ['a serving that rounding turns into little', nutrients(10, 0, 0, 1), [10, 'g']],
  ] as const)('of %s is plausible', (_, macros, serving) => {
    expect(warnedAbout(macros, serving)).toEqual([]);
  });

  it.each([
    ['bread in kJ', nutrients(335, 2.7, 1, 15), [40, 'g'], /looks like kJ/],
    ['cola in kJ', nutrients(180, 0, 0, 10.6), [100, 'ml'], /looks like kJ/],
    ['bread of a hundred grams for a slice', nutrients(250, 2.7, 1, 15), [30, 'g'], /250 kcal .* 80 kcal/],
    ['forgotten energy', nutrients(0, 10, 10, 10), [100, 'g'], /0 kcal .* 170 kcal/],
    ['more than fat has', nutrients(904, 0, 100, 0), [100, 'g'], /904 kcal per 100 g .*902/],
  ] as const)('of %s causes a warning', (_, macros, serving, message) => {
    expect(warnedAbout(macros, serving)).toEqual([ENERGY]);
    expect(warnedAbout(macros, serving)[0]).toMatch(message);
  });
});

it.each([
  ['4006381333931', true],
  ['4006381333932', false],
  ['012345678905', true],
  ['12345678905', true],
  ['012345678906', false],
  ['96385074', true],
  ['96385075', false],
  ['01234565', true],
  ['123456', true],
  ['1234567', true],
  ['14006381333938', true],
  ['14006381333939', false],
  ['4006382', false],
])('the check digit of %s is valid: %s', (barcode, holds) => {
  const draft = {
    name: 'Food',
    barcode,
    servingSize: { value: 100, unit: 'g' },
    macros: nutrients(0, 0, 0, 0),
  };
  const codes = warningsOf(toCustomFood(draft, STAMP as never)).map(({ code, field }) => [code, field]);
  expect(codes).toEqual(holds ? [] : [['wrong_check_digit', 'barcode']]);
});

describe('zeros of a tiny serving', () => {
  it.each([
    ['an oil spray', nutrients(0, 0, 0, 0), 0.25],
    ['mustard', nutrients(0, 0, 0, 0), 5],
    ['mustard with energy', nutrients(5, 0, 0, 0), 5],
  ])('of %s cause a warning', (_, macros, grams) => {
    expect(warnedAbout(macros, [grams, 'g'])).toEqual([
      expect.stringMatching(/^rounded_zeros: .*, so 100 g may have much more/),
    ]);
  });

  it('of salt, of butter and of larger servings are not', () => {
    expect(warnedAbout({ ...nutrients(0, 0, 0, 0), sodium: 590 }, [1.5, 'g'])).toEqual([]);
    expect(warnedAbout(nutrients(36, 0, 4, 0), [5, 'g'])).toEqual([]);
    expect(warnedAbout(nutrients(0, 0, 0, 0), [100, 'g'])).toEqual([]);
    expect(warnedAbout({ energy: 5 }, [5, 'g'])).toEqual([]);
  });
});

describe('amounts', () => {
  const jam = { energy: 240, protein: 0.5, fat: 0, carbohydrates: 60 };

  it.each([
    [
      'sugars above carbohydrates',
      { sugars: 71 },
      'part_above_whole: 71 g of sugars cannot be part of 60 g of carbohydrates.',
    ],
    [
      'saturates above fat',
      { saturatedFat: 3 },
      'part_above_whole: 3 g of saturatedFat cannot be part of 0 g of fat.',
    ],
    [
      'trans fat above fat',
      { transFat: 1 },
      'part_above_whole: 1 g of transFat cannot be part of 0 g of fat.',
    ],
    [
      'added sugars above sugars',
      { sugars: 20, addedSugars: 30 },
      'part_above_whole: 30 g of addedSugars cannot be part of 20 g of sugars.',
    ],
    ['120 g of sodium', { sodium: 120_000 }, /^above_pure_substance: 120000 mg of sodium in 100 g .* mg\?$/],
    ['80 g of potassium', { potassium: 80_000 }, /^above_pure_substance: /],
    ['a gram of vitamin D', { vitaminD: 1_000_000 }, /^above_pure_substance: .* ug\?$/],
  ])('of %s cause a warning', (_, more, warning) => {
    expect(warnedAbout({ ...jam, ...more })).toEqual([expect.stringMatching(warning)]);
  });

  it('that rounding explains are plausible', () => {
    expect(warnedAbout({ ...jam, sugars: 60.4, saturatedFat: 0.2, sodium: 39_000 })).toEqual([]);
  });

  it('of a food with known energy only are not compared', () => {
    expect(warnedAbout({ energy: 150, sugars: 10 })).toEqual([]);
  });
});
