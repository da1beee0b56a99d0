import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  jpeg,
  jpegSegment,
  png,
  pngChunk,
  webp,
  webpChunk,
  webpExtended,
  webpFrame,
  webpLossless,
  webpLossy,
} from '../../../test/support/image-bytes.ts';
import { runs } from '../../../test/support/runs.ts';
import { MAX_OBJECT_BYTES } from '../../blobs/object-store.ts';
import { inspectImage, MAX_IMAGE_PIXELS } from './inspect-image.ts';

const size = { width: 640, height: 480 };
const facts = (type: string) => ({ type, widthPx: 640, heightPx: 480 });
const exif = jpegSegment(
  0xe1,
  Buffer.from('Exif\0\0 with a thumbnail \xff\xd8\xff\xc0\0\x11\x08\0\x01\0\x01', 'latin1'),
);
const animation = pngChunk('acTL', Buffer.alloc(8));

describe('the header states an image’s type and size before decoding', () => {
  it.each([
    ['baseline JPEG', jpeg(size), 'image/jpeg'],
    ['progressive JPEG', jpeg({ ...size, frame: 0xc2, scans: 10 }), 'image/jpeg'],
    ['grey JPEG', jpeg({ ...size, components: 1 }), 'image/jpeg'],
    ['CMYK JPEG', jpeg({ ...size, components: 4 }), 'image/jpeg'],
    ['JPEG whose EXIF holds another', jpeg({ ...size, before: [exif] }), 'image/jpeg'],
    [
      'JPEG with tables and fill bytes',
      jpeg({ ...size, before: [jpegSegment(0xc4, Buffer.alloc(9)), Buffer.from([0xff, 0xff])] }),
      'image/jpeg',
    ],
    ['PNG', png(size), 'image/png'],
    ['16-bit PNG with alpha', png({ ...size, bits: 16, colourType: 6 }), 'image/png'],
    [
      'PNG with text before its pixels',
      png({ ...size, before: [pngChunk('tEXt', Buffer.from('acTL'))] }),
      'image/png',
    ],
    ['lossy WebP', webp(webpLossy(640, 480)), 'image/webp'],
    ['lossy WebP that asks to be scaled', webp(webpLossy(640 | 0x4000, 480 | 0x8000)), 'image/webp'],
    ['lossless WebP', webp(webpLossless(640, 480)), 'image/webp'],
    [
      'WebP with profile',
      webp(webpExtended(640, 480, 0x20), webpChunk('ICCP', Buffer.alloc(7)), webpLossy(640, 480)),
      'image/webp',
    ],
    [
      'animated WebP with a first frame that is smaller than the canvas',
      webp(
        webpExtended(640, 480, 2),
        webpChunk('ANIM', Buffer.alloc(6)),
        webpFrame({ left: 20, top: 10, width: 620, height: 470 }, webpLossy(620, 470)),
      ),
      'image/webp',
    ],
    [
      'animated WebP with transparency',
      webp(
        webpExtended(640, 480, 0x12),
        webpFrame({ width: 640, height: 480 }, webpChunk('ALPH', Buffer.alloc(3)), webpLossy(640, 480)),
      ),
      'image/webp',
    ],
  ])('%s', (_, bytes, type) => {
    expect(inspectImage(bytes)).toEqual(facts(type));
  });
});

describe('undecodable formats are rejected', () => {
  const damagedHeader = png(size);
  damagedHeader[20] = 99;
  it.each([
    ['nothing', Buffer.alloc(0), 'unsupported_image', 'no image'],
    ['text', Buffer.from('hello'), 'unsupported_image', 'no image'],
    ['a GIF', Buffer.from('GIF89a'), 'unsupported_image', 'a GIF'],
    ['an AVIF', Buffer.from('\0\0\0\x18ftypavif'), 'unsupported_image', 'an AVIF'],
    ['an animated PNG', png({ ...size, before: [animation] }), 'unsupported_image', 'Animated'],
    [
      'an animated WebP without a frame',
      webp(webpExtended(640, 480, 2), webpChunk('ANIM', Buffer.alloc(6))),
      'image_unreadable',
      'no pixels',
    ],
    [
      'an animated WebP without a canvas',
      webp(webpFrame({ width: 640, height: 480 }, webpLossy(640, 480))),
      'image_unreadable',
      'contradict',
    ],
    [
      'an animated WebP with a frame beyond the canvas',
      webp(webpExtended(640, 480, 2), webpFrame({ left: 2, width: 640, height: 480 }, webpLossy(640, 480))),
      'image_unreadable',
      'contradict',
    ],
    [
      'an animated WebP whose frame hides a larger image',
      webp(
        webpExtended(640, 480, 2),
        webpFrame({ width: 640, height: 480 }, webpExtended(9_000, 9_000), webpLossless(9_000, 9_000)),
      ),
      'image_unreadable',
      'contradict',
    ],
    [
      'an animated WebP of frames in frames',
      webp(
        webpExtended(640, 480, 2),
        webpFrame({ width: 640, height: 480 }, webpFrame({ width: 640, height: 480 }, webpLossy(640, 480))),
      ),
      'image_unreadable',
      'no pixels',
    ],
    ['a lossless JPEG', jpeg({ ...size, frame: 0xc3 }), 'unsupported_image', 'too rare'],
    ['a 12-bit JPEG', jpeg({ ...size, frame: 0xc1, bits: 12 }), 'unsupported_image', '8 bits'],
    ['a JPEG without height', jpeg({ width: 640, height: 0 }), 'image_unreadable', 'no size'],
    ['a JPEG with two channels', jpeg({ ...size, components: 2 }), 'image_unreadable', 'channels'],
    ['a JPEG without frame', Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 2]), 'image_unreadable', 'no frame'],
    ['a PNG with a damaged header', damagedHeader, 'image_unreadable', 'damaged'],
    ['a PNG with odd depth', png({ ...size, bits: 4, colourType: 2 }), 'image_unreadable', 'channels'],
    [
      'a WebP whose canvas hides a larger image',
      webp(webpExtended(8, 8), webpLossless(9_000, 9_000)),
      'image_unreadable',
      'contradict',
    ],
    ['a WebP without image', webp(webpExtended(640, 480)), 'image_unreadable', 'no pixels'],
  ])('%s', (_, bytes, code, message) => {
    expect(inspectImage(bytes)).toEqual({ code, message: expect.stringContaining(message) });
  });
});

describe('limits are checked before decoding', () => {
  const side = Math.sqrt(MAX_IMAGE_PIXELS / 2);

  it('an image with the maximum number of pixels passes, and one with one more row does not', () => {
    expect(inspectImage(png({ width: 2 * side, height: side }))).toMatchObject({ widthPx: 10_000 });
    expect(inspectImage(png({ width: 2 * side, height: side + 1 }))).toMatchObject({
      code: 'image_too_large',
    });
  });

  it.each([
    ['progressive JPEG of the largest size', jpeg({ width: 7_000, height: 7_000, frame: 0xc2, scans: 20 })],
    [
      'JPEG full of metadata',
      jpeg({ ...size, before: Array(150).fill(jpegSegment(0xe1, Buffer.alloc(65_000))) }),
    ],
    ['progressive photo of 12 megapixels', jpeg({ width: 4_000, height: 3_000, frame: 0xc2, scans: 64 })],
    ['panorama', jpeg({ width: 32_768, height: 1_500 })],
    [
      'PNG with an editor\u2019s metadata',
      png({ ...size, before: Array(60).fill(pngChunk('iTXt', Buffer.alloc(99))) }),
    ],
    ['PNG of many chunks', png({ ...size, before: Array(5_000).fill(pngChunk('IDAT', Buffer.alloc(8))) })],
  ])('an image as cameras and editors write it passes: %s', (_, bytes) => {
    expect(inspectImage(bytes)).toHaveProperty('widthPx');
  });

  it.each([
    ['JPEG', jpeg({ width: 65_535, height: 65_535 })],
    ['PNG', png({ width: 0x7fff_ffff, height: 0x7fff_ffff })],
    ['WebP', webp(webpLossless(16_383, 16_383))],
    ['JPEG with thousands of scans', jpeg({ ...size, frame: 0xc2, scans: 5_000 })],
    ['large JPEG with some scans', jpeg({ width: 7_000, height: 7_000, frame: 0xc2, scans: 21 })],
    [
      'JPEG with millions of empty segments',
      jpeg({ ...size, before: Array(1_001).fill(jpegSegment(0xe1, Buffer.alloc(0))) }),
    ],
    ['PNG of millions of lines', png({ width: 1, height: 40_000_000 })],
    ['PNG of one line', png({ width: 40_000_000, height: 1 })],
    [
      'PNG with thousands of texts',
      png({ ...size, before: Array(300).fill(pngChunk('zTXt', Buffer.alloc(9))) }),
    ],
    ['PNG in crumbs', png({ ...size, before: Array(20_001).fill(pngChunk('IDAT', Buffer.alloc(0))) })],
    [
      'PNG with thousands of texts behind its pixels',
      png({
        ...size,
        before: [pngChunk('IDAT', Buffer.alloc(9)), ...Array(300).fill(pngChunk('zTXt', Buffer.alloc(9)))],
      }),
    ],
    [
      'WebP with thousands of chunks',
      webp(...Array(300).fill(webpChunk('ABCD', Buffer.alloc(1))), webpLossy(9, 9)),
    ],
    [
      'animated WebP of thousands of frames',
      webp(
        webpExtended(16, 16, 2),
        ...Array<Buffer>(1_001).fill(webpFrame({ width: 16, height: 16 }, webpLossy(16, 16))),
      ),
    ],
    ['long file', Buffer.concat([png(size), Buffer.alloc(MAX_OBJECT_BYTES)])],
  ])('a decompression bomb is rejected: %s', (_, bytes) => {
    expect(inspectImage(bytes)).toMatchObject({ code: 'image_too_large' });
  });
});

const SAMPLES = [
  jpeg({ ...size, before: [exif] }),
  png(size),
  webp(webpExtended(640, 480), webpLossy(640, 480)),
  webp(webpExtended(640, 480, 2), webpFrame({ width: 640, height: 480 }, webpLossy(640, 480))),
];

it('an image truncated within its header is rejected, whatever its last byte', () => {
  const [photo, drawing, ...stills] = SAMPLES as [Buffer, Buffer, ...Buffer[]];
  const endOfFrameSize = photo.lastIndexOf(Buffer.from([0xff, 0xc0])) + 10;
  for (const header of [
    photo.subarray(0, endOfFrameSize),
    drawing.subarray(0, drawing.indexOf('IDAT')),
    ...stills,
  ]) {
    expect(header.length).toBeGreaterThan(30);
    for (let length = 0; length < header.length; length++) {
      expect(inspectImage(header.subarray(0, length))).toHaveProperty('code');
    }
  }
});

it('random bytes are read or refused, without other failures', () => {
  const anyDamage = fc.record({
    sample: fc.constantFrom(...SAMPLES),
    at: fc.nat(200),
    bytes: fc.uint8Array({ maxLength: 16 }),
    cut: fc.nat(300),
  });
  fc.assert(
    fc.property(anyDamage, ({ sample, at, bytes, cut }) => {
      const damaged = Buffer.from(sample);
      damaged.set(bytes.subarray(0, Math.max(0, damaged.length - at)), Math.min(at, damaged.length));
      const reading = inspectImage(damaged.subarray(0, Math.max(0, damaged.length - cut)));
      if ('code' in reading) expect(reading.message).toMatch(/\.$/);
      else expect(reading.widthPx * reading.heightPx).toBeLessThanOrEqual(MAX_IMAGE_PIXELS);
    }),
    { numRuns: runs(2_000) },
  );
});
