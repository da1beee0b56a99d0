import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WordNumbers } from './index-builder.ts';

test('words get the numbers that a single map would give them, and are listed by them', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 500 }), (words) => {
      const numbers = new WordNumbers();
      const naive = [...new Set(words)];
      expect(words.map((word) => numbers.take(word))).toEqual(words.map((word) => naive.indexOf(word)));
      expect(numbers.words).toEqual(naive);
    }),
  );
});
