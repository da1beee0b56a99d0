import { join } from 'node:path';
import { findBarRegions } from '../../src/scan/recognizers/barcode/bar-regions.ts';
import { BarcodeRecognizer, MAX_REGIONS } from '../../src/scan/recognizers/barcode/barcode-recognizer.ts';
import { openSample } from './open-sample.ts';
import { photosOf } from './photo-sets.ts';
import { percentile } from './search-figures.ts';

const SETS = ['food101_photos', 'grocery'];
const PHOTOS = 120;
const RECOGNIZER = 'src/scan/recognizers/barcode/barcode-recognizer.ts';
const nowMs = () => performance.now();
const never = new AbortController().signal;

/**
 * Prints the time of photos without a barcode, alternating with another checkout if one is named, and the
 * likeness of their regions. With the output of `printLikeness` it finds the recognizer's threshold again.
 */
export async function benchNoBarcode(root: string | undefined): Promise<void> {
  const recognizers = [await BarcodeRecognizer.open({ nowMs })];
  if (root !== undefined) {
    const other = (await import(join(root, RECOGNIZER))) as { BarcodeRecognizer: typeof BarcodeRecognizer };
    recognizers.push(await other.BarcodeRecognizer.open({ nowMs }));
  }
  for (const set of SETS) {
    const all = photosOf(set);
    if (all === undefined) continue;
    const step = Math.max(1, Math.floor(all.length / PHOTOS));
    const photos = all.filter((_, index) => index % step === 0).map(({ bytes }) => bytes);
    const times: number[][] = recognizers.map(() => []);
    let found = 0;
    for (const bytes of photos) {
      for (const [at, recognizer] of recognizers.entries()) {
        const photo = await openSample(bytes);
        await photo.grey(1280);
        const startedAtMs = nowMs();
        found += (await recognizer.recognize(photo, never)).proposals.length;
        times[at]!.push(nowMs() - startedAtMs);
      }
    }
    const figures = times.map(
      (ms) =>
        `mean ${mean(ms).toFixed(1)}, p50 ${percentile(Float64Array.from(ms).sort(), 0.5).toFixed(1)} ms`,
    );
    const ratio =
      times[1] === undefined ? '' : `; ${(mean(times[0]!) / mean(times[1])).toFixed(2)} times by the means`;
    console.log(
      `no barcode: ${photos.length} of ${set}, ${found} found, ${figures.join('; other checkout ')}${ratio}`,
    );
    await printLikeness(set, photos);
  }
}

/** Prints the likeness of the most similar region of each photo that has one. */
export async function printLikeness(name: string, photos: readonly Buffer[]): Promise<void> {
  const best: number[] = [];
  for (const bytes of photos) {
    const regions = findBarRegions(await (await openSample(bytes)).grey(1280), MAX_REGIONS);
    if (regions.length > 0) best.push(Math.max(...regions.map(({ likeness }) => likeness)));
  }
  const values = Float64Array.from(best).sort();
  const [lowest, quarter, half, most] = [0, 0.25, 0.5, 0.9].map((share) =>
    percentile(values, share).toFixed(2),
  );
  console.log(
    `likeness of bars: ${best.length} of ${photos.length} of ${name} have regions; lowest ${lowest}, quartile ${quarter}, ` +
      `median ${half}, 90 % below ${most}`,
  );
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
