import { join } from 'node:path';
import sharp from 'sharp';
import { readStarterFoods } from '../../src/foods/starter/starter-foods.ts';
import { analyse } from '../../src/scan/analysis/analyse-image.ts';
import type { Recognizer } from '../../src/scan/recognizer.ts';
import { BarcodeRecognizer } from '../../src/scan/recognizers/barcode/barcode-recognizer.ts';
import { DishRecognizer } from '../../src/scan/recognizers/dish/dish-recognizer.ts';
import { LabelRecognizer } from '../../src/scan/recognizers/label/label-recognizer.ts';
import { TextReader } from '../../src/scan/recognizers/label/text/text-reader.ts';
import { percentile } from './search-figures.ts';

const MODEL = join(import.meta.dirname, '..', '..', 'models', 'dish-mobilenet');
/** The page shrinks photos to this larger side before it sends them. */
const SIDE_PX = 1280;
const ROUNDS = 2;
const never = new AbortController().signal;
const nowMs = () => performance.now();

interface Pictures {
  readonly plates: readonly { readonly bytes: Buffer }[];
  readonly singles: readonly { readonly bytes: Buffer }[];
}

/** Prints how long photos take by all recognizers on this machine, with several foods looked for and not, in turn. */
export async function benchPlateTimes({ plates, singles }: Pictures): Promise<void> {
  const shared = [
    await BarcodeRecognizer.open({ nowMs }),
    await LabelRecognizer.open(await TextReader.open()),
  ];
  const open = (severalFoods: boolean) => DishRecognizer.open(MODEL, readStarterFoods(), { severalFoods });
  const [without, several] = [await open(false), await open(true)];
  for (const [kind, photos] of Object.entries({ plates, singles })) {
    const [one, more]: [Times[], Times[]] = [[], []];
    for (const { bytes } of photos) {
      const photo = await sharp(bytes)
        .resize({ width: SIDE_PX, height: SIDE_PX, fit: 'inside' })
        .jpeg()
        .toBuffer();
      for (let round = 0; round < ROUNDS; round++) {
        // Each way is the first in turn.
        if (round % 2 === 0) one.push(await timed(photo, [...shared, without]));
        more.push(await timed(photo, [...shared, several]));
        if (round % 2 === 1) one.push(await timed(photo, [...shared, without]));
      }
    }
    const [oneMs, moreMs] = [one, more].map((times) => median(times.map(({ totalMs }) => totalMs)));
    const [oneDishMs, moreDishMs] = [one, more].map((times) => median(times.map(({ dishMs }) => dishMs)));
    console.log(
      `plates: ${photos.length} ${kind}, ${ROUNDS} times each way: whole analysis p50 ${oneMs!.toFixed(0)} ms with one item, ${moreMs!.toFixed(0)} ms ` +
        `with several looked for, in pairs ${median(more.map(({ totalMs }, at) => totalMs / one[at]!.totalMs)).toFixed(2)} times (goal 2); ` +
        `the dish model alone ${oneDishMs!.toFixed(0)} and ${moreDishMs!.toFixed(0)} ms`,
    );
  }
  await Promise.all([...shared, without, several].map((recognizer) => recognizer.close()));
}

/** How long a whole analysis took, and the dish model in it. */
interface Times {
  readonly totalMs: number;
  readonly dishMs: number;
}

async function timed(bytes: Buffer, recognizers: readonly Recognizer[]): Promise<Times> {
  const { analysis } = await analyse({
    bytes,
    recognizers,
    ground: async () => ({ items: [], unknownProducts: [] }),
    signal: never,
    nowMs,
  });
  const dishMs = analysis.recognizers.find(({ name }) => name === 'dish')?.ms ?? 0;
  return { totalMs: analysis.timings.totalMs, dishMs };
}

function median(ms: readonly number[]): number {
  return percentile(Float64Array.from(ms).sort(), 0.5);
}
