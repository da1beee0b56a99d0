import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_WORD_LENGTH, tokenise } from './tokenise.ts';

const words = (text: string) => tokenise(text, 48).join(' ');

describe('tokenise', () => {
  it('separates letters and digits, with or without a space between them', () => {
    expect(words('Cola 330ml')).toBe('cola 330 ml');
    expect(words('Cola 330 ml')).toBe('cola 330 ml');
    expect(words('7up B12')).toBe('7 up b 12');
  });

  it('keeps per cent signs after numbers only', () => {
    expect(words('Milk 2%')).toBe('milk 2 %');
    expect(words('Milk 2 % fat')).toBe('milk 2 % fat');
    expect(words('100% % juice')).toBe('100 % juice');
  });

  it('reads decimals with point and comma alike', () => {
    expect(words('1,5 l')).toBe('1.5 l');
    expect(words('1.5l')).toBe('1.5 l');
    expect(words('3.5. 1,')).toBe('3.5 1');
  });

  it('removes apostrophes and drops elided articles', () => {
    expect(words("Welch's grape")).toBe('welchs grape');
    expect(words('Pistou d’ail à l’huile')).toBe('pistou ail a huile');
    expect(words("Chips Ahoy s'mores, S’mores")).toBe('chips ahoy smores smores');
    expect(words("all'uovo O'Brien M&M's")).toBe('uovo obrien m ms');
  });

  it('keeps words of other scripts, and splits ideographs one by one', () => {
    expect(words('Сыр Российский')).toBe('сыр россиискии');
    expect(words('豆腐 味噌')).toBe('豆 腐 味 噌');
  });

  it('bounds length and number of words for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'grapheme' })),
        (text) => {
          const tokens = tokenise(text, 12);
          expect(tokens.length).toBeLessThanOrEqual(12);
          for (const token of tokens) {
            expect(token.length).toBeGreaterThan(0);
            expect(token.length).toBeLessThanOrEqual(MAX_WORD_LENGTH);
          }
        },
      ),
    );
  });

  it('finds the same words again in its own output', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 60 }), (text) => {
        const tokens = tokenise(text, 48).filter((token) => token !== '%');
        expect(tokenise(tokens.join(' '), 48)).toEqual(tokens);
      }),
    );
  });
});
