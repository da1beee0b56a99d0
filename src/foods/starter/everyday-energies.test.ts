import { describe, expect, test } from 'vitest';
import { readStarterFoods } from './starter-foods.ts';
import { GENERIC_TABLE, readTable, STARTER_COLUMNS } from './starter-table.ts';

const foods = new Map([...readStarterFoods()].map((food) => [food.id as string, food]));

/**
 * Energy in kcal per 100 g or ml that tables state for foods as people eat them: USDA FNDDS 2021-2023 and SR
 * Legacy, CIQUAL 2025, BLS 2025; the range includes those that have the food.
 */
const RANGES: readonly (readonly [key: string, low: number, high: number, table: string])[] = [
  // Drinks as they are drunk.
  ['tea-with-milk', 6, 13, 'SR Legacy: tea, and 30 ml of milk in a cup'],
  ['cappuccino', 20, 45, 'FNDDS Coffee, Cappuccino'],
  ['skim-milk', 30, 40, 'BLS Milch entrahmt'],
  ['rice-milk', 40, 60, 'FNDDS Rice milk'],
  ['fresh-orange-juice', 38, 52, 'CIQUAL Orange juice, home-made'],
  ['carrot-juice', 20, 45, 'SR Legacy Carrot juice, canned; BLS Möhrensaft'],
  // Soups as they are served.
  ['tomato-soup', 25, 65, 'SR Legacy Soup, tomato, prepared with water; BLS Tomatensuppe'],
  ['potato-soup', 50, 100, 'FNDDS Soup, potato'],
  ['chicken-noodle-soup', 25, 60, 'FNDDS Soup, chicken noodle'],
  ['chicken-stock', 3, 16, 'SR Legacy Soup, chicken broth, ready-to-serve; BLS Hühnerbrühe'],
  ['beef-stock', 5, 20, 'SR Legacy Soup, stock, beef'],
  // Grains, pasta, potatoes and pulses, boiled.
  ['rice', 110, 140, 'SR Legacy Rice, white, cooked; BLS Reis gekocht'],
  ['white-rice', 110, 140, 'SR Legacy Rice, white, cooked'],
  ['pasta', 125, 165, 'SR Legacy Pasta, cooked; CIQUAL Pâtes, cuites'],
  ['couscous', 105, 180, 'SR Legacy Couscous, cooked'],
  ['quinoa', 110, 150, 'SR Legacy Quinoa, cooked'],
  ['potato', 75, 95, 'SR Legacy Potatoes, boiled; CIQUAL; BLS Kartoffel gekocht'],
  ['boiled-potatoes', 75, 95, 'SR Legacy Potatoes, boiled'],
  ['baked-potato', 85, 110, 'SR Legacy Potatoes, baked'],
  ['beans', 100, 145, 'SR Legacy Beans, kidney, boiled'],
  ['lentils', 90, 125, 'SR Legacy Lentils, boiled'],
  ['chickpeas', 120, 170, 'SR Legacy Chickpeas, boiled'],
  ['semolina-porridge', 90, 120, 'BLS Grießbrei'],
  ['cream-of-wheat', 45, 60, 'SR Legacy Cereals, farina, cooked with water'],
  ['oatmeal-with-water', 55, 75, 'FNDDS Oatmeal, made with water'],
  ['rice-pudding', 95, 145, 'SR Legacy Puddings, rice, ready-to-eat'],
  // The same, dry or raw.
  ['white-rice-dry', 340, 370, 'SR Legacy Rice, white, raw; BLS'],
  ['pasta-dry', 340, 375, 'SR Legacy Pasta, dry; CIQUAL'],
  ['lentils-dry', 320, 360, 'SR Legacy Lentils, raw'],
  ['rolled-oats-dry', 350, 390, 'SR Legacy Cereals, oats; BLS Haferflocken'],
  ['potato-raw', 70, 85, 'SR Legacy Potatoes, raw'],
  ['beef-raw', 120, 260, 'SR Legacy Beef, composite of retail cuts, raw'],
  ['chicken-raw', 105, 130, 'SR Legacy Chicken, meat only, raw'],
  ['chicken-breast-raw', 100, 125, 'SR Legacy Chicken breast, raw; CIQUAL'],
  ['pork-raw', 140, 240, 'SR Legacy Pork, composite of retail cuts, raw'],
  ['salmon-raw', 140, 215, 'SR Legacy Salmon, Atlantic, raw'],
  // Meat, fish and eggs, cooked.
  ['chicken-breast', 140, 170, 'FNDDS Chicken breast, baked; SR Legacy'],
  ['beef-steak', 170, 260, 'FNDDS Beef, steak'],
  ['salmon', 170, 230, 'SR Legacy Salmon, cooked'],
  ['cod', 80, 110, 'SR Legacy Cod, cooked'],
  ['trout', 140, 195, 'SR Legacy Trout, cooked; BLS Forelle gegrillt'],
  ['shrimp', 85, 125, 'SR Legacy Shrimp, cooked; CIQUAL Crevette, bouillie'],
  ['boiled-egg', 130, 160, 'SR Legacy Egg, hard-boiled; CIQUAL'],
  // Vegetables and fruit.
  ['canned-whole-tomatoes', 14, 25, 'SR Legacy Tomatoes, canned'],
  ['crushed-tomatoes', 25, 40, 'SR Legacy Tomatoes, crushed, canned'],
  ['carrot', 30, 45, 'SR Legacy Carrots, raw'],
  ['tomatoes-cooked', 15, 28, 'SR Legacy Tomatoes, cooked; BLS Tomate gekocht'],
  ['red-bell-pepper-cooked', 22, 35, 'SR Legacy Peppers, red, boiled'],
  ['apple', 48, 64, 'SR Legacy Apples, raw; FNDDS Apple, raw'],
  ['banana', 85, 100, 'SR Legacy Bananas, raw'],
  // Dishes.
  ['sushi', 120, 175, 'BLS Sushi mit Lachs; CIQUAL Sushi'],
  ['cheese-pizza', 220, 290, 'FNDDS Pizza, cheese'],
  ['hummus', 160, 280, 'SR Legacy Hummus; CIQUAL Houmous'],
];

describe('everyday foods have the energy that tables state', () => {
  test.each(RANGES)('%s: %d to %d kcal (%s)', (key, low, high) => {
    const energy = foods.get(`starter:${key}`)?.per100.energy;
    expect(energy).toBeGreaterThanOrEqual(low);
    expect(energy).toBeLessThanOrEqual(high);
  });
});

test('a cup of tea with milk has 15 to 30 kcal', () => {
  const { per100, servings } = foods.get('starter:tea-with-milk')!;
  const cup = servings.find(({ unit }) => unit === 'cup')!;
  expect(cup.basisAmount).toBe(240);
  expect((per100.energy * cup.basisAmount) / 100).toBeGreaterThan(15);
  expect((per100.energy * cup.basisAmount) / 100).toBeLessThan(30);
});

/** Foods with fibre or sweeteners that give less energy, and extracts with alcohol. */
const OTHER_ENERGY = new Set([
  ...['baking-powder', 'stevia', 'almond-extract', 'vanilla-extract', 'vanilla-paste', 'budweiser-beer'],
  ...['cocoa-powder-unsweetened', 'seaweed-dried', 'spirulina', 'oat-bran', 'wheat-bran'],
]);

test('energy is that of protein, fat and carbohydrate', () => {
  const rows = readTable(GENERIC_TABLE, STARTER_COLUMNS).filter(
    ({ values: { key, category } }) => !/alcohol|herbs-spices/.test(category) && !OTHER_ENERGY.has(key),
  );
  const differ = rows.filter(({ values: { energy, protein, fat, carbohydrates } }) => {
    const computed = 4 * Number(protein) + 9 * Number(fat) + 4 * Number(carbohydrates);
    return Math.abs(Number(energy) - computed) > Math.max(25, 0.25 * computed);
  });
  expect(differ.map(({ values: { key } }) => key)).toEqual([]);
});
