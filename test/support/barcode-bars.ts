/** The bars of retail barcodes, from GS1 General Specifications, section 5.2: 1 is a bar, 0 a space, each one module wide. */

const LEFT_ODD = [
  '0001101',
  '0011001',
  '0010011',
  '0111101',
  '0100011',
  '0110001',
  '0101111',
  '0111011',
  '0110111',
  '0001011',
];
const RIGHT = LEFT_ODD.map((code) => code.replace(/./g, (bit) => (bit === '0' ? '1' : '0')));
const LEFT_EVEN = RIGHT.map((code) => [...code].reverse().join(''));

/** The first digit determines which left digits have even parity. */
const EAN13_PARITY = 'OOOOOO OOEOEE OOEEOE OOEEEO OEOOEE OEEOOE OEEEOO OEOEOE OEOEEO OEEOEO'.split(' ');
/** Parities of number system 0; those of 1 are reversed. The check digit determines which digits are even. */
const UPC_E_PARITY = 'EEEOOO EEOEOO EEOOEO EEOOOE EOEEOO EOOEEO EOOOEE EOEOEO EOEOOE EOOEOE'.split(' ');

const GUARD = '101';
const MIDDLE = '01010';
/** Width of the quiet zone on each side, in modules. */
export const QUIET_MODULES = 11;

/** 13 digits with their check digit. A UPC-A is one that begins with 0. */
export function ean13Bars(digits: string): string {
  const parity = EAN13_PARITY[Number(digits[0])]!;
  return GUARD + leftDigits(digits.slice(1, 7), parity) + MIDDLE + rightDigits(digits.slice(7)) + GUARD;
}

/** 8 digits with their check digit. */
export function ean8Bars(digits: string): string {
  return GUARD + leftDigits(digits.slice(0, 4), 'OOOO') + MIDDLE + rightDigits(digits.slice(4)) + GUARD;
}

/** 8 digits: number system 0 or 1, six digits, check digit. */
export function upcEBars(digits: string): string {
  const parity = UPC_E_PARITY[Number(digits[7])]!;
  const swapped = [...parity].map((kind) => (kind === 'O' ? 'E' : 'O')).join('');
  return `${GUARD}${leftDigits(digits.slice(1, 7), digits[0] === '0' ? parity : swapped)}010101`;
}

/** An even number of digits as Interleaved 2 of 5 (ISO/IEC 16390), whose wide elements have three modules: bars of one digit, spaces of the next. */
export function itfBars(digits: string): string {
  const pairs = digits.match(/../g)!.map(([bars, spaces]) =>
    Array.from(ITF_WIDE[Number(bars)]!, (isWide, at) => {
      const space = ITF_WIDE[Number(spaces)]![at];
      return (isWide === 'w' ? '111' : '1') + (space === 'w' ? '000' : '0');
    }).join(''),
  );
  return `1010${pairs.join('')}11101`;
}

const ITF_WIDE = 'nnwwn wnnnw nwnnw wwnnn nnwnw wnwnn nwwnn nnnww wnnwn nwnwn'.split(' ');

function leftDigits(digits: string, parity: string): string {
  return [...digits].map((digit, at) => (parity[at] === 'O' ? LEFT_ODD : LEFT_EVEN)[Number(digit)]!).join('');
}

function rightDigits(digits: string): string {
  return [...digits].map((digit) => RIGHT[Number(digit)]!).join('');
}
