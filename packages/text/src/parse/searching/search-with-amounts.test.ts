import { describe, expect, it } from 'vitest';
import { searchWithAmounts } from './search-with-amounts.ts';

interface Found {
  readonly food: { readonly id: string; readonly name: string; readonly brand?: string };
  readonly score: number;
}

const found = (name: string, score: number, brand?: string): Found => ({
  food: { id: name, name, ...(brand !== undefined && { brand }) },
  score,
});

/** Returns the queries sent to a search with these results, and the names found. */
function searching(query: string, answers: Readonly<Record<string, readonly Found[]>>, limit = 20) {
  const asked: string[] = [];
  const hits = searchWithAmounts(query, limit, (text, most) => {
    asked.push(text);
    return (answers[text] ?? []).slice(0, most);
  });
  return { asked, names: hits.map(({ food }) => food.name) };
}

describe('texts without an amount are searched once, as typed', () => {
  it.each([
    ...[
      'greek yogurt',
      'a banana',
      'half and half',
      '7 up',
      '2% milk',
      '100 grand',
      '5 gum',
      'v8',
      'omega 3',
    ],
    ...['slice of life', '3 musketeers', 'one a day', 'cup noodles', 'egg white', 'pound cake', 'cup a soup'],
    ...[
      'cup of soup',
      'Kraft singles slices',
      '3 bean salad',
      '4 cheese pizza',
      '3 in 1 coffee',
      'single cream',
    ],
    ...['200 g', '2 x 330 ml', 'slice of', '2 e', 'two', '737628064502', '%', ''],
  ])('%s', (query) => {
    expect(searching(query, {}).asked).toEqual([query]);
  });
});

describe('the search text without its amounts', () => {
  it.each([
    ['2 eggs', 'eggs'],
    ['2 eg', 'eg'],
    ['200 g rice', 'rice'],
    ['slice of pizza', 'pizza'],
    ['2x330 ml cola', 'cola'],
    ['two 330ml bottles of beer', 'beer'],
    ['2 eggs and 3 slices of toast', 'eggs and toast'],
    ["1 cuillère à soupe d'huile", 'huile'],
    ['cola 330 ml', 'cola'],
    ['2 large egg whites', 'egg whites'],
  ])('of "%s" are "%s"', (query, words) => {
    expect(searching(query, {}).asked.map((text) => text.replace(/ +/g, ' '))).toEqual([query, words]);
  });
});

it('the food precedes products that contain the number by chance', () => {
  const { names } = searching('2 eggs', {
    '2 eggs': [found('Bread with 2% milk and eggs', 90), found('2 eggs benedict', 30), found('Eggs', -60)],
    eggs: [found('Eggs', 180), found('Eggs, scrambled', 75)],
  });
  expect(names).toEqual(['Eggs', 'Eggs, scrambled', '2 eggs benedict', 'Bread with 2% milk and eggs']);
});

it('a food with exactly the typed name remains first', () => {
  const { names } = searching('5 croissants', {
    '5 croissants': [found('5 Croissants', 180), found('5 Croissants with chocolate', 50)],
    croissants: [found('Croissants', 230), found('Croissants with almonds', 60)],
  });
  expect(names).toEqual([
    '5 Croissants',
    'Croissants',
    '5 Croissants with chocolate',
    'Croissants with almonds',
  ]);
});

it('a brand is a part of the name, and the last word may be unfinished', () => {
  const { names } = searching('8 pla', {
    '8 pla': [found('Plain crackers', 60, 'After 8'), found('Plaice, 8 pieces', 80)],
    pla: [found('Plantain', 85)],
  });
  expect(names).toEqual(['Plain crackers', 'Plantain', 'Plaice, 8 pieces']);
});

it('an amount at the end is part of the name, unless no food has it', () => {
  const answers = { cola: [found('Cola', 240)], 'cola 330 ml': [found('Mole-cola 330 ml', 50)] };
  expect(searching('cola 330 ml', answers).names).toEqual(['Mole-cola 330 ml']);
  expect(searching('cola 330 ml', { ...answers, 'cola 330 ml': [found('330 ml', -45)] }).names[0]).toBe(
    'Cola',
  );
});

it('counting words are an amount only if the rest names a food well', () => {
  const typed = { 'four loko': [found('Pasta with four cheeses', -90)] };
  expect(searching('four loko', { ...typed, loko: [found('Churro loko', 36)] }).names).toEqual([
    'Pasta with four cheeses',
  ]);
  expect(searching('four loko', { ...typed, loko: [found('Drink', 180)] }).names[0]).toBe('Drink');
  expect(searching('four loko', { ...typed, loko: [found('Loko, raw', 36)] }).names[0]).toBe('Loko, raw');
});

it('a search returns at most its limit, however small', () => {
  const answers = {
    '2 eggs': Array.from({ length: 30 }, (_, at) => found(`Pack ${at} of 2 eggs`, 60 - at)),
    eggs: Array.from({ length: 30 }, (_, at) => found(`Eggs ${at}`, 99 - at)),
  };
  const many = searching('2 eggs', answers, 60).names;
  expect(many).toHaveLength(60);
  for (const limit of [1, 2, 9, 20]) {
    expect(searching('2 eggs', answers, limit).names).toEqual(many.slice(0, limit));
  }
});
