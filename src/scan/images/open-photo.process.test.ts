import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { pngChunk } from '../../../test/support/image-bytes.ts';
import { MAX_OBJECT_BYTES } from '../../blobs/object-store.ts';
import { isRefusal } from './image-facts.ts';
import { inspectImage, MAX_IMAGE_PIXELS } from './inspect-image.ts';
import { boundImageDecoding, OpenPhoto, UnreadableImage } from './open-photo.ts';
import type { Pixels } from './photo.ts';

boundImageDecoding();

const RED = { r: 200, g: 30, b: 20 };
const RED_LUMA = 102;
const red = (channels: 3 | 4 = 3, alpha = 1) =>
  sharp({ create: { width: 40, height: 30, channels, background: { ...RED, alpha } } });
/** Frames of 40 x 30 pixels. */
const animation = (colours: readonly (typeof RED)[]) =>
  sharp(Buffer.concat(colours.map(({ r, g, b }) => Buffer.alloc(40 * 30 * 3, Uint8Array.of(r, g, b)))), {
    raw: { width: 40, height: 30 * colours.length, channels: 3, pageHeight: 30 },
  });
/** Noise of all frequencies, so that an encoder cannot compress it much. */
const noise = (side = 300) =>
  sharp(
    Uint8Array.from({ length: side * side * 3 }, (_, at) => (at * 7919) % 251),
    {
      raw: { width: side, height: side, channels: 3 },
    },
  );

async function open(bytes: Buffer): Promise<OpenPhoto> {
  const facts = inspectImage(bytes);
  if (isRefusal(facts)) throw new Error(`refused: ${facts.message}`);
  return OpenPhoto.open(bytes, facts, () => performance.now());
}

function expectColour({ data }: Pixels, colour: readonly number[], tolerance: number): void {
  for (const [at, value] of data.entries()) {
    expect(Math.abs(value - colour[at % colour.length]!)).toBeLessThanOrEqual(tolerance);
  }
}

describe('every kind of image is decoded to 8-bit sRGB and to grey', () => {
  it.each([
    ['JPEG', red().jpeg(), [200, 30, 20], RED_LUMA],
    ['progressive JPEG', red().jpeg({ progressive: true }), [200, 30, 20], RED_LUMA],
    ['grey JPEG', red().toColourspace('b-w').jpeg(), [102, 102, 102], RED_LUMA],
    // CMYK has fewer colours, so this red becomes the nearest one.
    ['CMYK JPEG', red().toColourspace('cmyk').jpeg(), [203, 14, 0], RED_LUMA],
    ['8-bit PNG', red().png(), [200, 30, 20], RED_LUMA],
    ['16-bit PNG', red().toColourspace('rgb16').png(), [200, 30, 20], RED_LUMA],
    ['16-bit grey PNG', red().toColourspace('grey16').png(), [102, 102, 102], RED_LUMA],
    ['palette PNG', red().png({ palette: true }), [200, 30, 20], RED_LUMA],
    ['half transparent PNG, on white', red(4, 0.5).png(), [228, 142, 137], 165],
    ['transparent 16-bit PNG, on white', red(4, 0).toColourspace('rgb16').png(), [255, 255, 255], 255],
    ['lossy WebP', red().webp(), [200, 30, 20], RED_LUMA],
    ['transparent WebP, on white', red(4, 0).webp({ lossless: true }), [255, 255, 255], 255],
    [
      'animated WebP, the first frame',
      animation([RED, { r: 0, g: 0, b: 200 }]).webp(),
      [200, 30, 20],
      RED_LUMA,
    ],
  ])('%s', async (_, image, colour, luma) => {
    const photo = await open(await image.toBuffer());
    const rgb = await photo.rgb({ widthPx: 8, heightPx: 4, fit: 'squash' });
    expect(rgb).toMatchObject({ widthPx: 8, heightPx: 4 });
    expect(rgb.data).toHaveLength(8 * 4 * 3);
    expectColour(rgb, colour, 5);
    const grey = await photo.grey(20);
    expect(grey).toMatchObject({ widthPx: 20, heightPx: 15 });
    expect(grey.data).toHaveLength(20 * 15);
    expectColour(grey, [luma], 5);
  });
});

describe('an image is upright for each EXIF orientation', () => {
  const [width, height] = [64, 32];
  /** The left half is dark and its upper half black, so that all orientations differ. */
  const levelAt = (x: number, y: number) => (x >= width / 2 ? 255 : y < height / 2 ? 0 : 90);
  const [right, bottom] = [width - 1, height - 1];
  /** The target of a stored pixel for each orientation: EXIF 2.32, table 6 (tag 274). */
  const UPRIGHT_PLACE: readonly ((x: number, y: number) => readonly [x: number, y: number])[] = [
    (x, y) => [x, y],
    (x, y) => [right - x, y],
    (x, y) => [right - x, bottom - y],
    (x, y) => [x, bottom - y],
    (x, y) => [y, x],
    (x, y) => [right - y, x],
    (x, y) => [right - y, bottom - x],
    (x, y) => [y, bottom - x],
  ];

  it.each(UPRIGHT_PLACE.map((place, index) => [index + 1, place] as const))(
    'orientation %i',
    async (orientation, place) => {
      const lies = orientation > 4;
      const stored = lies ? { width: height, height: width } : { width, height };
      const pixels = Uint8Array.from({ length: width * height }, (_, at) =>
        levelAt(...place(at % stored.width, Math.floor(at / stored.width))),
      );
      const image = sharp(pixels, { raw: { ...stored, channels: 1 } });
      const bytes = await image.withMetadata({ orientation }).jpeg({ quality: 100 }).toBuffer();
      const photo = await open(bytes);
      expect(photo).toMatchObject({ widthPx: 64, heightPx: 32 });
      const rgb = await photo.rgb({ widthPx: 64, heightPx: 32, fit: 'squash' });
      const jpeg = await sharp(await photo.jpeg(64))
        .raw()
        .toBuffer({ resolveWithObject: true });
      for (const [data, channels] of [
        [(await photo.grey(64)).data, 1],
        [rgb.data, 3],
        [jpeg.data, jpeg.info.channels],
      ] as const) {
        const at = (x: number, y: number) => data[(y * 64 + x) * channels]!;
        expect(at(8, 4)).toBeLessThan(20);
        expect(at(8, 28)).toBeGreaterThan(70);
        expect(at(8, 28)).toBeLessThan(110);
        expect(at(56, 4)).toBeGreaterThan(240);
        expect(at(56, 28)).toBeGreaterThan(240);
      }
    },
  );
});

describe('metadata is removed', () => {
  it('a JPEG of a photo contains neither its location nor its camera', async () => {
    const bytes = await red()
      .withExif({
        IFD0: { Make: 'Camera', Model: 'SECRETCAM' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 51/1 29/1' },
      })
      .jpeg()
      .toBuffer();
    expect(bytes.includes('SECRETCAM')).toBe(true);
    const photo = await open(bytes);
    const jpeg = Buffer.from(await photo.jpeg(100));
    expect(jpeg.includes('SECRETCAM')).toBe(false);
    expect(jpeg.includes('Exif')).toBe(false);
    const { exif, xmp, iptc, icc, width, height } = await sharp(jpeg).metadata();
    expect({ exif, xmp, iptc, icc }).toEqual({
      exif: undefined,
      xmp: undefined,
      iptc: undefined,
      icc: undefined,
    });
    expect([width, height]).toEqual([40, 30]);
  });
});

describe('forms of a photo', () => {
  it('are never larger than the image, and keep its proportions', async () => {
    const photo = await open(await red().png().toBuffer());
    expect(await photo.grey(10_000)).toMatchObject({ widthPx: 40, heightPx: 30 });
    expect(await photo.grey(4)).toMatchObject({ widthPx: 4, heightPx: 3 });
  });

  it('are decoded once each', async () => {
    const photo = await open(await noise().jpeg().toBuffer());
    const first = await photo.grey(100);
    const afterFirstMs = photo.decodeMs;
    expect(await photo.grey(100)).toBe(first);
    expect(photo.decodeMs).toBe(afterFirstMs);
    expect(afterFirstMs).toBeGreaterThan(0);
  });

  it('cover crops to the middle', async () => {
    const stripes = Uint8Array.from({ length: 90 * 30 }, (_, at) =>
      at % 90 < 30 || at % 90 >= 60 ? 255 : 0,
    );
    const image = sharp(stripes, { raw: { width: 90, height: 30, channels: 1 } });
    const photo = await open(await image.png().toBuffer());
    const { data } = await photo.rgb({ widthPx: 10, heightPx: 10, fit: 'cover' });
    expect(Math.max(...data)).toBeLessThan(60);
  });
});

describe('area scaling gives each pixel the mean of the area it covers', () => {
  /** Black with `linePx` white columns from `leftPx` on. */
  const line = (width: number, height: number, leftPx: number, linePx: number) =>
    sharp(
      Uint8Array.from({ length: width * height }, (_, at) =>
        at % width >= leftPx && at % width < leftPx + linePx ? 255 : 0,
      ),
      { raw: { width, height, channels: 1 } },
    );

  it.each([
    ['parts of pixels by their share', line(20, 20, 9, 2).png(), 'squash', [0, 0, 0, 0.4, 0.4, 0, 0, 0]],
    [
      'whatever the file is',
      line(20, 20, 9, 1).webp({ lossless: true }),
      'squash',
      [0, 0, 0, 0.4, 0, 0, 0, 0],
    ],
    ['of a photo many times as large', line(400, 200, 175, 25).png(), 'squash', [0, 0, 0, 0.5, 0, 0, 0, 0]],
    ['of the middle, as it is', line(60, 20, 29, 1).png(), 'cover', [0, 0, 0, 0.4, 0, 0, 0, 0]],
    ['of the middle of a large photo', line(200, 600, 75, 25).png(), 'cover', [0, 0, 0, 1, 0, 0, 0, 0]],
  ] as const)('%s', async (_, image, fit, expected) => {
    const photo = await open(await image.toBuffer());
    const shrink = { widthPx: 8, heightPx: 8, kernel: 'area', quality: 100 } as const;
    const { data } = await photo.rgb({ widthPx: 8, heightPx: 8, fit, shrink });
    for (const row of [0, 7]) {
      for (const [x, share] of expected.entries()) {
        expect(Math.abs(data[(row * 8 + x) * 3]! - 255 * share)).toBeLessThan(10);
      }
    }
  });
});

describe('a damaged image fails with image_unreadable when it is decoded, and yields no partial image', () => {
  it.each([
    ['JPEG that breaks off within its header', noise().jpeg(), 0.1],
    ['JPEG that breaks off early', noise().jpeg(), 0.5],
    ['JPEG that breaks off late', noise().jpeg(), 0.98],
    ['progressive JPEG that breaks off', noise().jpeg({ progressive: true }), 0.7],
    ['PNG that breaks off', noise().png(), 0.7],
  ])('%s', async (_, image, share) => {
    const whole = await image.toBuffer();
    const torn = whole.subarray(0, Math.floor(whole.length * share));
    const forms: readonly ((photo: OpenPhoto) => Promise<unknown>)[] = [
      (photo) => photo.grey(100),
      (photo) => photo.rgb({ widthPx: 9, heightPx: 9, fit: 'cover' }),
      (photo) =>
        photo.rgb({
          widthPx: 9,
          heightPx: 9,
          fit: 'cover',
          shrink: { widthPx: 9, heightPx: 9, kernel: 'area', quality: 90 },
        }),
      (photo) => photo.jpeg(100),
    ];
    for (const form of forms) {
      const made = open(torn).then(form);
      await expect(made).rejects.toThrow(UnreadableImage);
      await expect(made).rejects.toMatchObject({ failure: { code: 'image_unreadable', retryable: false } });
    }
  });

  it('PNG with a changed byte', async () => {
    const bytes = await noise().png().toBuffer();
    bytes[bytes.length >> 1]! ^= 0xff;
    const photo = await open(bytes);
    await expect(photo.grey(100)).rejects.toThrow(UnreadableImage);
  });
});

describe('a small file cannot exceed the pixel limit', () => {
  const hugePng = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 3, background: RED } }).png({
      compressionLevel: 9,
    });

  it('a PNG over the pixel limit is refused without decoding', async () => {
    const bytes = await hugePng(Math.ceil(Math.sqrt(MAX_IMAGE_PIXELS)) + 1).toBuffer();
    expect(bytes.length).toBeLessThan(MAX_OBJECT_BYTES / 10);
    expect(inspectImage(bytes)).toMatchObject({ code: 'image_too_large' });
  });

  it('a PNG within the limit is decoded to the requested size', async () => {
    const photo = await open(await hugePng(7000).toBuffer());
    const { data, widthPx } = await photo.grey(100);
    expect([widthPx, data.length]).toEqual([100, 10_000]);
  });

  it('a PNG is not inflated beyond the size in its header', async () => {
    const bytes = await red().png().toBuffer();
    const bomb = deflateSync(Buffer.alloc(200_000_000), { level: 9 });
    const end = bytes.indexOf('IDAT') - 4;
    const swollen = Buffer.concat([
      bytes.subarray(0, end),
      pngChunk('IDAT', bomb),
      pngChunk('IEND', Buffer.alloc(0)),
    ]);
    const before = process.memoryUsage().rss;
    const photo = await open(swollen);
    await photo.grey(100).catch((error: unknown) => expect(error).toBeInstanceOf(UnreadableImage));
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });

  it('a text chunk of a PNG is not inflated', async () => {
    const bytes = await red().png().toBuffer();
    const text = Buffer.concat([
      Buffer.from('Comment\0\0'),
      deflateSync(Buffer.alloc(200_000_000, 'x'), { level: 9 }),
    ]);
    const start = bytes.indexOf('IDAT') - 4;
    const swollen = Buffer.concat([bytes.subarray(0, start), pngChunk('zTXt', text), bytes.subarray(start)]);
    const before = process.memoryUsage().rss;
    const photo = await open(swollen);
    await photo.grey(100).catch((error: unknown) => expect(error).toBeInstanceOf(UnreadableImage));
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });
});

it('gives a part of a photo, upright, whatever the size of the photo', async () => {
  for (const side of [40, 1_200]) {
    const half = {
      input: await red()
        .resize(side / 2, side)
        .png()
        .toBuffer(),
      left: 0,
      top: 0,
    };
    const white = { create: { width: side, height: side, channels: 3, background: '#fff' } } as const;
    const bytes = await sharp(white).composite([half]).png().toBuffer();
    // The camera was held on its side: what is left in the file is at the top.
    const photo = await open(await sharp(bytes).withMetadata({ orientation: 6 }).png().toBuffer());
    const size = { widthPx: 8, heightPx: 8, fit: 'cover' } as const;
    const part = { left: 0.25, width: 0.5, height: 0.4 };
    expectColour(await photo.rgb({ ...size, part: { ...part, top: 0.05 } }), [200, 30, 20], 2);
    expectColour(await photo.rgb({ ...size, part: { ...part, top: 0.55 } }), [255, 255, 255], 2);
  }
});
