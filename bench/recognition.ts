/**
 * Measures what the recognizers read and how long they take.
 *
 *     npm run bench -- recognition [--negatives DIR] [--rounds 3] [--root OTHER_CHECKOUT]
 *
 * Photos are not part of the project: they are read from `../shared/vision` if present; a part without its
 * photos is skipped with a message. Labels are drawn.
 */
import { parseArgs } from 'node:util';
import { boundImageDecoding } from '../src/scan/images/open-photo.ts';
import { benchBarcodes } from './support/recognition-barcodes.ts';
import { benchDishModel } from './support/recognition-dishes.ts';
import { benchLabels } from './support/recognition-labels.ts';
import { benchNoBarcode } from './support/recognition-no-barcode.ts';

const { values } = parseArgs({
  options: {
    negatives: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    root: { type: 'string' },
  },
});
boundImageDecoding();
await benchBarcodes();
await benchNoBarcode(values.root);
await benchDishModel({ negatives: values.negatives });
await benchLabels({ rounds: Number(values.rounds) });
