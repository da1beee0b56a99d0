import { checkDigit } from '@larder/core/gtin.ts';
import fc from 'fast-check';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { openSample } from '../../../../bench/support/open-sample.ts';
import { type CodeToWrite, type PlacedCode, photoOfCodes } from '../../../../test/support/written-code.ts';
import { BarcodeRecognizer } from './barcode-recognizer.ts';

const never = new AbortController().signal;
/** Without a time limit, so that results do not depend on the machine's load. */
let recognizer: BarcodeRecognizer;
beforeAll(async () => {
  recognizer = await BarcodeRecognizer.open({ nowMs: () => 0 });
});

async function read(photo: Buffer): Promise<string[]> {
  const { proposals } = await recognizer.recognize(await openSample(photo), never);
  return proposals.map((proposal) => (proposal.kind === 'barcode' ? proposal.digits : ''));
}
const readCodes = async (...codes: readonly PlacedCode[]) => read(await photoOfCodes(...codes));

const SPREAD = '3017620422003';
const ITF: CodeToWrite = { format: 'ITF14', content: '13017620422000' };
const GS1_128: CodeToWrite = { format: 'Code128', content: `(01)0${SPREAD}(10)AB12`, isGs1: true, scale: 3 };
const KINDS: readonly (readonly [name: string, code: CodeToWrite, digits: string])[] = [
  ['ITF-14 in its frame', ITF, '13017620422000'],
  ['ITF-14 without a frame', { ...ITF, format: 'ITF' }, '13017620422000'],
  ['ITF-14 of a single package', { ...ITF, content: `0${SPREAD}` }, SPREAD],
  ['ITF-14 of a UPC-A', { ...ITF, content: '00036000291452' }, '036000291452'],
  ['Code 128 of a number', { format: 'Code128', content: SPREAD }, SPREAD],
  ['GS1-128', { ...GS1_128, content: `(01)0${SPREAD}` }, `]C1010${SPREAD}`],
  ['GS1-128 with a batch', GS1_128, `]C1010${SPREAD}10AB12`],
  [
    'GS1-128 of a weighed package',
    { ...GS1_128, content: '(01)93017620422006(3103)000250' },
    ']C101930176204220063103000250',
  ],
  ['GS1 DataBar', { format: 'DataBar', content: `0${SPREAD}` }, `]e0010${SPREAD}`],
  ['GS1 DataBar Limited', { format: 'DataBarLtd', content: `0${SPREAD}` }, `]e0010${SPREAD}`],
  [
    'GS1 DataBar Expanded',
    { format: 'DataBarExp', content: `(01)9${SPREAD.slice(0, 12)}6(3103)000250`, isGs1: true },
    ']e001930176204220063103000250',
  ],
];

describe('bars of trade units are read', () => {
  it.each(KINDS)('%s, at any angle', async (_, code, digits) => {
    for (const turnedBy of [0, 90, 33, -68]) expect(await readCodes({ ...code, turnedBy })).toEqual([digits]);
  });

  it.each(KINDS.filter(([name]) => !name.includes('DataBar')))(
    '%s, light on dark',
    async (_, code, digits) => {
      for (const turnedBy of [0, 45]) {
        expect(await readCodes({ ...code, turnedBy, isLightOnDark: true })).toEqual([digits]);
      }
    },
  );
});

describe('bars without the number of a product are not reported', () => {
  it.each<readonly [string, CodeToWrite]>([
    ['a wrong check digit in ITF-14', { format: 'ITF', content: '13017620422001' }],
    ['a shorter ITF', { format: 'ITF', content: '96385074' }],
    ['a serial number in Code 128', { format: 'Code128', content: '96385074' }],
    ['a Code 128 that looks like a GS1-128', { format: 'Code128', content: `010${SPREAD}` }],
    ['a text', { format: 'Code128', content: 'LOT 2026-05-31' }],
    ['the number of a pallet', { ...GS1_128, content: '(00)340123450000000017' }],
  ])('%s', async (_, code) => {
    expect(await readCodes(code)).toEqual([]);
  });

  it('an ITF-14 through noise and blur is read as it is, or not at all', async () => {
    const cases = fc.record({
      body: fc.stringMatching(/^[1-8]\d{12}$/),
      turnedBy: fc.integer({ min: -90, max: 90 }),
      scale: fc.integer({ min: 2, max: 4 }),
      blur: fc.double({ min: 0.5, max: 5, noNaN: true }),
      levels: fc.integer({ min: 4, max: 60 }),
    });
    let readCount = 0;
    await fc.assert(
      fc.asyncProperty(cases, async ({ body, turnedBy, scale, blur, levels }) => {
        const content = body + checkDigit(body);
        const photo = await photoOfCodes({ format: 'ITF14', content, turnedBy, scale });
        const worse = sharp(photo).blur(blur).jpeg({ quality: levels });
        const found = await read(await worse.toBuffer());
        readCount += found.length;
        expect([[], [content]]).toContainEqual(found);
      }),
      { numRuns: 25, seed: 7 },
    );
    expect(readCount).toBeGreaterThan(5);
  });
});

describe('several codes on one photo', () => {
  const left: PlacedCode = { format: 'EAN13', content: '5449000000996', x: 0.2, y: 0.25, scale: 3 };
  const middle: PlacedCode = { format: 'EAN13', content: SPREAD, x: 0.5, y: 0.55, scale: 5 };

  it('are all proposed, the largest in the middle first', async () => {
    expect(await readCodes(left, middle)).toEqual([SPREAD, '5449000000996']);
    expect(await readCodes({ ...left, scale: 5 }, { ...middle, scale: 4 })).toEqual([
      SPREAD,
      '5449000000996',
    ]);
  });

  it.each<readonly [string, PlacedCode, string]>([
    ['a turned one', { ...left, turnedBy: 40 }, left.content],
    ['one that is light on dark', { ...left, isLightOnDark: true }, left.content],
    [
      'a square one',
      { format: 'QRCode', content: `https://id.gs1.org/01/0${left.content}`, x: 0.2, y: 0.25 },
      '',
    ],
    ['one of a case', { ...ITF, x: 0.25, y: 0.2, scale: 3 }, ITF.content],
  ])('are all proposed: %s beside one that is read at once', async (_, other, digits) => {
    const found = await readCodes(middle, other);
    expect(found).toEqual([SPREAD, digits || expect.stringMatching(/^\]Q1.*5449000000996$/)]);
  });

  it('of one product are one proposal, with what either says', async () => {
    expect(await readCodes(middle, { ...GS1_128, x: 0.35, y: 0.15 })).toEqual([`]C1010${SPREAD}10AB12`]);
  });
});
