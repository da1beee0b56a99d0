import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import { checkDigit, compressUpcA, expandUpcE, type Gtin, hasValidCheckDigit, toGtin } from '../gtin.ts';
import { barcodeCandidates, externalCandidates } from './barcode-candidates.ts';
import { parseBarcode } from './scanned-code.ts';

const MAX_CANDIDATES = 7;
const candidates = (code: string) => barcodeCandidates(parseBarcode(code));
const withCheckDigit = (body: string) => body + checkDigit(body);
const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9]{${count}}$`));
const anyBarcode = fc.stringMatching(/^[0-9]{6,14}$/);
const upcA = digits(11).map(withCheckDigit);
const upcE = fc.stringMatching(/^[01][0-9]{6}$/).map((body) => body + expandUpcE(body)![11]);

describe('every form of a product leads to it', () => {
  test('a UPC-A as 12, 13 and 14 digits, and typed without its leading zeros', () => {
    fc.assert(
      fc.property(upcA, (code) => {
        const typed = [code, `0${code}`, `00${code}`, code.replace(/^0+/, '').padStart(6, '0')];
        for (const form of typed) expect(candidates(form)[0]).toBe(toGtin(code));
      }),
    );
  });

  test('a UPC-E leads to a product stored in full, in each of its four spellings', () => {
    fc.assert(
      fc.property(upcE, (code) => {
        const stored = toGtin(expandUpcE(code)!);
        expect(candidates(code)).toContain(stored);
        expect(candidates(code.slice(0, 7))).toContain(stored);
        if (code.startsWith('0')) {
          expect(candidates(code.slice(1))).toContain(stored);
          expect(candidates(code.slice(1, 7))).toContain(stored);
        }
      }),
    );
  });

  test('full forms lead to a product stored as UPC-E, unless the short form is the GTIN-8 of another', () => {
    fc.assert(
      fc.property(upcE, (code) => {
        const full = expandUpcE(code)!;
        const short = compressUpcA(full)!;
        const foreign = short.startsWith('1') && hasValidCheckDigit(toGtin(short));
        for (const form of [full, `0${full}`, `00${full}`]) {
          expect(candidates(form).includes(toGtin(short))).toBe(!foreign);
        }
      }),
    );
  });

  test('a case leads to the unit inside, for each packaging indicator but 9', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), digits(12), (indicator, body) => {
        const unit = toGtin(withCheckDigit(body));
        const found = candidates(withCheckDigit(`${indicator}${body}`));
        expect(found.includes(unit)).toBe(indicator !== 9);
      }),
    );
  });

  test('a price label of both layouts leads to the item, whatever the price', () => {
    const prefix = fc.constantFrom('02', '20', '21', '22', '23', '24', '25', '26', '27', '28', '29');
    fc.assert(
      fc.property(prefix, digits(4), digits(1), digits(5), (start, item, fifth, price) => {
        const found = candidates(withCheckDigit(start + item + fifth + price));
        expect(found).toContain(toGtin(withCheckDigit(`${start + item + fifth}00000`)));
        expect(found).toContain(toGtin(withCheckDigit(`${start + item}000000`)));
      }),
    );
  });
});

describe('no other candidates', () => {
  test('the given code comes first, and the list is bounded and without duplicates', () => {
    fc.assert(
      fc.property(anyBarcode, (code) => {
        const found = candidates(code);
        expect(found[0]).toBe(toGtin(code));
        expect(new Set(found).size).toBe(found.length);
        expect(found.length).toBeLessThanOrEqual(MAX_CANDIDATES);
      }),
      { numRuns: runs(1000) },
    );
  });

  test('all others have a valid check digit, read as GTIN or UPC-E', () => {
    fc.assert(
      fc.property(anyBarcode, (code) => {
        const holds = (gtin: Gtin) => hasValidCheckDigit(gtin) || expandUpcE(gtin.slice(6)) !== undefined;
        expect(candidates(code).slice(1).every(holds)).toBe(true);
      }),
      { numRuns: runs(1000) },
    );
  });

  test('a code of 9 digits and more with a wrong check digit stands only for itself', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{9,14}$/), (code) => {
        fc.pre(!hasValidCheckDigit(toGtin(code)));
        expect(candidates(code)).toEqual([toGtin(code)]);
      }),
    );
  });

  test('an EAN-13 outside the restricted range without a UPC-A in it stands only for itself', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[13-9][0-9]{11}$/).map(withCheckDigit), (code) => {
        expect(candidates(code)).toEqual([toGtin(code)]);
      }),
    );
  });

  test('an EAN-8 that cannot be a UPC-E stands only for itself', () => {
    expect(candidates('96385074')).toEqual(['00000096385074']);
  });

  test('an EAN-8 padded to 13 or 14 digits is not taken for a UPC-E', () => {
    expect(candidates('01234565')).toContain('00012345000065');
    expect(candidates('00000001234565')).toEqual(['00000001234565']);
  });
});

describe('candidates for external services', () => {
  const PRICE_LABEL = withCheckDigit('201234501234');
  const askable = (code: string) => externalCandidates(parseBarcode(code));

  test.each([
    ['an EAN-13', '3017620422003', ['03017620422003']],
    ['a UPC-E whose eight digits are no GTIN-8', '04252614', ['00042100005264']],
    [
      'a code that may lack its check digit',
      '0425261',
      ['00000000425261', '00042100005264', '00004252000061'],
    ],
    ['a case, then the unit inside', '13017620422000', ['13017620422000', '03017620422003']],
    ['a UPC-A, and not its short form', '042100005264', ['00042100005264']],
    ['a label with a price, and not with the price zeroed', PRICE_LABEL, [toGtin(PRICE_LABEL)]],
    ['nothing for a mistyped code', '3017620422004', []],
  ])('%s', (_, code, asked) => {
    expect(askable(code)).toEqual(asked);
  });

  test('at most three candidates with a valid check digit, the given code first', () => {
    fc.assert(
      fc.property(fc.oneof(anyBarcode, upcA, upcE), (code) => {
        const asked = askable(code);
        expect(asked.length).toBeLessThanOrEqual(3);
        expect(asked.every(hasValidCheckDigit)).toBe(true);
        expect(candidates(code)).toEqual(expect.arrayContaining([...asked]));
        if (hasValidCheckDigit(toGtin(code))) expect(asked[0]).toBe(toGtin(code));
      }),
    );
  });
});
