import { crc32 } from 'node:zlib';
import { type HeaderReading, type ImageRefusal, unreadable, unsupported } from './image-facts.ts';

export const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** The bytes of a chunk's length, type and checksum. */
const CHUNK_OVERHEAD_BYTES = 12;
const HEADER_BYTES = 13;
const HEADER_AT = PNG_SIGNATURE.length + 8;
const MAX_SIDE = 0x7fff_ffff;
/** Pixel chunks have 8 KB or more; an image of 10 MiB has about 1,300. */
const MAX_CHUNKS = 20_000;
/** Text, colour profiles and others, which decoders inflate and keep; editors write about ten. */
const MAX_EXTRA_CHUNKS = 256;
/** Allowed bit depths by colour type. */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/**
 * Reads IHDR and the types of all chunks: an animation is announced before the pixels (PNG, third edition, 11), and
 * the number of chunks limits the decoder's work. Data after IEND is ignored.
 */
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

  const refusal = refuseChunks(bytes);
  return refusal ?? { type: 'image/png', widthPx, heightPx };
}

/** Damage after the start of the pixels shows when they are decoded. */
function refuseChunks(bytes: Buffer): ImageRefusal | undefined {
  let [chunks, extra] = [0, 0];
  let hasPixels = false;
  for (let at = HEADER_AT + HEADER_BYTES + 4; at + CHUNK_OVERHEAD_BYTES <= bytes.length; ) {
    const type = chunkType(bytes, at);
    if (type === 'acTL' && !hasPixels) return unsupported('Animated images are not read');
    if (type === 'IEND') return hasPixels ? undefined : unreadable('it has no pixels');
    if (type === 'IDAT') hasPixels = true;
    else extra++;
    if (++chunks > MAX_CHUNKS) return tooMany(`${MAX_CHUNKS} chunks`);
    if (extra > MAX_EXTRA_CHUNKS) return tooMany(`${MAX_EXTRA_CHUNKS} chunks of metadata`);
    at += CHUNK_OVERHEAD_BYTES + bytes.readUInt32BE(at);
  }
  return hasPixels ? undefined : unreadable('it breaks off');
}

function tooMany(what: string): ImageRefusal {
  return { code: 'image_too_large', message: `The image has more than ${what}.` };
}

function chunkType(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at + 4, at + 8);
}
