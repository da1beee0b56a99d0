import { expect, it } from 'vitest';
import { mergeOf } from './merge.ts';
import { nextToSend, type Write, withWrites } from './writes.ts';

const write = (seq: number, id: string, rest: Partial<Write> = {}): Write => ({
  seq,
  kind: 'entry',
  id,
  op: 'change',
  attempts: 0,
  state: 'waiting',
  ...rest,
});

it('sends writes in order, and none before an older one of its object', () => {
  const writes = [
    write(1, 'a', { state: 'refused' }),
    write(2, 'a'),
    write(3, 'b'),
    write(4, 'b'),
    write(5, 'c'),
  ];
  expect(nextToSend(writes, new Set())?.seq).toBe(3);
  expect(nextToSend(writes, new Set([3]))?.seq).toBe(5);
  expect(nextToSend(writes, new Set([3, 5]))).toBeUndefined();
});

it('sends what is made of a new food or recipe after it, also where that is refused', () => {
  const writes = [
    write(1, 'manual:a', { kind: 'food', op: 'add', state: 'refused' }),
    write(2, 'r', { kind: 'recipe', op: 'add', body: { ingredients: ['1 egg', { foodId: 'manual:a' }] } }),
    write(3, 'e', { op: 'add', body: { recipeId: 'r' } }),
    write(4, 'f', { op: 'add', body: { foodId: 'manual:b' } }),
  ];
  expect(nextToSend(writes, new Set())?.seq).toBe(4);
  expect(nextToSend(writes.slice(1), new Set([2]))?.seq).toBe(4);
  expect(nextToSend(writes.slice(1), new Set())?.seq).toBe(2);
});

it('keeps objects of different kinds with one id apart', () => {
  const writes = [write(1, 'a', { state: 'conflict' }), write(2, 'a', { kind: 'recipe' })];
  expect(nextToSend(writes, new Set())?.seq).toBe(2);
});

it('shows waiting changes, and refused ones only as a mark', () => {
  const base = { id: 'a', version: 1, note: 'old' };
  const preview = { ...base, note: 'new' };
  expect(withWrites(base, [])).toEqual(base);
  expect(withWrites(base, [write(1, 'a', { preview })])).toEqual({ ...preview, waiting: 'waiting' });
  expect(withWrites(base, [write(1, 'a', { preview, state: 'refused' })])).toEqual({
    ...base,
    waiting: 'refused',
  });
  expect(withWrites(base, [write(1, 'a', { op: 'remove' })])).toBeUndefined();
  expect(withWrites(base, [write(1, 'a', { op: 'remove', state: 'conflict' })])).toEqual({
    ...base,
    waiting: 'conflict',
  });
  expect(withWrites(undefined, [write(1, 'a', { op: 'add', preview, state: 'refused' })])).toEqual({
    ...preview,
    waiting: 'refused',
  });
});

const base = { version: 1, quantity: 1, unit: 'cup', calories: 100, note: 'a', mealType: 'lunch' };

it.each([
  ['another field was changed', { note: 'b' }, { ...base, mealType: 'dinner' }, 'apply'],
  ['only the version differs', { quantity: 2 }, base, 'apply'],
  ['the same field was changed', { note: 'b' }, { ...base, note: 'c' }, 'conflict'],
  [
    'the amount was changed by another field',
    { quantity: 2 },
    { ...base, unit: 'g', calories: 3 },
    'conflict',
  ],
  ['the change is there already', { note: 'b' }, { ...base, note: 'b' }, 'done'],
  ['a field was emptied on both', { note: null }, { ...base, note: undefined }, 'done'],
])('a change where %s', (_, body, theirs, merge) => {
  expect(mergeOf(write(1, 'a', { base, body }), { ...theirs, version: 2 })).toBe(merge);
});

it('a deletion of what was changed since is a conflict', () => {
  const removal = write(1, 'a', { base, op: 'remove' });
  expect(mergeOf(removal, { ...base, version: 2 })).toBe('apply');
  expect(mergeOf(removal, { ...base, note: 'b', version: 2 } as object)).toBe('conflict');
});

it('a change without a known version is never applied unseen', () => {
  expect(mergeOf(write(1, 'a', { body: { note: 'b' } }), base)).toBe('conflict');
});

const recipe = {
  version: 1,
  name: 'Soup',
  servings: 4,
  ingredients: [{ name: 'Rice', calories: 1, text: 'rice' }],
};

it.each([
  ['lines were read', ['rice', '2 eggs'], [{ text: 'rice' }, { text: '2 eggs' }, { text: '2 eggs' }], 'done'],
  ['a line is missing', ['rice', '2 eggs'], [{ text: 'rice' }], 'conflict'],
  ['there is one line more', ['rice'], [{ text: 'rice' }, { text: 'salt' }], 'conflict'],
  [
    'a food was chosen',
    [{ foodId: 'a', quantity: 1, unit: 'g' }],
    [{ name: 'A', foodId: 'a', quantity: 1, unit: 'g' }],
    'done',
  ],
  [
    'another food was chosen',
    [{ foodId: 'a', quantity: 1, unit: 'g' }],
    [{ name: 'B', foodId: 'b', quantity: 1, unit: 'g' }],
    'conflict',
  ],
  ['values were typed', [{ foodName: 'A', calories: 1 }], [{ name: 'A', calories: 1 }], 'done'],
])('a recipe of which %s', (_, sent, made, merge) => {
  const change = write(1, 'r', { kind: 'recipe', base: recipe, body: { ingredients: sent, partial: true } });
  expect(mergeOf(change, { ...recipe, version: 2, ingredients: made } as object)).toBe(merge);
});

it('a name and the lines of a recipe are changed apart', () => {
  const change = write(1, 'r', { kind: 'recipe', base: recipe, body: { name: 'Stew' } });
  expect(mergeOf(change, { ...recipe, version: 2, servings: 8 } as object)).toBe('apply');
});

it('an amount of a food that was removed is there when it is unknown', () => {
  const macros = { energy: 1, protein: 2, fat: 0 };
  const change = write(1, 'f', {
    kind: 'food',
    base: { version: 1 },
    body: { macros: { ...macros, fat: null } },
  });
  expect(mergeOf(change, { version: 2, macros, unknown: ['fat'] } as object)).toBe('done');
  expect(mergeOf(change, { version: 2, macros } as object)).toBe('conflict');
});
