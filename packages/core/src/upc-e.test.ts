import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkDigit, compressUpcA, expandUpcE } from './gtin.ts';

/** The table of the standard: pattern of the six digits to pattern of the ten. */
const TABLE = [
  ['abcde0', 'ab00000cde'],
  ['abcde1', 'ab10000cde'],
  ['abcde2', 'ab20000cde'],
  ['abcde3', 'abc00000de'],
  ['abcde4', 'abcd00000e'],
  ['abcde5', 'abcde00005'],
  ['abcde6', 'abcde00006'],
  ['abcde7', 'abcde00007'],
  ['abcde8', 'abcde00008'],
  ['abcde9', 'abcde00009'],
] as const;

function naiveExpand(system: string, six: string): string {
  const [, pattern] = TABLE[Number(six[5])]!;
  const body = system + pattern.replace(/[a-e]/g, (letter) => six['abcde'.indexOf(letter)]!);
  return body + checkDigit(body);
}

const six = fc.stringMatching(/^[0-9]{6}$/);
const system = fc.constantFrom('0', '1');

test.each([
  ['01234565', '012345000065'],
  ['04252614', '042100005264'],
  ['04963406', '049000006346'],
])('%s is the short form of %s', (short, long) => {
  expect(expandUpcE(short)).toBe(long);
  expect(compressUpcA(long)).toBe(short);
});

test('expansion agrees with the standard’s table, with and without the outer digits', () => {
  fc.assert(
    fc.property(system, six, (first, middle) => {
      const upcA = naiveExpand(first, middle);
      expect(expandUpcE(first + middle + upcA[11])).toBe(upcA);
      expect(expandUpcE(first + middle)).toBe(upcA);
      expect(expandUpcE(middle)).toBe(naiveExpand('0', middle));
    }),
  );
});

test('a short form always expands to its original code', () => {
  fc.assert(
    fc.property(system, six, (first, middle) => {
      const upcA = naiveExpand(first, middle);
      expect(expandUpcE(compressUpcA(upcA)!)).toBe(upcA);
    }),
  );
});

test('only codes in the table’s range have a short form', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[01]([0-9]|0000){5,10}$/), (start) => {
      const body = start.slice(0, 11).padEnd(11, '0');
      const upcA = body + checkDigit(body);
      const short = compressUpcA(upcA);
      const reached = Array.from({ length: 10 }, (_, mode) => mode).some((mode) => {
        const [, pattern] = TABLE[mode]!;
        return new RegExp(`^${pattern.replace(/[a-e]/g, '\\d')}$`).test(body.slice(1));
      });
      expect(short !== undefined).toBe(reached);
    }),
  );
});

test.each([
  ['a wrong check digit', '01234566'],
  ['another number system', '21234567'],
  ['too few digits', '12345'],
  ['a full UPC-A', '012345000065'],
])('%s is not a UPC-E', (_, code) => {
  expect(expandUpcE(code)).toBeUndefined();
});
