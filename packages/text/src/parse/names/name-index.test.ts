import type { Food } from '@larder/core/food.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NameIndex } from './name-index.ts';
import { NameIndexBuilder } from './name-index-builder.ts';
import { nameWords } from './name-words.ts';

function indexOf(names: readonly string[]): NameIndex {
  const builder = new NameIndexBuilder();
  for (const [document, name] of names.entries())
    builder.add(document, { id: `fdc:${document}`, name, aliases: [], energy: 0, popularity: 0 });
  const foodAt = (document: number) => ({ name: names[document]! }) as Food;
  return new NameIndex({ sections: builder.finish(), foodAt });
}

function query(text: string) {
  return nameWords(text).map(({ stem }) => ({ stem, weight: 1 }));
}

test('the best name has the words of the query and no others', () => {
  const names = ['Milk', 'Milk chocolate', 'Chocolate milk', 'Oatmeal with milk'];
  const index = indexOf(names);
  const best = (text: string) => names[index.find(query(text), 1)[0]!.document];
  expect(best('milk')).toBe('Milk');
  expect(best('oatmeal with milk')).toBe('Oatmeal with milk');
});

test('a negation is part of the word', () => {
  const names = ['Tea with sugar', 'Tea, unsweetened'];
  const [first] = indexOf(names).find(query('tea without sugar'), 1);
  expect(names[first!.document]).toBe('Tea, unsweetened');
});

test('hyphens join negated words', () => {
  expect(nameWords('no-added-salt blorb').map(({ stem }) => stem)).toEqual(['-added', '-salt', 'blorb']);
  expect(nameWords('non-dairy blorb').map(({ stem }) => stem)).toEqual(['-dairy', 'blorb']);
});

test('a name begins with two words', () => {
  const index = indexOf(['Tiny blorb', 'Blorb, tiny', 'Grand tiny blorb']);
  expect(index.begins('tiny', 'blorb')).toBe(true);
  expect(index.begins('blorb', 'grand')).toBe(false);
  expect(index.begins('grand', 'blorb')).toBe(false);
});

test('a name begins with some words in any order', () => {
  const index = indexOf(['Tiny blorb, fried', 'Grand blorb']);
  expect(index.beginsWithAll(['blorb', 'tiny'])).toBe(true);
  expect(index.beginsWithAll(['tiny', 'fried'])).toBe(false);
  expect(index.beginsWithAll(['grand', 'tiny'])).toBe(false);
});

test('names with the rarer words are found first, and names with frequent words if there are too few', () => {
  const names = [...Array.from({ length: 30 }, (_, at) => `Kind${at} blorb`), 'Zunkel'];
  const found = indexOf(names).find(
    [
      { stem: 'zunkel', weight: 1, isHead: true },
      { stem: 'blorb', weight: 0.1 },
    ],
    3,
  );
  expect(found.map(({ document }) => document)).toEqual([30, 0, 1]);
});

const word = fc.constantFrom(...'milk tea egg rice bean red hot raw salad soup sandwich toast'.split(' '));
const name = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 4 }), fc.constantFrom(' ', ', '))
  .map(([words, sign]) => words.join(sign));

test('finds the same foods as scoring each name alone', () => {
  const names = fc.array(name, { minLength: 1, maxLength: 20 });
  const words = fc.array(word, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(names, words, (some, sought) => {
      const index = indexOf(some);
      const asked = sought.map((stem) => ({ stem, weight: 1 }));
      const scores = some
        .map((text) => index.matchOf(asked, { name: text, aliases: [] })!.score)
        .filter((score) => score > 0)
        .sort((a, b) => b - a);
      const found = index.find(asked, 5).map(({ score }) => score.toFixed(4));
      expect(found).toEqual(scores.slice(0, 5).map((score) => score.toFixed(4)));
    }),
  );
});
