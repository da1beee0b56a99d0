import { checkDigit, expandUpcE } from '@larder/core/gtin.ts';
import fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { ean8Bars, ean13Bars, upcEBars } from '../../../../test/support/barcode-bars.ts';
import { type BarcodePictureOptions, barcodePicture } from '../../../../test/support/barcode-picture.ts';
import { isRefusal } from '../../images/image-facts.ts';
import { inspectImage } from '../../images/inspect-image.ts';
import { OpenPhoto } from '../../images/open-photo.ts';
import { BarcodeRecognizer } from './barcode-recognizer.ts';

const never = new AbortController().signal;
const nowMs = () => performance.now();

/** A recognizer without a time limit, so that results do not depend on the machine's load. */
let recognizer: BarcodeRecognizer;
/** A recognizer with the time limit of a service. */
let hurried: BarcodeRecognizer;
beforeAll(async () => {
  recognizer = await BarcodeRecognizer.open({ nowMs: () => 0 });
  hurried = await BarcodeRecognizer.open({ nowMs });
});

async function read(image: Sharp, reader = recognizer): Promise<string[]> {
  const bytes = await image.jpeg({ quality: 80 }).toBuffer();
  const facts = inspectImage(bytes);
  if (isRefusal(facts)) throw new Error(facts.message);
  const { proposals } = await reader.recognize(await OpenPhoto.open(bytes, facts, nowMs), never);
  return proposals.map((proposal) => (proposal.kind === 'barcode' ? proposal.digits : ''));
}

interface Printed {
  readonly bars: string;
  readonly digits: string;
}
const withCheck = (body: string) => body + checkDigit(body);
const digits = (pattern: RegExp) => fc.stringMatching(pattern);
const printed: fc.Arbitrary<Printed> = fc.oneof(
  digits(/^[1-9]\d{11}$/)
    .map(withCheck)
    .map((code) => ({ bars: ean13Bars(code), digits: code })),
  digits(/^\d{11}$/)
    .map(withCheck)
    .map((code) => ({ bars: ean13Bars(`0${code}`), digits: code })),
  digits(/^\d{7}$/)
    .map(withCheck)
    .map((code) => ({ bars: ean8Bars(code), digits: code })),
  digits(/^[01]\d{6}$/).map((code) => {
    const upcA = expandUpcE(code)!;
    return { bars: upcEBars(code + upcA.at(-1)), digits: upcA };
  }),
);

describe('every retail barcode is read', () => {
  const conditions: readonly (readonly [string, BarcodePictureOptions | object, (image: Sharp) => Sharp])[] =
    [
      ['as printed', {}, (image) => image],
      ['small', { modulePx: 1.5, heightPx: 60 }, (image) => image],
      ['dark', { background: 10, paper: 45, ink: 8 }, (image) => image],
      ['pale', { background: 150, paper: 230, ink: 170 }, (image) => image],
      ['white on black', { paper: 15, ink: 245 }, (image) => image],
      ['light on dark, askew', { paper: 60, ink: 190, turnedBy: 25 }, (image) => image],
      [
        'light on a dark package, blurred',
        { background: 40, paper: 50, ink: 230 },
        (image) => image.blur(1.2),
      ],
      ['upside down', { turnedBy: 180 }, (image) => image],
      ['upright', { turnedBy: 90 }, (image) => image],
      ['askew', { turnedBy: 20 }, (image) => image],
      ['at 33 degrees', { turnedBy: 33 }, (image) => image],
      ['at 45 degrees', { turnedBy: 45 }, (image) => image],
      ['at -68 degrees', { turnedBy: -68 }, (image) => image],
      ['at 140 degrees, blurred', { turnedBy: 140 }, (image) => image.blur(1.5)],
      ['blurred', {}, (image) => image.blur(1.8)],
    ];
  it.each(conditions)('%s', async (_, parts, change) => {
    await fc.assert(
      fc.asyncProperty(printed, async ({ bars, digits: expected }) => {
        const picture = change(await barcodePicture({ bars, ...parts }));
        expect(await read(picture)).toEqual([expected]);
      }),
      { numRuns: 8, seed: 7 },
    );
  });

  it('bars are read through noise', async () => {
    await fc.assert(
      fc.asyncProperty(printed, fc.integer(), async ({ bars, digits: expected }, seed) => {
        const { data, info } = await (await barcodePicture({ bars }))
          .toColourspace('b-w')
          .raw()
          .toBuffer({ resolveWithObject: true });
        const noisy = data.map((level, at) => Math.min(255, Math.max(0, level + noiseAt(seed, at, 40))));
        const image = sharp(noisy, { raw: { width: info.width, height: info.height, channels: 1 } });
        expect(await read(image)).toEqual([expected]);
      }),
      { numRuns: 8, seed: 7 },
    );
  });
});

describe('several barcodes in one picture', () => {
  it('are all read, with their positions', async () => {
    const numbers = ['3017620422003', '5449000000996'];
    const pictures = await Promise.all(
      numbers.map(async (number) => (await barcodePicture({ bars: ean13Bars(number) })).png().toBuffer()),
    );
    const { width, height } = await sharp(pictures[0]).metadata();
    const both = sharp({ create: { width, height: height * 2, channels: 3, background: '#777' } }).composite(
      pictures.map((input, index) => ({ input, left: 0, top: index * height })),
    );
    const bytes = await both.png().toBuffer();
    const facts = inspectImage(bytes);
    if (isRefusal(facts)) throw new Error(facts.message);
    const { proposals } = await recognizer.recognize(await OpenPhoto.open(bytes, facts, nowMs), never);
    const [upper, lower] = numbers.map((number) =>
      proposals.find((proposal) => proposal.kind === 'barcode' && proposal.digits === number),
    );
    expect(upper!.box!.top + upper!.box!.height).toBeLessThan(0.5);
    expect(lower!.box!.top).toBeGreaterThan(0.5);
    for (const { box } of proposals) {
      expect(box!.left).toBeGreaterThan(0.1);
      expect(box!.width).toBeLessThan(0.8);
    }
  });
});

describe('false barcodes', () => {
  it('bars with a wrong check digit are not reported', async () => {
    await fc.assert(
      fc.asyncProperty(digits(/^[1-9]\d{11}$/), fc.integer({ min: 1, max: 9 }), async (body, by) => {
        const wrong = body + ((Number(checkDigit(body)) + by) % 10);
        expect(await read(await barcodePicture({ bars: ean13Bars(wrong) }), hurried)).toEqual([]);
      }),
      { numRuns: 8, seed: 7 },
    );
  });

  it('stripes that are not a barcode are not reported', async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[01]{95}$/), async (bars) => {
        expect(await read(await barcodePicture({ bars }), hurried)).toEqual([]);
      }),
      { numRuns: 15, seed: 7 },
    );
  });
});

/** Noise between -most and most, deterministic by seed and position. */
function noiseAt(seed: number, at: number, most: number): number {
  const mixed = Math.imul((at + 1) ^ seed, 0x9e3779b1) >>> 8;
  return ((mixed / 2 ** 24) * 2 - 1) * most;
}
