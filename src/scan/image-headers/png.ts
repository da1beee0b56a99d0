import { crc32 } from 'node:zlib';
import { type HeaderReading, unreadable, unsupported } from './image-facts.ts';

export const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Length, type, data, checksum. */
const CHUNK_OVERHEAD_BYTES = 12;
const HEADER_BYTES = 13;
const HEADER_AT = PNG_SIGNATURE.length + 8;
const MAX_SIDE = 0x7fff_ffff;
/** Allowed bit depths by colour type. */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** IHDR, and the chunks before the pixels, where an animation has to announce itself (PNG, third edition, 11). */
export function readPngHeader(bytes: Buffer): HeaderReading {
  if (bytes.length < HEADER_AT + HEADER_BYTES + 4) return unreadable('it breaks off');
  if (
    bytes.readUInt32BE(PNG_SIGNATURE.length) !== HEADER_BYTES ||
    chunkType(bytes, PNG_SIGNATURE.length) !== 'IHDR'
  ) {
    return unreadable('it does not begin with its header');
  }
  const checked = bytes.subarray(HEADER_AT - 4, HEADER_AT + HEADER_BYTES);
  if (crc32(checked) !== bytes.readUInt32BE(HEADER_AT + HEADER_BYTES))
    return unreadable('its header is damaged');

  const widthPx = bytes.readUInt32BE(HEADER_AT);
  const heightPx = bytes.readUInt32BE(HEADER_AT + 4);
  const [depth, colourType, compression, filter, interlace] = bytes.subarray(
    HEADER_AT + 8,
    HEADER_AT + HEADER_BYTES,
  );
  if (widthPx === 0 || heightPx === 0 || widthPx > MAX_SIDE || heightPx > MAX_SIDE)
    return unreadable('it has no size');
  if (!DEPTHS[colourType!]?.includes(depth!)) return unreadable('it has an odd number of channels');
  if (compression !== 0 || filter !== 0 || interlace! > 1) return unreadable('its header is damaged');

  for (let at = HEADER_AT + HEADER_BYTES + 4; at + CHUNK_OVERHEAD_BYTES <= bytes.length; ) {
    const type = chunkType(bytes, at);
    if (type === 'acTL') return unsupported('Animated images are not read');
    if (type === 'IDAT') return { type: 'image/png', widthPx, heightPx };
    if (type === 'IEND') return unreadable('it has no pixels');
    at += CHUNK_OVERHEAD_BYTES + bytes.readUInt32BE(at);
  }
  return unreadable('it breaks off');
}

function chunkType(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at + 4, at + 8);
}
