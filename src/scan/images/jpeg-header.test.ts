import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jpeg, jpegSegment } from '../../../test/support/image-bytes.ts';
import { runs } from '../../../test/support/runs.ts';
import { MAX_OBJECT_BYTES } from '../../blobs/object-store.ts';
import { readJpegHeader } from './inspect-image.ts';

const MAX_SCANS = 100;
const COMMENT = 0xfe;
const READ = { type: 'image/jpeg', widthPx: 640, heightPx: 480 };
const TOO_MANY = { code: 'image_too_large', message: 'The image has more than 100 scans.' };
const END = Buffer.from([0xff, 0xd9]);

const photo = jpeg({ width: 640, height: 480, frame: 0xc2, scans: 10 });
const withoutScans = jpeg({ width: 640, height: 480, frame: 0xc2, scans: 0 }).subarray(0, -END.length);
const scan = Buffer.concat([jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), Buffer.from([0x12])]);
const manyScans = Buffer.concat(Array.from({ length: MAX_SCANS + 1 }, () => scan));

const image = (...parts: readonly Uint8Array[]) => Buffer.concat([withoutScans, ...parts]);

it('data after the image, such as the film of a motion photo, is ignored', () => {
  const film = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42'), manyScans, manyScans]);
  expect(readJpegHeader(Buffer.concat([photo, film]))).toEqual(READ);
});

it('a scan marker within a segment is not counted', () => {
  expect(readJpegHeader(image(jpegSegment(COMMENT, manyScans), scan, END))).toEqual(READ);
});

it.each([
  ['an end within a comment', jpegSegment(COMMENT, END)],
  ['an end within the header of a scan', jpegSegment(0xda, END)],
  ['a segment that is shorter than its own length', Buffer.from([0xff, COMMENT, 0, 0])],
  ['a reserved code before what could be a length', Buffer.from([0xff, 0x02, 0x7f, 0])],
  ['another beginning', Buffer.from([0xff, 0xd8, 0x7f, 0])],
  ['fill bytes', Buffer.alloc(9, 0xff)],
  ['stuffed bytes and restarts', Buffer.from([0xff, 0, 0xff, 0xd0, 0xff, 0xff, 0, 0xff, 0xd7])],
  ['bytes between segments', Buffer.from('\0\0\0\0')],
])('scans cannot be hidden by %s', (_, before) => {
  expect(readJpegHeader(image(before, manyScans, END))).toEqual(TOO_MANY);
  expect(readJpegHeader(image(scan, before, manyScans, END))).toEqual(TOO_MANY);
});

it.each([
  ['fill bytes', [0xff]],
  ['stuffed bytes', [0xff, 0]],
  ['restarts', [0xff, 0xd3]],
  ['empty segments', [0xff, COMMENT, 0, 2]],
])('the largest image of nothing but %s is read to its end', (_, pattern) => {
  const rest = Buffer.alloc(MAX_OBJECT_BYTES, Buffer.from(pattern));
  expect(readJpegHeader(image(scan, rest))).toEqual(READ);
  expect(readJpegHeader(image(scan, rest, manyScans))).toEqual(TOO_MANY);
});

const anyByte = fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0xff, 0xda, 0xd9, 0));
const anyBytes = fc.array(anyByte, { maxLength: 40 }).map((bytes) => Buffer.from(bytes));
const segment = fc
  .tuple(fc.constantFrom(0xc4, 0xdb, 0xdd, 0xe0, 0xe1, 0xef, COMMENT), anyBytes)
  .map(([marker, data]) => jpegSegment(marker, data));
const fill = fc.integer({ min: 0, max: 3 }).map((length) => Buffer.alloc(length, 0xff));
const restart = fc.integer({ min: 0xd0, max: 0xd7 }).map((marker) => Buffer.from([0xff, marker]));
/** Compressed data has 00 after each FF. */
const compressed = anyBytes.map((bytes) =>
  Buffer.from([...bytes].flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte]))),
);
const anyScan = fc
  .tuple(fill, anyBytes, compressed, restart, compressed)
  .map(([before, head, data, between, more]) =>
    Buffer.concat([before, jpegSegment(0xda, head), data, between, more]),
  );

it('the scans of the image are counted exactly, with any data between and after them', () => {
  const parts = fc.record({
    scans: fc.array(fc.tuple(fc.array(segment, { maxLength: 2 }), anyScan), {
      minLength: MAX_SCANS - 3,
      maxLength: MAX_SCANS + 3,
      size: 'max',
    }),
    behind: anyBytes,
  });
  fc.assert(
    fc.property(parts, ({ scans, behind }) => {
      const bytes = image(...scans.flatMap(([segments, one]) => [...segments, one]), END, behind, manyScans);
      expect(readJpegHeader(bytes)).toEqual(scans.length > MAX_SCANS ? TOO_MANY : READ);
    }),
    { numRuns: runs(100) },
  );
});
