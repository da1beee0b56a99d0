import { checkDigit } from '@larder/core/gtin.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../test/support/runs.ts';
import type { ImageFacts } from '../scan/images/image-facts.ts';
import { inspectImage } from '../scan/images/inspect-image.ts';
import { OpenPhoto } from '../scan/images/open-photo.ts';
import { BarcodeRecognizer } from '../scan/recognizers/barcode/barcode-recognizer.ts';
import { barcodePicture, plainPicture } from './barcode-picture.ts';

// A fixed clock, so that results do not depend on the machine's load.
const recognizer = await BarcodeRecognizer.open({ nowMs: () => 0 });

async function read(picture: Uint8Array): Promise<unknown[]> {
  const png = Buffer.from(picture);
  const facts = inspectImage(png);
  expect(facts).toMatchObject({ type: 'image/png' });
  const photo = await OpenPhoto.open(png, facts as ImageFacts, () => 0);
  const { proposals } = await recognizer.recognize(photo, new AbortController().signal);
  return proposals.map((proposal) => proposal.kind === 'barcode' && proposal.digits.padStart(13, '0'));
}

test('the drawn bars encode the number', async () => {
  const numbers = fc.stringMatching(/^\d{12}$/).filter((body) => Number(body) > 0);
  const property = fc.asyncProperty(numbers, async (body) => {
    const ean13 = body + checkDigit(body);
    expect(await read(barcodePicture(ean13))).toEqual([ean13]);
  });
  await fc.assert(property, { numRuns: runs(25) });
});

test('a plain picture has no barcode', async () => {
  expect(await read(plainPicture())).toEqual([]);
});
