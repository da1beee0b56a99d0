import { crc32, deflateSync } from 'node:zlib';

/** Images as bytes, made from the formats' descriptions. Only the bytes before the pixels matter. */

export function jpegSegment(marker: number, data: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

export interface JpegParts {
  readonly width: number;
  readonly height: number;
  readonly frame?: number;
  readonly bits?: number;
  readonly components?: number;
  readonly scans?: number;
  readonly before?: readonly Uint8Array[];
}

export function jpeg(parts: JpegParts): Buffer {
  const { width, height, frame = 0xc0, bits = 8, components = 3, scans = 1, before = [] } = parts;
  const sizes = Buffer.alloc(6 + 3 * components);
  sizes[0] = bits;
  sizes.writeUInt16BE(height, 1);
  sizes.writeUInt16BE(width, 3);
  sizes[5] = components;
  const scan = Buffer.concat([
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0xff, 0, 0x12]),
  ]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...before,
    jpegSegment(frame, sizes),
    ...Array.from({ length: scans }, () => scan),
    Buffer.from([0xff, 0xd9]),
  ]);
}

export function pngChunk(type: string, data: Uint8Array): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}

export interface PngParts {
  readonly width: number;
  readonly height: number;
  readonly bits?: number;
  readonly colourType?: number;
  readonly before?: readonly Uint8Array[];
}

export function png({ width, height, bits = 8, colourType = 2, before = [] }: PngParts): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = bits;
  header[9] = colourType;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    ...before,
    pngChunk('IDAT', deflateSync(Buffer.alloc(100))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export function webpChunk(type: string, data: Uint8Array): Buffer {
  const chunk = Buffer.alloc(8 + data.length + (data.length % 2));
  chunk.write(type, 'latin1');
  chunk.writeUInt32LE(data.length, 4);
  chunk.set(data, 8);
  return chunk;
}

export function webp(...chunks: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  const head = Buffer.from('RIFF0000');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

export function webpLossy(width: number, height: number): Buffer {
  const data = Buffer.from([0x10, 0, 0, 0x9d, 0x01, 0x2a, 0, 0, 0, 0, 1, 2, 3]);
  data.writeUInt16LE(width, 6);
  data.writeUInt16LE(height, 8);
  return webpChunk('VP8 ', data);
}

export function webpLossless(width: number, height: number): Buffer {
  const data = Buffer.from([0x2f, 0, 0, 0, 0, 1, 2]);
  data.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1);
  return webpChunk('VP8L', data);
}

export function webpExtended(width: number, height: number, flags = 0): Buffer {
  const data = Buffer.alloc(10);
  data[0] = flags;
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return webpChunk('VP8X', data);
}

interface FramePlace {
  /** Even, as is `top`. */
  readonly left?: number;
  readonly top?: number;
  readonly width: number;
  readonly height: number;
}

/** A frame of an animation, with the chunks of its image. */
export function webpFrame(
  { left = 0, top = 0, width, height }: FramePlace,
  ...chunks: readonly Uint8Array[]
) {
  const head = Buffer.alloc(16);
  for (const [at, value] of [left / 2, top / 2, width - 1, height - 1].entries())
    head.writeUIntLE(value, 3 * at, 3);
  return webpChunk('ANMF', Buffer.concat([head, ...chunks]));
}
