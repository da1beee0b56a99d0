import { checkDigit, expandUpcE } from '@larder/core/gtin.ts';

/**
 * The retail symbols as sequences of elements, 1 a dark module and 0 a light one.
 * Source: GS1 General Specifications, section 5.2 (EAN/UPC symbology).
 */

const LEFT_ODD = '0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011'.split(' ');
const RIGHT = LEFT_ODD.map((bits) => bits.replace(/[01]/g, (bit) => (bit === '0' ? '1' : '0')));
const LEFT_EVEN = RIGHT.map((bits) => [...bits].reverse().join(''));

const DIGIT_MODULES = 7;

/** Bit i from the left is set if left digit i has even parity; by the first digit of the number. */
const EAN13_PARITY = [
  0b000000, 0b001011, 0b001101, 0b001110, 0b010011, 0b011001, 0b011100, 0b010101, 0b010110, 0b011010,
];
/**
 * Parities of UPC-E by check digit. Number system 0 only: system 1, with opposite parities, is rarely used, and looks
 * like the left half of an EAN-13.
 */
const UPC_E_PARITY = [
  0b111000, 0b110100, 0b110010, 0b110001, 0b101100, 0b100110, 0b100011, 0b101010, 0b101001, 0b100101,
];

/** Part of a symbol. Its neighbours' adjoining modules are the same for every value, so both are known. */
export interface Element {
  readonly modules: number;
  /** Possible looks of the symbol: one for a guard, ten or twenty for a digit; the last ten of twenty have even parity. */
  readonly looks: readonly string[];
  readonly before: '0' | '1';
  readonly after: '0' | '1';
}

export interface BarSymbol {
  readonly format: 'EAN13' | 'EAN8' | 'UPCE';
  readonly elements: readonly Element[];
  /** The number of these digits; 10 to 19 are the digits 0 to 9 in even parity. Undefined if a rule is broken. */
  spell(digits: readonly number[]): string | undefined;
}

const guard = (bits: string, before: '0' | '1', after: '0' | '1'): Element => ({
  modules: bits.length,
  looks: [bits],
  before,
  after,
});
const left = (looks: readonly string[]): Element => ({
  modules: DIGIT_MODULES,
  looks,
  before: '1',
  after: '0',
});
const right: Element = { modules: DIGIT_MODULES, looks: RIGHT, before: '0', after: '1' };
const times = (count: number, element: Element) => Array.from({ length: count }, () => element);
const start = guard('101', '0', '0');
const middle = guard('01010', '1', '1');
const end = guard('101', '0', '0');
const eitherParity = left([...LEFT_ODD, ...LEFT_EVEN]);

const parityOf = (digits: readonly number[]) =>
  digits.reduce((bits, digit) => (bits << 1) | Number(digit > 9), 0);
const toText = (digits: readonly number[]) => digits.map((digit) => digit % 10).join('');
const checked = (text: string) => (checkDigit(text.slice(0, -1)) === text.at(-1) ? text : undefined);

export const SYMBOLS: readonly BarSymbol[] = [
  {
    format: 'EAN13',
    elements: [start, ...times(6, eitherParity), middle, ...times(6, right), end],
    spell(digits) {
      const first = EAN13_PARITY.indexOf(parityOf(digits.slice(0, 6)));
      return first < 0 ? undefined : checked(first + toText(digits));
    },
  },
  {
    format: 'UPCE',
    elements: [start, ...times(6, eitherParity), guard('010101', '1', '0')],
    spell(digits) {
      const check = UPC_E_PARITY.indexOf(parityOf(digits));
      const upcA = check < 0 ? undefined : expandUpcE(`0${toText(digits)}${check}`);
      return upcA && `0${upcA}`;
    },
  },
  {
    format: 'EAN8',
    elements: [start, ...times(4, left(LEFT_ODD)), middle, ...times(4, right), end],
    spell: (digits) => checked(toText(digits)),
  },
];
