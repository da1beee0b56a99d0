import { queryObjects } from 'node:v8';
import { expect, test } from 'vitest';
import { ean13Bars } from '../../../../test/support/barcode-bars.ts';
import { barcodePicture } from '../../../../test/support/barcode-picture.ts';
import { BarcodeReader } from './zxing-reader.ts';

const EFFORT = { tryHarder: true, tryRotate: false, minLines: 2 };
const TIMES = 20;

test('reading a barcode leaks no memory', async () => {
  const picture = await barcodePicture({ bars: ean13Bars('4006381333931') });
  const { data, info } = await picture.greyscale().raw().toBuffer({ resolveWithObject: true });
  const reader = await BarcodeReader.open();
  const read = () => reader.read({ widthPx: info.width, heightPx: info.height, data }, EFFORT);
  expect(read()).toMatchObject([{ digits: '4006381333931', isValid: true }]);
  const before = countArrays();
  for (let time = 0; time < TIMES; time++) read();
  expect(countArrays() - before).toBeLessThan(TIMES);
});

/** Counts the byte arrays of ZXing's results, which live as long as their memory in WebAssembly. */
function countArrays(): number {
  return Number(queryObjects(Uint8ClampedArray, { format: 'count' }));
}
