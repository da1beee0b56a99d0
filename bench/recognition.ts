/**
 * Measures what the recognizers read and how long they take.
 *
 *     npm run bench -- recognition [--negatives DIR] [--rounds 3] [--root OTHER_CHECKOUT] [--only plates [--fit]]
 *
 * `--only` measures one part: barcodes, dishes, plates or labels. `--fit` finds the numbers of plates again,
 * and measures by them.
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
import { benchPlates } from './support/recognition-plates.ts';

const { values } = parseArgs({
  options: {
    negatives: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    root: { type: 'string' },
    only: { type: 'string' },
    fit: { type: 'boolean', default: false },
  },
});
boundImageDecoding();
const parts: Readonly<Record<string, () => Promise<void>>> = {
  barcodes: async () => {
    await benchBarcodes();
    await benchNoBarcode(values.root);
  },
  dishes: () => benchDishModel({ negatives: values.negatives }),
  plates: () => benchPlates({ fit: values.fit }),
  labels: () => benchLabels({ rounds: Number(values.rounds) }),
};
for (const [name, bench] of Object.entries(parts)) {
  if (values.only === undefined || values.only === name) await bench();
}
