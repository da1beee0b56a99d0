import { describe, expect, it } from 'vitest';
import { RECEIPT_LAYOUTS } from '../../../../test/support/receipts/layouts.ts';
import { drawReceipt } from '../../../../test/support/receipts/receipts.ts';
import { readReceipt } from './read-receipt.ts';
import { withCurrencySigns } from './receipt-recognizer.ts';
import { ReceiptWords } from './receipt-words.ts';

const words = await ReceiptWords.open();

function read(...rows: readonly string[]) {
  return readReceipt(
    rows.map((text) => ({ text, confidence: 0.9 })),
    words,
  );
}

const linesOf = (...rows: readonly string[]) => read(...rows).lines.map(({ confidence: _, ...line }) => line);

describe('amounts', () => {
  it.each([
    ['MILCH 1L  1,19 A', 'MILCH 1L', '1.19', { size: { value: 1, unit: 'l' } }],
    ['SPAGHETTI 500G  0,99', 'SPAGHETTI 500G', '0.99', { size: { value: 500, unit: 'g' } }],
    ['WASSER 6x1,5L  2,34 B', 'WASSER 6x1,5L', '2.34', { size: { value: 9, unit: 'l' } }],
    ['CREME 20CL  1,29 €', 'CREME 20CL', '1.29', { size: { value: 200, unit: 'ml' }, currency: 'EUR' }],
    ['BREAD  £1.20', 'BREAD', '1.20', { currency: 'GBP' }],
    ['BREAD 007874235187 F  3.48 O', 'BREAD', '3.48', {}],
    ['2 x BREAD  2.40', 'BREAD', '2.40', { quantity: { value: 2 } }],
    ['BREAD  2 x 1,20  2,40', 'BREAD', '2.40', { quantity: { value: 2 }, unitPrice: '1.20' }],
    ['H-MILCH 3,5%  1,19 A', 'H-MILCH 3,5%', '1.19', {}],
    ['BUTTER  1,O9 A', 'BUTTER', '1.09', {}],
  ])('of "%s"', (row, text, price, more) => {
    expect(linesOf(row)).toEqual([expect.objectContaining({ text, price, ...more })]);
  });

  it.each([
    [['BANANEN  1,02 B', '0,342 kg x 2,99 EUR/kg'], { value: 0.342, unit: 'kg' }, '2.99', '1.02'],
    [['0,342 kg x 2,99 EUR/kg', 'BANANEN  1,02 B'], { value: 0.342, unit: 'kg' }, '2.99', '1.02'],
    [['BANANAS', '1.38 lb @ 0.59/lb  0.81'], { value: 1.38, unit: 'lb' }, '0.59', '0.81'],
    [['PLATANO', '0,842 kg  1,89 €/kg  1,59'], { value: 0.842, unit: 'kg' }, '1.89', '1.59'],
    [['YOG  2.97', '3 @ 0.99'], { value: 3 }, '0.99', '2.97'],
    [['JOGHURT', '3 x 0,99'], { value: 3 }, '0.99', '2.97'],
    [['JOGHURT  2,97', '0,99 x 3'], { value: 3 }, '0.99', '2.97'],
    [['MELE  0,65', 'KG 0,328 x 1,99 €/KG'], { value: 0.328, unit: 'kg' }, '1.99', '0.65'],
    [['80335 München', '3 x 1,19', 'QUARK  3,57'], { value: 3 }, '1.19', '3.57'],
  ])('in rows of their own: %j', (rows, quantity, unitPrice, price) => {
    expect(linesOf(...rows)).toEqual([expect.objectContaining({ quantity, unitPrice, price })]);
  });

  it('do not go to a line whose price they do not make', () => {
    const [bread] = linesOf('BREAD  1.20', '3 @ 0.99');
    expect(bread).not.toHaveProperty('quantity');
  });

  it('that begin names count only where most names have one', () => {
    expect(linesOf('2 YOGUR  1,10  2,20', '1 PAN  0,95', '1 LECHE  0,93').map(({ text }) => text)).toEqual([
      'YOGUR',
      'PAN',
      'LECHE',
    ]);
    expect(linesOf('7 UP  1,10', 'PAN  0,95', 'LECHE  0,93')[0]!.text).toBe('7 UP');
  });
});

describe('what is no product', () => {
  it.each([
    'PFAND 0,25 EURO  0,25 A',
    'EINWEGPFAND  0,25',
    'Rabatt 10%  -0,30 B',
    'COUPON SAVINGS  0.50-',
    'REMISE IMMEDIATE  0,50',
    'SCONTO FEDELTA  -0,40',
    'MwSt 7%  0,71',
    'VISA CREDIT  12.40',
    'Zwischensumme  12,40',
    'Datum 01.12.2026 12.30',
    'TARJETA BANCARIA  12,40',
    '(1 L = 1,19)',
    '',
  ])('"%s"', (row) => {
    expect(linesOf('BROT  1,99', row, 'MILCH  1,19').map(({ text }) => text)).toEqual(['BROT', 'MILCH']);
  });

  it.each([
    'SUMME EUR  3,18',
    'TOTAL TO PAY  3.18',
    'NET A PAYER  3,18',
    'IMPORTE TOTAL  3,18',
    'TOTALE COMPLESSIVO  3,18',
  ])('follows after "%s"', (total) => {
    expect(linesOf('BROT  1,99', total, 'Trinkgeld  1,00').map(({ text }) => text)).toEqual(['BROT']);
  });

  it('is not a product that is called total', () => {
    expect(linesOf('TOTAL 0% GREEK YOGURT  1.99', 'BREAD  1.20')).toHaveLength(2);
  });

  it('is a column of tax rates, but not the fat of a milk', () => {
    const names = ['LATTE INTERO  4,00%  1,29', 'PANE  4,00%  0,99', 'LATTE 1,6%  4,00%  0,89'];
    expect(linesOf(...names).map(({ text }) => text)).toEqual(['LATTE INTERO', 'PANE', 'LATTE 1,6%']);
    expect(linesOf('LATTE 1,6%  0,89', 'PANE  0,99', 'RISO  1,99')[0]!.text).toBe('LATTE 1,6%');
  });
});

describe('signs of currencies that the networks do not know', () => {
  const readAs = (...rows: readonly string[]) =>
    withCurrencySigns(rows.map((text) => ({ text, confidence: 1 }))).map(({ text }) => text);
  it('are put in place of the letters read instead', () => {
    expect(
      readAs('JAMBON  2,89 e', 'LAIT  1,05 E', '0,322 kg x 2,79 e/kg  0,90 (', 'YAOURT 2 x 1,39%  2,78 e'),
    ).toEqual(['JAMBON  2,89 €', 'LAIT  1,05 €', '0,322 kg x 2,79 €/kg  0,90 €', 'YAOURT 2 x 1,39€  2,78 €']);
    expect(readAs('BREAD  f1.20', '2 @ f1.95')).toEqual(['BREAD  £1.20', '2 @ £1.95']);
  });
  it('are not put in place of letters of taxes', () => {
    expect(readAs('MILCH  1,19 E', 'BROT  1,99 B', 'SAFT  0,99 B')[0]).toBe('MILCH  1,19 E');
  });
});

describe('names', () => {
  const nameOf = (text: string, sign: string) => read(`${text}  1,29`, sign).lines[0]!.name;
  it.each([
    ['GRIECH. JOGHURT', 'SUMME  1,29', 'griechischer joghurt'],
    ['GRIECH.JOGHURT 500G', 'SUMME  1,29', 'griechischer joghurt'],
    ['BIO BANANEN', 'SUMME  1,29', 'bananen'],
    ['CHKN BRST', 'CASH  1.29', 'chicken breast'],
    ['ORG WHL MLK', 'CASH  1.29', 'organic whole milk'],
    ['JA! SPAGHETTI', 'SUMME  1,29', 'spaghetti'],
    ['OLI0 EVO 1L', 'TOTALE  1,29', 'olio extravergine di oliva'],
    ['UOVA FRESCHE X6', 'TOTALE  1,29', 'uova'],
    ['HUEVOS M 12U', 'IMPORTE  1,29', 'huevos'],
    ['XOLVO CLASSIC', 'SUMME  1,29', 'xolvo classic'],
  ])('%s of a receipt with "%s" is "%s"', (text, sign, name) => {
    expect(nameOf(text, sign)).toBe(name);
  });
});

it.each(RECEIPT_LAYOUTS.map((layout) => [layout.name, layout] as const))(
  'reads a receipt "%s"',
  (_, layout) => {
    let state = 3;
    const random = () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state / 2_147_483_648;
    };
    const { rows, lines, currency } = drawReceipt(layout, random);
    const found = read(...rows.map((row) => row.trim().replace(/ {2,}/g, '  ')));
    expect(found.language).toBe(layout.language);
    // One piece is printed by some and understood by others.
    const many = (quantity?: object) => (JSON.stringify(quantity) === '{"value":1}' ? undefined : quantity);
    expect(
      found.lines.map(({ text, price, quantity }) => ({ text, price, quantity: many(quantity) })),
    ).toEqual(lines.map(({ text, price, quantity }) => ({ text, price, quantity })));
    expect(new Set(found.lines.map((line) => line.currency))).toEqual(new Set([currency]));
  },
);
