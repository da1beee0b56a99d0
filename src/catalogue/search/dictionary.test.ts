import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildDictionary, Dictionary } from './dictionary.ts';

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '豆'), minLength: 1, maxLength: 5 });
const vocabulary = fc.uniqueArray(word, { maxLength: 60 }).map((words) => words.sort());

describe('Dictionary', () => {
  it('finds exactly the words it was made of', () => {
    fc.assert(
      fc.property(vocabulary, word, (words, wanted) => {
        expect(new Dictionary(buildDictionary(words)).find(wanted)).toBe(words.indexOf(wanted));
      }),
    );
  });

  it('finds every word with a beginning, and no other', () => {
    fc.assert(
      fc.property(vocabulary, word, (words, prefix) => {
        const { from, to } = new Dictionary(buildDictionary(words)).startingWith(prefix);
        expect(words.slice(from, to)).toEqual(words.filter((each) => each.startsWith(prefix)));
      }),
    );
  });

  it('tells which letters come after a beginning', () => {
    fc.assert(
      fc.property(vocabulary, word, (words, head) => {
        const dictionary = new Dictionary(buildDictionary(words));
        const next = words.filter((each) => each.startsWith(head) && each.length > head.length);
        const letters = [...new Set(next.map((each) => each.charAt(head.length)))];
        expect(dictionary.lettersAfter(head, dictionary.startingWith(head))).toEqual(letters);
      }),
    );
  });
});
