import { beforeAll, describe, expect, test } from 'vitest';
import type { Catalogue } from '../../../../../src/foods/catalogue/catalogue.ts';
import { readStarterFoods } from '../../../../../src/foods/starter/starter-foods.ts';
import { compileFoods } from '../../../../../test/support/compiled-foods.ts';
import { languageOfTag } from '../../language.ts';
import { parseFoods } from '../parse-foods.ts';
import type { ParsedItem } from '../parsed-item.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

function read(text: string, tag?: string): ParsedItem {
  const language = tag === undefined ? undefined : languageOfTag(tag);
  return parseFoods(text, { finder: catalogue, language })[0]!;
}

function gramsOf(text: string, tag?: string): number {
  return Math.round(10 * read(text, tag).basisAmount!) / 10;
}

describe('a length is weighed by the food’s weight per centimeter', () => {
  test.each([
    ['8 cm cucumber', 80],
    ['3-inch piece of ginger', 45.7],
    ['a 2 cm knob of ginger', 12],
    ['1 (10-cm) piece leek', 60],
    ['two 5 cm cinnamon sticks', 4.5],
    ['20 mm ginger', 12],
    ['8 inch baguette', 91.4],
    ['12 cm Gurke', 120],
    ['4 cm de gingembre', 24],
    ['un morceau de gingembre de 4 cm', 24],
    ['un trozo de jengibre de 2 cm', 12],
    ['4 cm di zenzero', 24],
    ['10 inch pizza', 380],
  ])('%s', (text, grams) => {
    expect(gramsOf(text)).toBeCloseTo(grams, 0);
  });
});

describe('portions are those of the language and region', () => {
  test.each([
    ['un caffè', 'it', 30],
    ['tre caffè', 'it', 90],
    ['ein Kaffee', 'de', 150],
    ['un café', 'fr', 60],
    ['un café', 'es', 100],
    ['a coffee', 'en', 240],
    ['a coffee', 'en-GB', 230],
    ['a large coffee', 'en', 590],
    ['flat white', 'en', 170],
    ['ein Tee', 'de', 200],
    ['a pint of beer', 'en', 473.2],
    ['a pint of beer', 'en-GB', 568.3],
    ['a pint of milk', 'en-GB', 568.3],
    ['a beer', 'en-GB', 568],
    ['ein kleines Bier', 'de', 300],
    ['Bier 0,3', 'de', 300],
    ['0,5 Cola', 'de', 500],
    ['acqua 0.5', 'it', 500],
    ['0.5 beer', 'en', 177.5],
    ['0,5 Banane', 'de', 59],
    ['kieliszek wódki', 'pl', 40],
    ['2 piwa', 'pl', 1000],
    ['een biertje', 'nl', 250],
    ['1 Halbe Bier', 'de', 500],
    ['una birra piccola', 'it', 200],
    ['una caña de cerveza', 'es', 200],
    ['un demi de bière', 'fr', 250],
    ['a small glass of red wine', 'en-GB', 125],
    ['a glass of red wine', 'en-GB', 175],
    ['a large glass of red wine', 'en-GB', 250],
    ['a glass of red wine', 'en', 150],
    ['2 slices of white bread', 'en-GB', 72],
    ['3 Scheiben Brot', 'de', 135],
    ['tre fette biscottate', 'it', 27],
    ['330 ml beer', 'en-GB', 330],
    ['2 x 500 ml Bier', 'de', 1000],
  ])('%s (%s)', (text, tag, grams) => {
    expect(gramsOf(text, tag)).toBe(grams);
  });

  test('the source names the list that a portion is from', () => {
    expect(read('un caffè', 'it').source).toBe('typical portion of 30 ml (usual in Italy)');
  });

  test('a large pizza weighs more than a small one', () => {
    const weights = ['1 small pizza', '1 pizza', '1 large pizza'].map((text) => gramsOf(text));
    expect(weights).toEqual(weights.toSorted((a, b) => a - b));
    expect(new Set(weights).size).toBe(3);
  });
});

describe('named pieces and spoons', () => {
  test.each([
    ['3 lettuce leaves', 24],
    ['4 basil leaves', 2],
    ['juice of 2 lemons', 90],
    ['Saft von 2 Zitronen', 90],
    ['zest of 1 orange', 8],
    ['2 gr. Kartoffeln', 598],
    ['3 kl. Zwiebeln', 210],
    ['3 gr. Salz', 3],
    ['1 geh. TL Zucker', 6.3],
    ['1 gestr. TL Zucker', 4.2],
    ['un cucchiaino colmo di zucchero', 6.3],
    ['1 media cebolla', 55],
    ['1 cup panko', 52],
  ])('%s', (text, grams) => {
    expect(gramsOf(text)).toBeCloseTo(grams, 0);
  });

  test('the zest and juice of a lemon are the whole lemon', () => {
    expect(gramsOf('1 lemon, zest and juice')).toBe(gramsOf('1 lemon'));
  });

  test('"gr." in the meaning of large is not reported as grams', () => {
    expect(read('2 gr. Kartoffeln').amount).toMatchObject({ quantity: 2, size: 'large' });
    expect(read('2 gr. Kartoffeln').amount).not.toHaveProperty('unit');
    expect(read('3 gr. Salz').amount).toMatchObject({ quantity: 3, unit: 'g' });
  });

  test('words of the preparation count no pieces', () => {
    expect(gramsOf('1 apple, cut into 12 thin slices')).toBe(gramsOf('1 apple'));
    expect(gramsOf('1 onion, cut into small wedges')).toBe(gramsOf('1 onion'));
    expect(gramsOf('1 onion, cut into ½-inch-thick slices')).toBe(gramsOf('1 onion'));
    expect(gramsOf('½ raw chicken breast, sliced into strips')).toBe(gramsOf('½ raw chicken breast'));
  });
});

test("a word of the food's own name is not a piece of it", () => {
  expect(read('a cinnamon bun').source).not.toMatch(/^typical/);
  expect(gramsOf('a couple of slices of white bread')).toBe(gramsOf('2 slices of white bread'));
  expect(gramsOf('a whole orange')).toBe(gramsOf('1 orange'));
});

test('an amount of 0 is reported', () => {
  const [item] = parseFoods('0 eggs', { finder: catalogue });
  expect(item).toMatchObject({ food: { name: 'Egg' }, amount: { quantity: 0 }, basisAmount: 0 });
});

test('milliliters count before rounded ounces', () => {
  expect(read('50ml/2oz olive oil').source).toMatch(/^serving "/);
});
