import { type Food, toFoodId } from '@larder/core/food.ts';
import { NAME_LANGUAGES } from '@larder/core/name-languages.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Catalogue } from '../../../../../src/foods/catalogue/catalogue.ts';
import { readStarterFoods } from '../../../../../src/foods/starter/starter-foods.ts';
import { compileFoods } from '../../../../../test/support/compiled-foods.ts';
import { type LanguageCode, languageOf } from '../../language.ts';
import { parseFoods } from '../parse-foods.ts';
import { addedPortionOf, mostConfidence, usualPortionOf } from './usual-portions.ts';

const FOODS = new Map<string, Food>([...readStarterFoods()].map((food) => [food.id, food]));
const food = (key: string) => FOODS.get(`starter:${key}`)!;

let finder: Catalogue;
beforeAll(async () => {
  ({ catalogue: finder } = await compileFoods([[...FOODS.values()]]));
});

test('the usual portion of a food is that of the people who ate it', () => {
  expect(usualPortionOf(food('onion'))).toMatchObject({ p5: 3.3, p50: 14, p95: 60, isOfGroup: false });
  expect(usualPortionOf({ ...food('onion'), id: toFoodId('off', '1') })).toBeUndefined();
});

test('of a food that nobody recorded it is its own serving, with the spread of its group', () => {
  const usual = usualPortionOf(food('mung-beans'))!;
  const [{ basisAmount }] = food('mung-beans').servings;
  expect(usual).toMatchObject({ p50: basisAmount, isOfGroup: true });
  expect(usual.p25).toBeLessThan(basisAmount);
  expect(usual.p75).toBeGreaterThan(basisAmount);
});

test('additions are known by host and food', () => {
  expect(addedPortionOf({ name: 'Whole milk' }, { name: 'Black tea' })).toEqual([15, 61, 122]);
  expect(addedPortionOf({ name: 'Peanut butter' }, { name: 'Toast, white' })).toEqual([16, 16, 32]);
  expect(addedPortionOf({ name: 'Ice cream' }, { name: 'Coffee, black' })).toBeUndefined();
  expect(addedPortionOf({ name: 'Whole milk' }, { name: 'Beef stew' })).toBeUndefined();
});

describe('the portion that the name alone assumes', () => {
  /** Portions of a country, which the recorded ones of another country do not bound: an espresso, a caña. */
  const OF_COUNTRY = /\((?:usual in|measures of) /;
  /** The group of its name is that of another food. */
  const MISGROUPED: ReadonlySet<string> = new Set(['starter:rice-wine']);
  /** A word of the name means a piece, a glass or a size. */
  const NAMES_A_PIECE: ReadonlySet<string> = new Set([
    'Blätterteig Platten',
    'frische dicke Bohnen',
    'Melazas de caña',
    'Petits pois en conserve',
  ]);
  /** Servings and percentiles are rounded. */
  const ROUNDING = 0.03;

  test.each(NAME_LANGUAGES)('in %s is one that people eat at one occasion', (code) => {
    const outside: string[] = [];
    let [all, atTheEdge] = [0, 0];
    for (const each of FOODS.values()) {
      const usual = usualPortionOf(each);
      const name = code === 'en' ? each.name : each.localNames?.[code]?.[0];
      if (usual === undefined || name === undefined || NAMES_A_PIECE.has(name) || each.brand !== undefined)
        continue;
      const [item, ...others] = parseFoods(name, { finder, language: languageOf(code), context: 'meal' });
      if (others.length > 0 || item?.food?.id !== each.id || item.source === undefined) continue;
      if (OF_COUNTRY.test(item.source) || MISGROUPED.has(each.id)) continue;
      const isWithin = (low: number, high: number) =>
        item.basisAmount! >= low * (1 - ROUNDING) && item.basisAmount! <= high * (1 + ROUNDING);
      all++;
      if (!isWithin(usual.p10, usual.p90)) atTheEdge++;
      if (!isWithin(usual.p5, usual.p95)) outside.push(`${name}: ${item.basisAmount}, ${item.source}`);
    }
    expect(all).toBeGreaterThan(500);
    expect(outside).toEqual([]);
    expect(atTheEdge / all).toBeLessThan(0.02);
  });
});

describe('amounts that a text does not state', () => {
  test.each<[LanguageCode, string, number]>([
    ['en', 'toast with butter', 6.3],
    ['en', 'toast with butter and jam', 14],
    ['de', 'Toast mit etwas Butter', 6.3],
    ['de', 'Toast mit ein wenig Butter', 4.7],
    ['es', 'pan con un poco de aceite', 4.5],
    ['fr', 'café au lait avec du sucre', 8.3],
    ['en', 'tea with a little milk', 15],
    ['en', 'coffee with a little sugar', 4.2],
    ['de', '2 Kekse', 20],
    ['it', '3 biscotti', 30],
    ['it', 'un cookie', 30],
    ['pt', '2 fatias de fiambre', 40],
    ['nl', 'plakje ham', 20],
    ['de', 'Arme Ritter', 65],
    ['en', 'a large portion of rice', 207],
    ['en', 'onion', 30],
    ['en', 'a little milk', 15],
    ['fr', 'quelques cacahuètes', 9.1],
    ['en', 'a few strawberries', 36],
    ['en', 'bowl of peanuts', 146],
    ['de', '3 Kartoffeln', 330],
    ['de', 'Kartoffeln', 200],
    ['pt', '1 cacho de uvas', 150],
    ['pt', '2 conchas de feijão', 200],
  ])('%s: %s', (code, text, grams) => {
    const items = parseFoods(text, { finder, language: languageOf(code), context: 'meal' });
    expect(items.at(-1)?.basisAmount).toBe(grams);
  });
});

test('no item of more than 1.5 kg is sure, nor one that hardly anybody eats', () => {
  const most = (basisAmount: number, isStated: boolean) =>
    mostConfidence(food('onion'), { basisAmount, isStated, isMeal: true });
  expect([most(30, false), most(30, true), most(110, true)]).toEqual([1, 1, 1]);
  expect(most(110, false)).toBeLessThan(0.9);
  expect(most(200, true)).toBeLessThan(0.9);
  expect(most(1_600, true)).toBe(0.6);
  expect(mostConfidence(food('onion'), { basisAmount: 1_000, isStated: true, isMeal: false })).toBe(1);
});
