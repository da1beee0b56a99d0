/**
 * What do the recognizers read, and what does it take? Photos are not part of the project: they are read from
 * `../shared/vision` where that is present, parts without their photos are skipped aloud.
 *
 *     npm run bench -- recognition
 */
import { benchBarcodes } from './support/recognition-barcodes.ts';

await benchBarcodes();
