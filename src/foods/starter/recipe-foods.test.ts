import { readFileSync } from 'node:fs';
import { parseFoods } from '@larder/text/parse/parse-foods.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { compileFoods } from '../../../test/support/compiled-foods.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { readStarterFoods } from './starter-foods.ts';

const FORMS: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(
  readFileSync(new URL('../../../packages/text/src/parse/ranking/raw-foods.json', import.meta.url), 'utf8'),
);
const foods = new Map([...readStarterFoods()].map((food) => [food.id as string, food]));
let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...foods.values()]]));
});

function read(text: string, context: 'recipe' | 'meal') {
  const [item] = parseFoods(text, { finder: catalogue, context });
  const { food, basisAmount = 0, assumed = [], asEaten, alternatives = [] } = item!;
  return {
    food: food?.name,
    kcal: Math.round(((food?.per100.energy ?? 0) * basisAmount) / 100),
    assumed,
    asEaten,
    alternatives: alternatives.map(({ food: { id } }) => id as string),
  };
}

describe('the table of raw foods', () => {
  const pairs = Object.entries(FORMS).flatMap(([form, of]) =>
    Object.entries(of).map(([eaten, raw]) => ({ form, eaten, raw })),
  );

  test.each(pairs)('$eaten is $raw in a recipe', ({ form, eaten, raw }) => {
    const [one, other] = [foods.get(`starter:${eaten}`), foods.get(`starter:${raw}`)];
    expect([one?.basis, other?.basis]).toEqual(['g', 'g']);
    // Boiling grains, pasta and pulses takes up water.
    if (form === 'dry') expect(other!.per100.energy).toBeGreaterThan(1.4 * one!.per100.energy);
  });

  test('each shipped raw or dry food with the plain name of another one is in it', () => {
    const listed = new Set(pairs.map(({ raw }) => `starter:${raw}`));
    const names = new Set(
      [...foods.values()].filter(({ brand }) => brand === undefined).map(({ name }) => name),
    );
    const missing = [...foods.values()].filter(({ id, name }) => {
      const plain = /^(.+), (?:raw|dry)$/.exec(name)?.[1];
      return plain !== undefined && names.has(plain) && !listed.has(id);
    });
    expect(missing.map(({ id }) => id)).toEqual([]);
  });
});

describe('a recipe means foods raw or dry', () => {
  test.each([
    ['200 g rice', 'White rice, dry', 730],
    ['500 g chicken breast', 'Chicken breast, raw', 600],
    ['500 g beef', 'Beef, raw', 1110],
    ['300 g potatoes', 'Potato, raw', 231],
    ['1 cup rice', 'White rice, dry', 675],
    ['1 cup lentils', 'Lentils, dry', 676],
    ['2 chicken breasts', 'Chicken breast, raw', 653],
    ['150 g bacon', 'Bacon, raw', 626],
    ['1 cup peas', 'Green peas, raw', 117],
    ['200 g oatmeal', 'Rolled oats, dry', 778],
    ['200 g Reis', 'White rice, dry', 730],
    ['500 g Hähnchenbrust', 'Chicken breast, raw', 600],
    ['500 g Rindfleisch', 'Beef, raw', 1110],
    ['300 g Kartoffeln', 'Potato, raw', 231],
    ['200 g Nudeln', 'Pasta, dry', 742],
    ['200 g de riz', 'White rice, dry', 730],
    ['200 g de pâtes', 'Pasta, dry', 742],
    ['500 g de blanc de poulet', 'Chicken breast, raw', 600],
    ['200 g de arroz', 'White rice, dry', 730],
    ['500 g de pechuga de pollo', 'Chicken breast, raw', 600],
    ['300 g de patatas', 'Potato, raw', 231],
    ['200 g di riso', 'White rice, dry', 730],
    ['500 g di petto di pollo', 'Chicken breast, raw', 600],
    ['500 g di manzo', 'Beef, raw', 1110],
    ['500 g de peito de frango', 'Chicken breast, raw', 600],
    ['300 g de batatas', 'Potato, raw', 231],
  ])('%s: %s', (text, food, kcal) => {
    const { asEaten, alternatives, ...others } = read(text, 'recipe');
    expect(others).toEqual({ food, kcal, assumed: [food.endsWith('dry') ? 'dry' : 'raw'] });
    expect(alternatives[0]).toBe(asEaten);
    expect(FORMS[others.assumed[0]!]).toHaveProperty(asEaten!.slice('starter:'.length));
  });

  test.each([
    ['200 g cooked rice', 'Rice'],
    ['200 g leftover rice', 'Rice'],
    ['1 bowl of rice', 'Rice'],
    ['1 can chickpeas', 'Chickpeas, canned'],
    ['400 g chickpeas, drained', 'Chickpeas'],
    ['200 g roast chicken', 'Rotisserie chicken'],
    ['200 g gekochter Reis', 'White rice'],
    ['200 g Reis vom Vortag', 'White rice'],
    ['200 g Kichererbsen aus dem Glas', 'Chickpeas, canned'],
    ['500 g Salzkartoffeln', 'Boiled potatoes'],
    ['200 g de riz cuit', 'Rice'],
    ['200 g de restes de riz', 'Rice'],
    ['200 g de arroz cocido', 'Rice'],
    ['200 g di riso cotto', 'White rice'],
    ['200 g de arroz cozido', 'Rice'],
    ['200 g de sobras de arroz', 'Rice'],
  ])('unless the line says otherwise: %s', (text, food) => {
    expect(read(text, 'recipe')).toMatchObject({ food, assumed: expect.not.arrayContaining(['dry', 'raw']) });
  });

  test.each([
    ['200 g rice', 'Rice'],
    ['500 g chicken breast', 'Chicken breast'],
    ['500 g beef', 'Beef'],
    ['500 g pork', 'Pork'],
    ['200 g Nudeln', 'Pasta'],
    ['40 g oats', 'Rolled oats, dry'],
    ['200 g de riz', 'Rice'],
    ['500 g di manzo', 'Beef'],
  ])('a meal means %s as it is eaten', (text, food) => {
    expect(read(text, 'meal')).toMatchObject({ food, asEaten: undefined });
  });
});
