import { beforeAll, expect, test } from 'vitest';
import { openSample } from '../../../../bench/support/open-sample.ts';
import { photoOfCodes } from '../../../../test/support/written-code.ts';
import { BarcodeRecognizer } from './barcode-recognizer.ts';

const never = new AbortController().signal;
let recognizer: BarcodeRecognizer;
beforeAll(async () => {
  recognizer = await BarcodeRecognizer.open({ nowMs: () => performance.now() });
});

/** Returns the proposals for a photo of a symbol with this content. */
async function propose(format: 'QRCode' | 'DataMatrix', content: string, turnedBy = 0): Promise<string[]> {
  const photo = await photoOfCodes({ format, content, turnedBy, scale: 6 });
  const { proposals } = await recognizer.recognize(await openSample(photo), never);
  return proposals.map((proposal) => (proposal.kind === 'barcode' ? proposal.digits : ''));
}

test.each([
  ['QRCode', '3017620422003', 0],
  ['QRCode', '3017620422003', 37],
  ['QRCode', '96385074', 90],
  ['DataMatrix', '036000291452', 0],
  ['DataMatrix', '036000291452', 30],
] as const)('%s of the digits %s, turned by %d degrees', async (format, digits, turnedBy) => {
  expect(await propose(format, digits, turnedBy)).toEqual([digits]);
});

test.each([
  ['QRCode', 'https://id.gs1.org/01/03017620422003/10/AB12'],
  ['QRCode', 'HTTPS://EXAMPLE.COM/01/03017620422003?15=260531'],
  ['DataMatrix', 'https://example.com/some/path/01/03017620422003'],
  ['DataMatrix', '(01)03017620422003(15)260531'],
] as const)(
  '%s of %s is proposed as a whole, because it says more than the number',
  async (format, content) => {
    const [found, ...others] = await propose(format, content);
    expect(found).toMatch(/^\][A-Za-z]\d/);
    expect(found!.slice(3)).toBe(content);
    expect(others).toEqual([]);
  },
);

test.each([
  ['QRCode', 'https://example.com/nutella'],
  ['QRCode', '3017620422004'],
  ['QRCode', '123456'],
  ['DataMatrix', 'LOT 2026-05-31'],
] as const)('%s of %s is not a product', async (format, content) => {
  expect(await propose(format, content)).toEqual([]);
});
