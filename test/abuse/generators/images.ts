import { deflateSync } from 'node:zlib';
import type { Random } from '../../../bench/support/search-random.ts';
import { gridHeic, heicHeader, size } from '../../support/heic-file.ts';
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
} from '../../support/image-bytes.ts';
import type { ImageType } from '../attacker/scanning.ts';

export interface Bomb {
  readonly name: string;
  readonly type: ImageType;
  readonly bytes: Uint8Array;
}

/** Just within 50 megapixels. */
const WIDTH = 8_000;
const HEIGHT = 6_000;
const BLOCK_PX = 8;
const MIB = 1024 * 1024;

/** A few bytes that claim or become as much as they can, of every type that is accepted. */
export function imageBombs(): Bomb[] {
  return [
    { name: 'JPEG of 4 gigapixels', type: 'image/jpeg', bytes: jpeg({ width: 65_500, height: 65_500 }) },
    { name: 'progressive JPEG of 100 scans', type: 'image/jpeg', bytes: progressiveBomb(100) },
    {
      name: 'progressive JPEG of 2,000 scans',
      type: 'image/jpeg',
      bytes: jpeg({ width: WIDTH, height: HEIGHT, frame: 0xc2, scans: 2_000 }),
    },
    { name: 'JPEG of 100 comments', type: 'image/jpeg', bytes: manyComments() },
    {
      name: 'PNG of 4 exapixels',
      type: 'image/png',
      bytes: png({ width: 0x7fff_ffff, height: 0x7fff_ffff }),
    },
    { name: 'PNG of 48 megapixels in 16 bits', type: 'image/png', bytes: zeroPng(WIDTH, HEIGHT, 16, 6) },
    { name: 'PNG of 48 megapixels, interlaced', type: 'image/png', bytes: zeroPng(WIDTH, HEIGHT, 8, 2, 1) },
    { name: 'PNG that claims to be small', type: 'image/png', bytes: lyingPng() },
    { name: 'PNG with a text of 100 MiB', type: 'image/png', bytes: textPng() },
    { name: 'PNG of 200,000 chunks', type: 'image/png', bytes: manyChunks() },
    { name: 'WebP of 268 megapixels', type: 'image/webp', bytes: webp(webpLossy(16_383, 16_383)) },
    { name: 'lossless WebP that breaks off', type: 'image/webp', bytes: webp(webpLossless(WIDTH, HEIGHT)) },
    {
      name: 'animated WebP of 49 megapixels',
      type: 'image/webp',
      bytes: webp(
        webpExtended(7_000, 7_000, 2),
        webpChunk('ANIM', Buffer.alloc(6)),
        webpFrame({ width: 7_000, height: 7_000 }, webpLossy(7_000, 7_000)),
      ),
    },
    {
      name: 'animated WebP of 100,000 frames',
      type: 'image/webp',
      bytes: webp(
        webpExtended(16, 16, 2),
        webpChunk('ANIM', Buffer.alloc(6)),
        ...Array.from({ length: 100_000 }, () => webpFrame({ width: 16, height: 16 }, webpLossy(16, 16))),
      ),
    },
    {
      name: 'WebP that hides a larger one',
      type: 'image/webp',
      bytes: webp(webpExtended(10, 10), webpLossless(16_383, 16_383)),
    },
    {
      name: 'HEIC of 18 exapixels',
      type: 'image/heic',
      bytes: heicHeader({ properties: [size(0xffff_ffff, 0xffff_ffff)] }),
    },
    { name: 'HEIC of 65,000 tiles', type: 'image/heic', bytes: heicHeader({ items: 65_000 }) },
    { name: 'HEIC of 256 tiles, all the same', type: 'image/heic', bytes: gridHeic(256) },
    { name: 'HEIC whose grid is larger than it says', type: 'image/heic', bytes: lyingGrid() },
  ];
}

/**
 * A grey JPEG (ITU-T T.81) all of whose blocks are empty: one scan of DC with a bit for each block, then scans of AC in which
 * each 15 bits stand for 32,767 blocks. Each scan makes a decoder go over all blocks.
 */
function progressiveBomb(scans: number): Buffer {
  const blocks = Math.ceil(WIDTH / BLOCK_PX) * Math.ceil(HEIGHT / BLOCK_PX);
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(HEIGHT, 1);
  frame.writeUInt16BE(WIDTH, 3);
  const oneCode = (where: number, symbol: number) => [where, 1, ...Array(15).fill(0), symbol];
  const scan = (from: number, to: number, data: Buffer) =>
    Buffer.concat([jpegSegment(0xda, Buffer.from([1, 1, 0, from, to, 0])), data]);
  const empty = Buffer.alloc(Math.ceil(blocks / 8));
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xdb, Buffer.from([0, ...Array(64).fill(1)])),
    jpegSegment(0xc2, frame),
    jpegSegment(0xc4, Buffer.from([...oneCode(0x00, 0), ...oneCode(0x10, 0xe0)])),
    scan(0, 0, empty),
    ...Array.from({ length: scans - 1 }, (_, at) => {
      const band = 1 + (at % 63);
      return scan(band, band, endOfBands(blocks));
    }),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** Runs of blocks without anything: the code 0, then 14 bits that are added to 16,384. Padded with ones. */
function endOfBands(blocks: number): Buffer {
  let bits = '';
  for (let left = blocks; left > 0; left -= 32_767) {
    // A run of fewer than 16,384 would need another code; the rest is left to the decoder.
    if (left < 16_384) break;
    bits += `0${(Math.min(left, 32_767) - 16_384).toString(2).padStart(14, '0')}`;
  }
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
  const bytes = padded.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2));
  // FF within data is followed by 0.
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [0xff, 0] : [byte])));
}

function manyComments(): Buffer {
  const before = Array.from({ length: 100 }, () => jpegSegment(0xfe, Buffer.alloc(60_000, 0xff)));
  return jpeg({ width: 640, height: 480, before });
}

/** All of its pixels are black, or transparent: a thousandth of their size. */
function zeroPng(width: number, height: number, bits: number, colourType: number, interlace = 0): Buffer {
  const channels = colourType === 6 ? 4 : 3;
  const rowBytes = 1 + (width * channels * bits) / 8;
  // Adam7 has seven passes, each with a filter byte a row; a few bytes too many do no harm.
  const data = deflateSync(Buffer.alloc(rowBytes * height + (interlace === 1 ? 2 * height : 0)), {
    level: 9,
  });
  return assemble(width, height, bits, colourType, interlace, [pngChunk('IDAT', data)]);
}

function lyingPng(): Buffer {
  return assemble(16, 16, 8, 2, 0, [pngChunk('IDAT', deflateSync(Buffer.alloc(200 * MIB)))]);
}

function textPng(): Buffer {
  const text = Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), deflateSync(Buffer.alloc(100 * MIB))]);
  return png({ width: 16, height: 16, before: Array.from({ length: 8 }, () => pngChunk('zTXt', text)) });
}

function manyChunks(): Buffer {
  const chunk = pngChunk('tEXt', Buffer.from('a\0b', 'latin1'));
  return png({
    width: 16,
    height: 16,
    before: [Buffer.concat(Array.from({ length: 200_000 }, () => chunk))],
  });
}

/** Its properties say 256 by 64 pixels; the grid that is decoded says 4 gigapixels. */
function lyingGrid(): Buffer {
  const file = gridHeic(4);
  const data = file.indexOf('idat', 'latin1') + 'idat'.length;
  file.writeUInt16BE(0xffff, data + 4);
  file.writeUInt16BE(0xffff, data + 6);
  return file;
}

function assemble(
  width: number,
  height: number,
  bits: number,
  colourType: number,
  interlace: number,
  chunks: Buffer[],
) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, colourType, 0, 0, interlace], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, pngChunk('IHDR', header), ...chunks, pngChunk('IEND', Buffer.alloc(0))]);
}

/** Cut off, changed in many places, put together wrongly, or with bytes of another image. */
export function breakImage(image: Uint8Array, random: Random): Uint8Array {
  const bytes = Buffer.from(image);
  const at = 8 + random.below(Math.max(1, bytes.length - 8));
  switch (random.below(4)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      for (let change = 0; change < bytes.length / 20; change++)
        bytes[random.below(bytes.length)] = random.below(256);
      return bytes;
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(0, at), bytes]);
    default:
      return bytes.fill(0xff, at, Math.min(at + 64, bytes.length));
  }
}
