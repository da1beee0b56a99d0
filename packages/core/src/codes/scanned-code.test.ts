import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import { AppError } from '../errors.ts';
import { checkDigit } from '../gtin.ts';
import { findScannedCode, MAX_CODE_LENGTH, parseBarcode, readScannedCode } from './scanned-code.ts';

const GS = '\u001d';
const withCheckDigit = (body: string) => body + checkDigit(body);
const ean13 = fc.stringMatching(/^[1-9][0-9]{11}$/).map(withCheckDigit);
const upcA = fc.stringMatching(/^[1-9][0-9]{10}$/).map(withCheckDigit);
/** Characters without a meaning in links or for people. */
const batch = fc.stringMatching(/^[A-Za-z0-9.]{1,20}$/).filter((text) => !/^\d+$/.test(text));

describe('numbers', () => {
  test.each([
    ['3 017620 422003', '3017620422003'],
    ['0-12345-67890-5', '012345678905'],
    ['978\u20113\u201116\u2011148410\u20110', '9783161484100'],
    ['\t96385074\r\n', '96385074'],
    ['425261', '425261'],
    ["'5901234123457", '5901234123457'],
    ['="5901234123457"', '5901234123457'],
    ['“5901234123457”', '5901234123457'],
    ['5901234123457.', '5901234123457'],
    ['#5901234123457', '5901234123457'],
    ['5.901.234.123.457', '5901234123457'],
    ['EAN 5901234123457', '5901234123457'],
    ['ean13:5901234123457', '5901234123457'],
    ['EAN-13: 590 1234 123457', '5901234123457'],
    ['GTIN 05901234123457', '05901234123457'],
    ['UPC-A 036000291452', '036000291452'],
    ['Strichcode 5901234123457', '5901234123457'],
    ['code-barres : 5901234123457', '5901234123457'],
    ['Código de barras: 5901234123457', '5901234123457'],
    ['kod kreskowy 5901234123457', '5901234123457'],
    ['штрихкод 5901234123457', '5901234123457'],
    ['バーコード：５９０１２３４１２３４５７', '5901234123457'],
    ['５９０１２３４１２３４５７', '5901234123457'],
    ['٥٩٠١٢٣٤١٢٣٤٥٧', '5901234123457'],
    ['१२३४५६', '123456'],
  ])('%j is %s', (typed, code) => {
    expect(readScannedCode(typed)).toEqual({ barcode: code });
  });

  test.each([
    '',
    '12345',
    '123456789012345',
    '30176204ab003',
    '1e10000',
    '+123456',
    '9'.repeat(10_000),
    '(10)AB12',
    '(00)003456789012345678',
    '(01)03017620422',
    'https://example.com/products/nutella',
    'https://example.com/01/12345',
    ']C1',
    `${GS}${GS}`,
  ])('%j is rejected as invalid_barcode', (typed) => {
    expect(() => parseBarcode(typed)).toThrow(
      expect.objectContaining({ code: 'invalid_barcode', constructor: AppError }),
    );
  });
});

describe('add-ons', () => {
  test.each([
    ['9771234567003 05', '9771234567003', '05'],
    ['977123456700305', '9771234567003', '05'],
    ['977-1234567003-05', '9771234567003', '05'],
    ['9771234567003+05', '9771234567003', '05'],
    ['9780201379624 52500', '9780201379624', '52500'],
    ['012345678905 05', '012345678905', '05'],
    ['01234567890552500', '012345678905', '52500'],
    ['04252614 12', '04252614', '12'],
    [']E3977123456700305', '9771234567003', '05'],
    [']E09771234567003]E105', '9771234567003', '05'],
    [']E09780201379624]E252500', '9780201379624', '52500'],
  ])('%j is %s with %s', (typed, barcode, addOn) => {
    expect(readScannedCode(typed)).toEqual({ barcode, facts: { addOn } });
  });

  test('a complete number is never split', () => {
    fc.assert(
      fc.property(fc.oneof(ean13, upcA), fc.array(fc.nat(13), { maxLength: 4 }), (code, spaces) => {
        const spaced = [...code].map((digit, at) => (spaces.includes(at) ? ` ${digit}` : digit)).join('');
        expect(readScannedCode(spaced)).toEqual({ barcode: code });
      }),
    );
  });
});

describe('element strings', () => {
  test.each([
    ['(01)03017620422003', '3017620422003', undefined],
    ['(01) 0 3017620 42200 3', '3017620422003', undefined],
    ['(01)3017620422003(10)A', '3017620422003', { batch: 'A' }],
    ['[01]03017620422003[21]S-1', '3017620422003', { serial: 'S-1' }],
    ['(10)A(B)1(01)03017620422003', '3017620422003', { batch: 'A(B)1' }],
    ['0103017620422003', '3017620422003', undefined],
    ['01030176204220031723051510AB', '3017620422003', { expiryDate: '2023-05-15', batch: 'AB' }],
    [
      `010301762042200310AB${GS}3103000250`,
      '3017620422003',
      { batch: 'AB', amount: { quantity: 250, unit: 'g' } },
    ],
    ['010301762042200310AB<GS>17260200', '3017620422003', { batch: 'AB', expiryDate: '2026-02-28' }],
    [`${GS}0103017620422003${GS}21X`, '3017620422003', { serial: 'X' }],
    [']C10103017620422003', '3017620422003', undefined],
    [']e00103017620422003', '3017620422003', undefined],
    [`]d210AB${GS}0103017620422003`, '3017620422003', { batch: 'AB' }],
    [
      ']Q30103017620422003152601313922499',
      '3017620422003',
      { bestBeforeDate: '2026-01-31', price: { value: 4.99 } },
    ],
    [']J10103017620422003', '3017620422003', undefined],
    [']E03017620422003', '3017620422003', undefined],
    [']E496385074', '96385074', undefined],
    ['(01)03017620422003(3932)978499', '3017620422003', { price: { value: 4.99, currency: '978' } }],
    ['(01)03017620422003(3201)000010', '3017620422003', { amount: { quantity: 453.592, unit: 'g' } }],
    ['(01)03017620422003(3150)000002', '3017620422003', { amount: { quantity: 2000, unit: 'ml' } }],
    ['(01)03017620422003(30)6(422)276', '3017620422003', { count: 6, other: { 422: '276' } }],
    ['(02)03017620422003(37)12', '3017620422003', { count: 12 }],
    ['(8006)030176204220030102', '3017620422003', undefined],
    ['(01)00012345678905', '012345678905', undefined],
    ['(01)00000001234565', '00000001234565', undefined],
    ['(01)13017620422000', '13017620422000', undefined],
  ])('%j is %s', (typed, barcode, facts) => {
    expect(readScannedCode(typed)).toEqual({ barcode, ...(facts && { facts }) });
  });

  test('unreadable parts of a code are reported, and the number counts', () => {
    expect(readScannedCode('(01)03017620422003(17)SOON')).toEqual({
      barcode: '3017620422003',
      facts: { unread: '(17)SOON' },
    });
    expect(readScannedCode('(01)03017620422003(310)1')).toEqual({
      barcode: '3017620422003',
      facts: { unread: '(310)1' },
    });
    expect(readScannedCode('(01)03017620422003(17)261399')).toEqual({
      barcode: '3017620422003',
      facts: { other: { 17: '261399' } },
    });
  });

  test('digits that only begin like an element need a valid check digit', () => {
    expect(findScannedCode('0103017620422004')).toBeUndefined();
    expect(findScannedCode('(01)03017620422004')).toEqual({ barcode: '3017620422004' });
  });
});

describe('links', () => {
  test.each([
    ['https://id.gs1.org/01/03017620422003', undefined],
    ['HTTPS://ID.GS1.ORG/01/03017620422003', undefined],
    ['http://brand.example/de/p/01/3017620422003/', undefined],
    ['id.gs1.org/01/03017620422003', undefined],
    ['https://id.gs1.org/01/03017620422003/15/230501', { bestBeforeDate: '2023-05-01' }],
    [
      'https://id.gs1.org/01/03017620422003/10/A%2F1/21/9?17=260131&linkType=all',
      { batch: 'A/1', serial: '9', expiryDate: '2026-01-31' },
    ],
    ['https://brand.example/gtin/3017620422003/lot/AB?exp=260131', { batch: 'AB', expiryDate: '2026-01-31' }],
    [
      'https://brand.example/01/03017620422003?3103=000195;10=AB#top',
      { batch: 'AB', amount: { quantity: 195, unit: 'g' } },
    ],
    ['https://brand.example/8006/030176204220030102', undefined],
    ['https://brand.example/spread?gtin=3017620422003', undefined],
  ])('%s', (link, facts) => {
    expect(readScannedCode(link)).toEqual({ barcode: '3017620422003', ...(facts && { facts }) });
  });
});

test('every form of one code has the same result', () => {
  fc.assert(
    fc.property(fc.oneof(ean13, upcA), batch, (code, lot) => {
      const gtin = code.padStart(14, '0');
      const forms = [
        `(01)${gtin}(10)${lot}`,
        `01${gtin}10${lot}`,
        `]C101${gtin}10${lot}`,
        `]d210${lot}${GS}01${gtin}`,
        `https://id.gs1.org/01/${gtin}/10/${lot}`,
        `https://brand.example/x/gtin/${gtin}?10=${lot}`,
      ];
      for (const form of forms)
        expect(readScannedCode(form)).toEqual({ barcode: code, facts: { batch: lot } });
    }),
    { numRuns: runs(300) },
  );
});

test('any text is read or rejected, and a result is read again as itself', () => {
  const piece = fc.constantFrom(
    GS,
    '(01)',
    '01',
    '03017620422003',
    '(10)',
    '10',
    '/',
    'https://a.b',
    ']C1',
    ']E3',
    ' 05',
    '?',
    '%',
    '3103',
  );
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.oneof(piece, fc.string()), { maxLength: 8 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(anything, (text) => {
      const code = findScannedCode(text);
      if (code !== undefined) expect(parseBarcode(code.barcode)).toBe(code.barcode);
    }),
    { numRuns: runs(2000) },
  );
});

test('the longest texts are read quickly', () => {
  for (const part of ['1 ', '(01)', '01', '/01', `${GS}10A`, '-', '[01'])
    expect(() => findScannedCode(part.repeat(MAX_CODE_LENGTH / part.length))).not.toThrow();
  expect(findScannedCode(' '.repeat(1_000_000))).toBeUndefined();
});
