import { expect, test } from 'vitest';
import { formsOf, toEan13 } from './gs1-forms.ts';

test.each([
  ['a UPC-A', '747599322198', ['747599322198', '0747599322198', '00747599322198']],
  ['an EAN-13', '3017620422003', ['3017620422003', '03017620422003']],
  [
    'a UPC-A with a short form',
    '042100005264',
    ['042100005264', '0042100005264', '00042100005264', '04252614'],
  ],
  // The short form is also a valid EAN-8, which another product may have.
  ['a UPC-A with a doubtful short form', '012345000058', ['012345000058', '0012345000058', '00012345000058']],
  ['an EAN-8', '96385074', ['96385074', '000096385074', '0000096385074', '00000096385074']],
])('%s is requested in every length that fits', (_, barcode, forms) => {
  expect(formsOf(barcode).toSorted()).toEqual(forms.toSorted());
});

test('only numbers of thirteen digits with a valid check digit can be printed', () => {
  expect(
    ['747599322198', '3017620422003', '3017620422004', '10012345678902', '', '000'].map(toEan13),
  ).toEqual(['0747599322198', '3017620422003', undefined, undefined, undefined, undefined]);
});
