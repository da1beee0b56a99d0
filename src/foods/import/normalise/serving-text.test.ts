import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import { type MeasuredAmount, parseServingText } from './serving-text.ts';

const short = (amount: MeasuredAmount | undefined) => amount && `${amount.value} ${amount.unit}`;

describe('serving texts as sources write them', () => {
  test.each([
    ['1/3 cup (57 g)', '57 g', undefined, '0.33333 cup', '1/3 cup (57 g)'],
    ['240 m (240 ml)', undefined, '240 ml', undefined, undefined],
    ['1 ONZ (28 g)', '28 g', undefined, undefined, '1 oz (28 g)'],
    ['28.000000000000004g', '28 g', undefined, undefined, undefined],
    ['25 g (0.25 BAR)', '25 g', undefined, '0.25 bar', '25 g (0.25 bar)'],
    ['30.0 GRM', '30 g', undefined, undefined, undefined],
    ['GRM', undefined, undefined, undefined, undefined],
    ['1.0 CUP COOKED) | (DRY RICE, MAKES', undefined, undefined, '1 cup', '(dry rice, makes 1 cup cooked)'],
    ['4 PCS | ABOUT (38 g)', '38 g', undefined, '4 piece', 'about 4 pcs (38 g)'],
    ['12.0 | PACKAGE', undefined, undefined, undefined, 'package 12'],
    ['12 OZA (355 ml)', undefined, '355 ml', undefined, '12 fl oz (355 ml)'],
    ['8 fl. oz', undefined, '8 fl_oz', undefined, '8 fl. oz'],
    ['1 Tbsp (14 g)', '14 g', undefined, '1 tbsp', '1 Tbsp (14 g)'],
    ['1 1/2 cups (40g)', '40 g', undefined, '1.5 cup', '1 1/2 cups (40g)'],
    ['½ bar', undefined, undefined, '0.5 bar', '½ bar'],
    ['2,5 dl', undefined, '250 ml', undefined, '2,5 dl'],
    ['1,000 g', '1000 g', undefined, undefined, undefined],
    ['3.5 OZ (100g)', '100 g', undefined, undefined, '3.5 oz (100g)'],
    ['1 serving (28.349 g)', '28.349 g', undefined, '1 serving', '1 serving (28.349 g)'],
    ['1 pot de 125 g', '125 g', undefined, '1 pot', '1 pot de 125 g'],
    ['0 g', undefined, undefined, undefined, undefined],
    ['0.0004 g', undefined, undefined, undefined, undefined],
    ['1/0 cup (30 g)', '30 g', undefined, undefined, '1/0 cup (30 g)'],
    ['0.0001 cup (30 g)', '30 g', undefined, undefined, '0.0001 cup (30 g)'],
    ['Quantity not specified', undefined, undefined, undefined, 'Quantity not specified'],
    ['1 cup &amp; a half', undefined, undefined, '1 cup', '1 cup & a half'],
  ])('%j', (text, mass, volume, household, label) => {
    const read = parseServingText(text);
    expect(short(read.mass)).toBe(mass);
    expect(short(read.volume)).toBe(volume);
    expect(read.household && `${read.household.value} ${read.household.unit}`).toBe(household);
    expect(read.label).toBe(label);
  });

  test('ounces become grams, fluid ounces millilitres', () => {
    expect(parseServingText('1 oz').mass?.basisAmount).toBe(28.35);
    expect(parseServingText('2 fl oz').volume?.basisAmount).toBe(59.147);
    expect(parseServingText('1 lb').mass).toEqual({ value: 16, unit: 'oz', basisAmount: 453.592 });
  });
});

describe('any text', () => {
  const part = fc.oneof(
    fc.constantFrom(
      'g',
      ' ml',
      'cup',
      ' (',
      ')',
      '|',
      '/',
      '½',
      ',',
      '.',
      '0',
      '-',
      ' oz',
      'fl oz',
      '1e9',
      '00',
    ),
    fc.nat().map(String),
    fc.double().map(String),
    fc.string(),
  );

  test('never throws, and yields no infinite or zero amount', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const { mass, volume, household, label } = parseServingText(parts.join(''));
        for (const amount of [mass, volume]) {
          if (amount === undefined) continue;
          expect(amount.value).toBeGreaterThanOrEqual(0.001);
          expect(amount.basisAmount).toBeGreaterThanOrEqual(0.001);
          expect(amount.basisAmount).toBeLessThanOrEqual(5_000);
        }
        expect(household?.value ?? 1).toBeGreaterThanOrEqual(0.001);
        expect(household?.value ?? 1).toBeLessThan(Number.POSITIVE_INFINITY);
        if (label !== undefined) expect(label.length).toBeGreaterThan(0);
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('a formatted amount is parsed again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000_00 }), (hundredths) => {
        expect(parseServingText(`${hundredths / 100} g`).mass?.basisAmount).toBe(hundredths / 100);
      }),
    );
  });
});
