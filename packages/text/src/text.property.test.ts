import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type Amount, findAmounts } from './find-amounts.ts';
import { readIngredientLine } from './ingredient-line.ts';
import { detectLanguage, languageOf } from './language.ts';
import { Phrases } from './phrases.ts';
import { tokenise } from './tokens.ts';

const PIECES = [
  ...['1', '2', '½', '1/2', '1 1/2', '400', '1,5', '.5', 'one', 'hundred', 'half', 'a', 'a few', 'dozen'],
  ...[
    'g',
    'oz',
    'cups',
    'cup',
    'ml',
    'can',
    'cloves',
    'in',
    'large',
    'small',
    'lb',
    'of',
    'x',
    'to',
    '-',
    '/',
    '(',
    ')',
  ],
  ...[
    'and',
    'plus',
    ',',
    '.',
    ';',
    '\n',
    'about',
    'each',
    'milk',
    'garlic',
    'chopped',
    'without',
    '%',
    '\ud800',
    '🍎',
    'ß',
  ],
];
/** Random texts, and texts of words from amounts. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom('', ' ', ' ')), { maxLength: 60 })
    .map((all) => all.flat().join('')),
);

test('tokens are in order and inside the text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      let end = 0;
      for (const token of tokenise(text)) {
        expect(token.start).toBeGreaterThanOrEqual(end);
        expect(token.text).toBe(text.slice(token.start, token.end));
        expect(text.slice(end, token.start)).toMatch(/^\s*$/u);
        expect(token.joined).toBe(end === token.start && end > 0);
        end = token.end;
      }
      expect(text.slice(end)).toMatch(/^\s*$/u);
    }),
  );
});

test('amounts are in order, finite, inside the text and deterministic', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const tokens = tokenise(text);
      const language = detectLanguage(tokens);
      const amounts = findAmounts(tokens, language);
      let end = 0;
      for (const amount of amounts) {
        expect(amount.firstToken).toBeGreaterThanOrEqual(end);
        end = amount.endToken;
        for (const part of parts(amount)) {
          expect(part.endToken).toBeGreaterThan(part.firstToken);
          expect(part.start).toBe(tokens[part.firstToken]!.start);
          expect(part.end).toBe(tokens[part.endToken - 1]!.end);
          expect(Number.isFinite(part.quantity)).toBe(true);
        }
      }
      expect(end).toBeLessThanOrEqual(tokens.length);
      expect(findAmounts(tokenise(text), language)).toEqual(amounts);
    }),
  );
});

test('an ingredient line names words of its text, and is deterministic', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const language = detectLanguage(tokenise(text));
      const line = readIngredientLine(text, language);
      const { name, amount } = line;
      expect(name.start).toBeLessThanOrEqual(name.end);
      expect(name.end).toBeLessThanOrEqual(text.length);
      // Words from separate ranges keep the order of the text.
      let at = name.start;
      for (const word of name.text.split(' ')) {
        at = text.indexOf(word, at) + word.length;
        expect(at).toBeGreaterThanOrEqual(name.start + word.length);
        expect(at).toBeLessThanOrEqual(name.end);
      }
      for (const part of amount === undefined ? [] : parts(amount)) {
        expect(text.slice(part.start, part.end)).not.toBe('');
      }
      expect(readIngredientLine(text, language)).toEqual(line);
    }),
  );
});

test('the work is linear in the length of the text', () => {
  const lookUps = vi.spyOn(Phrases.prototype, 'at');
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 }), (pieces) => {
      const text = `${pieces.join(' ')} `.repeat(200);
      lookUps.mockClear();
      readIngredientLine(text, languageOf('en'));
      expect(lookUps.mock.calls.length).toBeLessThan(300 * tokenise(text).length);
    }),
  );
  lookUps.mockRestore();
});

function parts(amount: Amount): Amount[] {
  const inner = [amount.each, amount.plus, ...amount.alternatives].filter((part) => part !== undefined);
  return [amount, ...inner.flatMap(parts)];
}
