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
