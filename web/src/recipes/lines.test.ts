import type { Food, Ingredient, ParsedText, TextItem } from 'larder-client';
import { expect, it } from 'vitest';
import { formOf, ingredientsOf, linesOf, linesToRead, lostLines, textOf, understood } from './lines.ts';

const food = (name: string, grams: number, energy: number) =>
  ({
    id: `starter:${name}`,
    name,
    servingSize: { value: grams, unit: 'g' },
    macros: { energy, protein: 0, fat: 0, carbohydrates: 0 },
  }) as Food;

const item = (line: number, text: string, rest: Partial<TextItem>) =>
  ({ text, start: 2, line, alternatives: [], confidence: 0.9, food: null, ...rest }) as TextItem;

function read(lines: readonly string[], items: readonly TextItem[]) {
  return { lines, parsed: { items } as unknown as ParsedText };
}

it('reads lines without empty ones and headings', () => {
  expect(linesOf('250 g lentils\n\nFor the sauce:\n 1 onion ')).toEqual(['250 g lentils', '1 onion']);
});

it('sends lines as they are where nothing was decided', () => {
  const lines = ['250 g lentils'];
  const parts = [item(0, 'lentils', { food: food('lentils', 250, 895), confidence: 0.5 })];
  const shown = understood(lines, [], read(lines, parts), {});
  expect(shown[0]!.parts[0]).toMatchObject({ amount: 250, energy: 895, state: 'unsure' });
  expect(ingredientsOf(shown, {})).toEqual(lines);
  expect(lostLines(shown)).toEqual([]);
});

it('sends the food, the amount and the energy that a person decided', () => {
  const lines = ['1 onion', 'some stock', '1 xyzzy', '2 blurb'];
  const stock = food('stock', 100, 5);
  const items = [
    item(0, 'onion', { food: food('onion', 160, 64) }),
    item(1, 'stock', { food: stock, unresolved: 'amount' }),
    item(2, 'xyzzy', { unresolved: 'food' }),
    item(3, 'blurb', { unresolved: 'food' }),
  ];
  const untouched = understood(lines, [], read(lines, items), {});
  expect(lostLines(untouched)).toEqual(['some stock', '1 xyzzy', '2 blurb']);
  const fixes = {
    '2 1 onion': { food: food('shallot', 40, 29) },
    '2 some stock': { food: stock, amount: '300' },
    '2 1 xyzzy': { calories: 70 },
  };
  const shown = understood(lines, [], read(lines, items), fixes);
  expect(shown.map(({ parts }) => parts[0]!.energy)).toEqual([29, 15, 70, undefined]);
  expect(lostLines(shown)).toEqual(['2 blurb']);
  expect(ingredientsOf(shown, fixes)).toEqual([
    { foodId: 'starter:shallot', quantity: 40, unit: 'g', text: '1 onion' },
    { foodId: 'starter:stock', quantity: 300, unit: 'g', text: 'some stock' },
    { foodName: 'xyzzy', calories: 70, text: '1 xyzzy' },
    '2 blurb',
  ]);
});

it('keeps ingredients whose lines stay', () => {
  const kept: Ingredient[] = [
    { name: 'Salt', text: 'salt and pepper', quantity: 6, unit: 'g', nutrients: {} },
    { name: 'Pepper', text: 'salt and pepper', quantity: 2, unit: 'g', nutrients: {} },
    { name: 'Rice', quantity: 100, unit: 'g', nutrients: {} },
  ];
  expect(textOf(kept)).toBe('salt and pepper\n100 g Rice');
  const lines = ['salt and pepper', '2 eggs'];
  expect(linesToRead(lines, kept)).toEqual(['2 eggs']);
  const eggs = read(['2 eggs'], [item(0, 'eggs', { food: food('egg', 100, 143) })]);
  const shown = understood(lines, kept, eggs, {});
  expect(ingredientsOf(shown, {})).toEqual([kept[0], kept[1], '2 eggs']);
});

it('tells the form that was taken, and exchanges it for the other one and back', () => {
  const lines = ['200 g rice', '1 onion'];
  const [dry, cooked] = [food('rice-dry', 200, 730), food('rice', 200, 258)];
  const items = [
    item(0, 'rice', { food: dry, alternatives: [cooked], assumed: ['dry'], asEaten: cooked.id }),
    item(1, 'onion', { food: food('onion', 160, 64) }),
  ];
  const [rice, onion] = understood(lines, [], read(lines, items), {}).map(({ parts: [part] }) => part!);
  expect(formOf(rice!)).toEqual({ taken: 'dry', other: cooked });
  expect(formOf(onion!)).toBeUndefined();
  const fixes = { [rice!.key]: { food: cooked } };
  const [exchanged] = understood(lines, [], read(lines, items), fixes)[0]!.parts;
  expect(exchanged).toMatchObject({ energy: 258, state: 'sure' });
  expect(formOf(exchanged!)).toEqual({ taken: 'cooked', other: dry });
});
