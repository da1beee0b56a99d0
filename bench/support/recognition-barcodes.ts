import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expandUpcE, toGtin } from '@larder/core/gtin.ts';
import sharp from 'sharp';
import { BarcodeRecognizer } from '../../src/scan/recognizers/barcode/barcode-recognizer.ts';
import { BarcodeReader } from '../../src/scan/recognizers/barcode/zxing-reader.ts';
import { ean13Bars } from '../../test/support/barcode-bars.ts';
import { barcodePicture } from '../../test/support/barcode-picture.ts';
import { openSample } from './open-sample.ts';
import { photosOf, type SetPhoto, VISION } from './photo-sets.ts';
import { benchDrawnBarcodes } from './recognition-drawn-barcodes.ts';
import { printLikeness } from './recognition-no-barcode.ts';
import { percentile } from './search-figures.ts';

/** The second barcode of Japanese books, on some photos, is no misreading. */
const ALSO_PRINTED = ['1920081045006', '9784872348880'];
const DISH_PHOTOS = 60;
const DRAWN_PHOTOS = 400;
const REPEATS = 15;
const nowMs = () => performance.now();
const never = new AbortController().signal;

interface Sample {
  readonly name: string;
  readonly bytes: Buffer;
  /** Absent without a barcode. */
  readonly gtin?: string;
}

/**
 * Prints figures of real photos, photos without barcodes and drawn ones, and the time of one photo of 12
 * megapixels.
 */
export async function benchBarcodes(): Promise<void> {
  const recognizer = await BarcodeRecognizer.open({ nowMs });
  const dir = join(VISION, 'barcodes');
  if (existsSync(dir)) await benchPhotos(recognizer, samplesIn(dir));
  else console.log(`barcodes: photos skipped, since ${dir} is not there`);
  const skewed = join(VISION, 'barcodes_skewed');
  if (existsSync(skewed)) await benchPhotos(recognizer, skewedIn(skewed));
  else console.log(`barcodes: skewed photos skipped, since ${skewed} is not there`);
  const dishes = photosOf('food101_photos');
  if (dishes !== undefined) await benchDishes(recognizer, dishes);
  else console.log(`barcodes: dishes skipped, since food101_photos is not in ${VISION}`);
  await benchDrawnBarcodes(recognizer, DRAWN_PHOTOS);
  await benchTwelveMegapixels(recognizer);
}

async function benchPhotos(recognizer: BarcodeRecognizer, samples: readonly Sample[]): Promise<void> {
  const reader = await BarcodeReader.open();
  const counts = { photos: 0, read: 0, plain: 0, misread: 0, others: 0, falsePositives: 0 };
  const ms: number[] = [];
  for (const { name, bytes, gtin } of samples) {
    const photo = await openSample(bytes);
    const image = await photo.grey(1280);
    const startedAtMs = nowMs();
    const { proposals } = await recognizer.recognize(photo, never);
    ms.push(nowMs() - startedAtMs);
    const found = proposals.map((proposal) => toGtin('digits' in proposal ? proposal.digits : '0'));
    const plain = reader
      .read(image, { tryHarder: true, tryRotate: true, minLines: 2 })
      .filter(({ isValid }) => isValid)
      .map(({ digits }) => toGtin(digits));
    if (gtin === undefined) {
      counts.others++;
      counts.falsePositives += found.length;
      continue;
    }
    counts.photos++;
    counts.read += Number(found.includes(toGtin(gtin)));
    counts.plain += Number(plain.includes(toGtin(gtin)));
    const wrong = found.filter(
      (each) => each !== toGtin(gtin) && !ALSO_PRINTED.some((other) => toGtin(other) === each),
    );
    for (const each of wrong) console.log(`barcodes: ${name} misread as ${each}`);
    counts.misread += wrong.length;
  }
  const withCode = samples.filter(({ gtin }) => gtin !== undefined).map(({ bytes }) => bytes);
  await printLikeness('photos with a barcode', withCode);
  console.log(
    `barcodes: ${counts.read} of ${counts.photos} photos read (ZXing at one look ${counts.plain}), ` +
      `${counts.misread} misread, ${counts.falsePositives} false positives on ${counts.others} others, ` +
      `p50 ${percentile(sorted(ms), 0.5).toFixed(1)} ms, p95 ${percentile(sorted(ms), 0.95).toFixed(1)} ms without decoding`,
  );
}

async function benchDishes(recognizer: BarcodeRecognizer, all: readonly SetPhoto[]): Promise<void> {
  const step = Math.max(1, Math.floor(all.length / DISH_PHOTOS));
  const photos = all.filter((_, index) => index % step === 0);
  const ms: number[] = [];
  let found = 0;
  for (const { bytes } of photos) {
    // Scales to the size of the first pass, with the detail of a small photo.
    const photo = await openSample(await sharp(bytes).resize({ width: 1280 }).jpeg().toBuffer());
    await photo.grey(1280);
    const startedAtMs = nowMs();
    const { proposals } = await recognizer.recognize(photo, never);
    ms.push(nowMs() - startedAtMs);
    found += proposals.length;
  }
  console.log(
    `barcodes: ${found} on ${photos.length} photos of dishes, p50 ${percentile(sorted(ms), 0.5).toFixed(1)} ms, ` +
      `p95 ${percentile(sorted(ms), 0.95).toFixed(1)} ms without decoding`,
  );
}

async function benchTwelveMegapixels(recognizer: BarcodeRecognizer): Promise<void> {
  const label = await (await barcodePicture({ bars: ean13Bars('3017620422003'), modulePx: 8, heightPx: 500 }))
    .resize({ width: 4032, height: 3024, fit: 'cover' })
    .blur(1.5)
    .jpeg({ quality: 90 })
    .toBuffer();
  const ms: number[] = [];
  for (let i = 0; i < REPEATS; i++) {
    const startedAtMs = nowMs();
    const { proposals } = await recognizer.recognize(await openSample(label), never);
    ms.push(nowMs() - startedAtMs);
    if (proposals.length !== 1) throw new Error('a clear barcode was not read');
  }
  console.log(
    `barcodes: clear, 12 megapixels, decoded and read p50 ${percentile(sorted(ms), 0.5).toFixed(1)} ms, ` +
      `fastest ${Math.min(...ms).toFixed(1)} ms (goal 120)`,
  );
}

/** One folder for each origin, with the true text beside each photo; photos without a text have no barcode. */
function samplesIn(dir: string): Sample[] {
  return readdirSync(dir).flatMap((set) =>
    readdirSync(join(dir, set))
      .filter((file) => !file.endsWith('.txt'))
      .map((file) => {
        const bytes = readFileSync(join(dir, set, file));
        const textFile = join(dir, set, file.replace(/\.\w+$/, '.txt'));
        if (set.startsWith('falsepositives') || !existsSync(textFile))
          return { name: `${set}/${file}`, bytes };
        const text = readFileSync(textFile, 'utf8').trim();
        const gtin = set.startsWith('upce') ? (expandUpcE(text) ?? text) : text;
        return { name: `${set}/${file}`, bytes, gtin };
      }),
  );
}

/** Photos of rotated and skewed barcodes, with a table of their numbers; digits after the 13th belong to an add-on. */
function skewedIn(dir: string): Sample[] {
  const rows = readFileSync(join(dir, 'truth.tsv'), 'utf8').trimEnd().split('\n').slice(1);
  return rows.map((row) => {
    const [name, code, type] = row.split('\t') as [string, string, string];
    const gtin = type === 'UPC-E' ? (expandUpcE(code) ?? code) : code.slice(0, 13);
    return { name, bytes: readFileSync(join(dir, name)), gtin };
  });
}

function sorted(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}
