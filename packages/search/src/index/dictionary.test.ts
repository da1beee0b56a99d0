import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildDictionary, Dictionary, kindsOfLetters } from './dictionary.ts';
import { runAll } from './steps.ts';

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '豆'), minLength: 1, maxLength: 5 });
const vocabulary = fc.uniqueArray(word, { maxLength: 60 }).map((words) => words.sort());

describe('Dictionary', () => {
  it('finds exactly its words', () => {
    fc.assert(
      fc.property(vocabulary, word, (words, wanted) => {
        expect(new Dictionary(runAll(buildDictionary(words))).find(wanted)).toBe(words.indexOf(wanted));
      }),
    );
  });

  it('finds every word with a prefix, and no other', () => {
    fc.assert(
      fc.property(vocabulary, word, (words, prefix) => {
        const { from, to } = new Dictionary(runAll(buildDictionary(words))).startingWith(prefix);
        expect(words.slice(from, to)).toEqual(words.filter((each) => each.startsWith(prefix)));
      }),
    );
  });

  it('finds the words that continue with a text within a common prefix', () => {
    fc.assert(
      fc.property(vocabulary, word, word, (words, head, text) => {
        const dictionary = new Dictionary(runAll(buildDictionary(words)));
        const { from, to } = dictionary.continuing(dictionary.startingWith(head), head.length, `x${text}`, 1);
        expect(words.slice(from, to)).toEqual(words.filter((each) => each.startsWith(head + text)));
        expect(dictionary.find(head + text, dictionary.startingWith(head), head.length)).toBe(
          words.indexOf(head + text),
        );
      }),
    );
  });

  it('splits the words of one prefix by their next letter', () => {
    fc.assert(
      fc.property(vocabulary, word, (words, head) => {
        const dictionary = new Dictionary(runAll(buildDictionary(words)));
        const found: string[][] = [];
        dictionary.forEachLetterAt(dictionary.startingWith(head), head.length, ({ from, to }) => {
          found.push(words.slice(from, to));
        });
        const longer = words.filter((each) => each.startsWith(head) && each.length > head.length);
        expect(found).toEqual([...Map.groupBy(longer, (each) => each.charAt(head.length)).values()]);
      }),
    );
  });

  it('counts the kinds of letters that two words do not share', () => {
    fc.assert(
      fc.property(vocabulary, word, (words, other) => {
        const dictionary = new Dictionary(runAll(buildDictionary(words)));
        for (const [term, each] of words.entries()) {
          const inOne = [...new Set(each + other)].filter(
            (one) => each.includes(one) !== other.includes(one),
          );
          expect(dictionary.differingLetters(term, kindsOfLetters(other))).toBe(inOne.length);
        }
      }),
    );
  });
});
