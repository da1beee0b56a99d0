import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import { parseServingText } from './serving-text.ts';
import type { MeasuredAmount } from './units.ts';

const short = (amount: MeasuredAmount | undefined) => amount && `${amount.value} ${amount.unit}`;

describe('serving texts as sources write them', () => {
  test.each([
    ['30 γρ.', '30 g'],
    ['100 γραμμάρια', '100 g'],
    ['250 μλ', '250 ml'],
    ['1 φέτα (30 γρ.)', '30 g'],
    ['1 แก้ว (200 มล.)', '200 ml'],
    ['30 กรัม', '30 g'],
    ['250ml入り', '250 ml'],
    ['1袋30g当たり', '30 g'],
    ['100 克', '100 g'],
    ['200毫升', '200 ml'],
    ['1.5公斤', '1500 g'],
    ['200ミリリットル', '200 ml'],
    ['1リットル', '1000 ml'],
    ['２００ｍｌ', '200 ml'],
    ['1枚（２０ｇ）', '20 g'],
    ['30그램', '30 g'],
    ['1컵 (200밀리리터)', '200 ml'],
    ['30 גרם', '30 g'],
    ['200 מ"ל', '200 ml'],
    ['٣٠ جم', '30 g'],
    ['30 غ', '30 g'],
    ['200 مل', '200 ml'],
    ['30 ग्राम', '30 g'],
    ['१०० ग्राम', '100 g'],
    ['100 मि.ली.', '100 ml'],
    ['0,5 л', '500 ml'],
    ['1 ложка (15 г)', '15 g'],
  ])('%j, in another script, is %s', (text, amount) => {
    const { mass, volume } = parseServingText(text);
    expect(short(mass ?? volume)).toBe(amount);
  });

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
    ['1 cup &amp; a half', undefined, undefined, '1.5 cup', '1 cup & a half'],
  ])('%j', (text, mass, volume, household, label) => {
    const read = parseServingText(text);
    expect(short(read.mass)).toBe(mass);
    expect(short(read.volume)).toBe(volume);
    expect(read.household && `${read.household.value} ${read.household.unit}`).toBe(household);
    expect(read.label).toBe(label);
  });

  test.each([
    // Several of the same
    ['2 x 21,5 g', '43 g', undefined, undefined],
    ['2x25g', '50 g', undefined, undefined],
    ['2 x 12.5g (25 g)', '25 g', undefined, undefined],
    ['4 x 25 g = 100 g', '100 g', undefined, undefined],
    ['2 x 330 ml cans', undefined, '660 ml', '2 can'],
    ['2 pots de 125 g', '250 g', undefined, '2 pot'],
    ['2 Riegel à 25 g', '50 g', undefined, '2 bar'],
    ['2 Stück (à 12,5g)', '25 g', undefined, '2 piece'],
    ['2 biscuits (12.5 g each)', '25 g', undefined, '2 biscuit'],
    ['2 bars, 25 g per bar', '50 g', undefined, '2 bar'],
    ['2 bars (50 g) per serving', '50 g', undefined, '2 bar'],
    ['1/2 package (340 g)', '340 g', undefined, '0.5 package'],
    ['2 (14 oz) cans', '28 oz', undefined, '2 can'],
    ['1 lb 4 oz', '20 oz', undefined, undefined],
    ['1 lb 16 oz', '16 oz', undefined, undefined],
    // Fractions
    ['1 ½ cups (45g)', '45 g', undefined, '1.5 cup'],
    ['2½ Scheiben = 50g', '50 g', undefined, '2.5 slice'],
    ['1/7 cake (80g)', '80 g', undefined, '0.14286 cake'],
    ['1-1/4 lb', '20 oz', undefined, undefined],
    ['1 cup plus 2 tablespoons (40 g)', '40 g', undefined, '1.125 cup'],
    ['1 cup 8 fl oz', undefined, '8 fl_oz', '1 cup'],
    // Glued to other characters
    ['1 Scheibe (ca.50g)', '50 g', undefined, '1 slice'],
    ['30.g', '30 g', undefined, undefined],
    ['1/2 cup/125 ml/130 g', '130 g', '125 ml', '0.5 cup'],
    ['5 potatoes148 g', '148 g', undefined, '5 potato'],
    ['3cookies (30g)', '30 g', undefined, '3 cookie'],
    ['approx.3 squares(30g)', '30 g', undefined, '3 square'],
    ['50гр', '50 g', undefined, undefined],
    ['1 bottle (16.9 fl oz or 500 ml)', undefined, '500 ml', '1 bottle'],
    // Units are known words, and foods that are counted
    ['1/5 OF PIZZA', undefined, undefined, '0.2 pizza'],
    ['2 large cookies (30 g)', '30 g', undefined, '2 cookie'],
    ['1 level scoop (30g)', '30 g', undefined, '1 scoop'],
    ['1 heaping tbsp (12 g)', '12 g', undefined, '1 tbsp'],
    ['2 egg rolls (85 g)', '85 g', undefined, '2 egg roll'],
    ['1 cup crackers (30 g)', '30 g', undefined, '1 cup'],
    ['5 SNOWMAN FACES (36 g)', '36 g', undefined, undefined],
    ['12 PICKLES, 1 PAK | ABOUT (58 g)', '58 g', undefined, '12 pickle'],
    ['2-3 cookies (30 g)', '30 g', undefined, undefined],
    ['30-40 g', '35 g', undefined, undefined],
    ['1 - 12 oz serving', '12 oz', undefined, undefined],
    // Text beside the serving
    ['1 serving 2 servings per 10.9 oz package', undefined, undefined, '1 serving'],
    ['1 TEA BAG (MAKES 8 FL OZ)', undefined, undefined, '1 tea bag'],
    ['Per 100 g', '100 g', undefined, undefined],
    ['1 jar Stage 2 (4 oz)', '4 oz', undefined, '1 jar'],
    // Six languages
    ['3 Kekse (30 g)', '30 g', undefined, '3 cookie'],
    ['1 EL (15 g)', '15 g', undefined, '1 tbsp'],
    ['1 Becher = 150g', '150 g', undefined, '1 tub'],
    ['3 càs (45g)', '45 g', undefined, '3 tbsp'],
    ['1 c.à.c (5g)', '5 g', undefined, '1 tsp'],
    ['1 verre (20cl)', undefined, '200 ml', '1 glass'],
    ['1 porción (30 g)', '30 g', undefined, '1 serving'],
    ['3 galletas (25 g)', '25 g', undefined, '3 cookie'],
    ['2 fette (30 g)', '30 g', undefined, '2 slice'],
    ['un vasetto da 125 g', '125 g', undefined, '1 jar'],
    ['1 colher de sopa (15 g)', '15 g', undefined, '1 tbsp'],
    ['2 unidades(20g)', '20 g', undefined, '2 piece'],
  ])('%j', (text, mass, volume, household) => {
    const read = parseServingText(text);
    expect(short(read.mass)).toBe(mass);
    expect(short(read.volume)).toBe(volume);
    expect(read.household && `${read.household.value} ${read.household.unit}`).toBe(household);
  });

  test('milligrams are marked, because most are an error', () => {
    expect(parseServingText('330 mg')).toEqual({ milligrams: 330, label: undefined });
    expect(parseServingText('1 tablet (500 mg)')).toMatchObject({
      milligrams: 500,
      household: { unit: 'tablet' },
    });
    expect(parseServingText('30 g (30000 mg)').milligrams).toBeUndefined();
  });

  test('ounces become grams, fluid ounces millilitres', () => {
    expect(parseServingText('1 oz').mass?.basisAmount).toBe(28.35);
    expect(parseServingText('2 fl oz').volume?.basisAmount).toBe(59.147);
    expect(parseServingText('1 lb').mass).toEqual({ value: 16, unit: 'oz', basisAmount: 453.592 });
  });
});

describe('packs in packs', () => {
  test.each([
    ['3 x 2 biscuits', undefined, '6 biscuit'],
    ['3 x 2 biscuits (45 g)', '45 g', '6 biscuit'],
    ['2 x 3 Kekse (30 g)', '30 g', '6 cookie'],
    ['1 x 3 Stück (45 g)', '45 g', '3 piece'],
    ['2 x 2 x 25 g', '100 g', undefined],
    ['3 x (2 x 21 g)', '126 g', undefined],
    ['2x(1 pot 125 g)', '250 g', '2 pot'],
    ['4*125 g', '500 g', undefined],
    ['2 biscuits x 12,5 g', '25 g', '2 biscuit'],
    ['2 biscotti da 12,5 g', '25 g', '2 cookie'],
    ['2 vasetti da 125 g', '250 g', '2 jar'],
    ['1 fetta da 30 g', '30 g', '1 slice'],
    ['une demi-pizza (200 g)', '200 g', '0.5 pizza'],
    ['2 x 1/2 cup (120 g)', '120 g', undefined],
    ['2 x 1.5 oz', '3 oz', undefined],
    ['10 x 5 cm', undefined, undefined],
  ])('%s', (text, mass, household) => {
    const read = parseServingText(text);
    expect(short(read.mass)).toBe(mass);
    expect(read.household && `${read.household.value} ${read.household.unit}`).toBe(household);
  });

  test('numbers of volumes are volumes', () => {
    expect(short(parseServingText('2 x 2 fl oz').volume)).toBe('4 fl_oz');
    expect(short(parseServingText('6 x 33 cl').volume)).toBe('1980 ml');
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
