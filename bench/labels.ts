/**
 * How well are nutrition facts read off photos? Draws thirty layouts, photographs them with noise, blur and
 * perspective, and compares what is proposed with what was printed. Goal: 95 % of the values right, all that is
 * accepted consistent by 4-4-9. `--against tesseract` has the same images read by Tesseract too.
 *
 *     npm run bench -- labels [--rounds 3] [--layout NAME] [--write DIR] [--against tesseract] [--photos DIR]
 */
import { parseArgs } from 'node:util';
import { boundImageDecoding } from '../src/scan/images/open-photo.ts';
import { benchLabels } from './support/recognition-labels.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    layout: { type: 'string' },
    write: { type: 'string' },
    against: { type: 'string' },
    photos: { type: 'string' },
  },
});
boundImageDecoding();
await benchLabels({ ...values, rounds: Number(values.rounds) });
