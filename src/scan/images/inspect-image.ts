import { crc32 } from 'node:zlib';
import { MAX_OBJECT_BYTES } from '../../blobs/object-store.ts';
import {
  type HeaderReading,
  type ImageFacts,
  type ImageRefusal,
  isRefusal,
  unreadable,
  unsupported,
} from './image-facts.ts';

const BOX_HEADER_BYTES = 8;
const FULL_BOX_BYTES = 4;
/** Phone photos have about ten boxes in a row, and one property for each kind of tile. */
const MAX_BOXES = 1_024;
/** A photo of 48 megapixels has about 200 tiles, twice as many with a depth map or an HDR gain map. */
const MAX_ITEMS = 2_048;
const STILL_BRANDS = ['heic', 'heix', 'heim', 'heis'];
const SEQUENCE_BRANDS = ['hevc', 'hevx', 'hevm', 'hevs', 'msf1'];

interface Box {
  readonly type: string;
  readonly data: Buffer;
}

/** Checks for a HEIF file with an HEVC brand (ISO/IEC 23008-12, annex B). */
function isHeic(bytes: Buffer): boolean {
  return brandsOf(bytes).some((brand) => STILL_BRANDS.includes(brand) || SEQUENCE_BRANDS.includes(brand));
}

/**
 * Finds the largest image of the file by the sizes that its properties state: tiles, thumbnails and the photo itself.
 * Reads the boxes `meta`, `iinf` and `iprp/ipco/ispe` (ISO/IEC 23008-12, 6.5.3) and no pixels.
 */
function readHeicHeader(bytes: Buffer): HeaderReading {
  if (SEQUENCE_BRANDS.includes(brandsOf(bytes)[0]!)) return unsupported('Image sequences are not read');
  const meta = boxesOf(bytes)?.find(({ type }) => type === 'meta');
  const parts = meta && boxesOf(meta.data.subarray(FULL_BOX_BYTES));
  if (parts === undefined) return unreadable('it breaks off');
  if (numberOfItems(parts) > MAX_ITEMS) return tooMany(`${MAX_ITEMS} tiles`);
  const iprp = parts.find(({ type }) => type === 'iprp');
  const ipco = iprp && boxesOf(iprp.data)?.find(({ type }) => type === 'ipco');
  const properties = ipco && boxesOf(ipco.data);
  if (properties === undefined) return unreadable('it has no pixels');
  const sizes = properties.filter(({ type, data }) => type === 'ispe' && data.length >= 12).map(toHeicFacts);
  const [largest] = sizes.sort((a, b) => b.widthPx * b.heightPx - a.widthPx * a.heightPx);
  if (largest === undefined || largest.widthPx === 0 || largest.heightPx === 0)
    return unreadable('it has no size');
  return largest;
}

/** The major brand, then the compatible brands. */
function brandsOf(bytes: Buffer): string[] {
  if (bytes.toString('latin1', 4, 8) !== 'ftyp') return [];
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, MAX_BOXES);
  const brands = [];
  for (let at = 8; at + 4 <= end; at += 4) if (at !== 12) brands.push(bytes.toString('latin1', at, at + 4));
  return brands;
}

function numberOfItems(parts: readonly Box[]): number {
  const items = parts.find(({ type }) => type === 'iinf')?.data;
  if (items === undefined || items.length < FULL_BOX_BYTES + 4) return 0;
  return items[0] === 0 ? items.readUInt16BE(FULL_BOX_BYTES) : items.readUInt32BE(FULL_BOX_BYTES);
}

function toHeicFacts({ data }: Box): ImageFacts {
  return { type: 'image/heic', widthPx: data.readUInt32BE(4), heightPx: data.readUInt32BE(8) };
}

/** The boxes in `bytes`; undefined if one is cut off or there are too many. */
function boxesOf(bytes: Buffer): Box[] | undefined {
  const boxes: Box[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + BOX_HEADER_BYTES > bytes.length || boxes.length === MAX_BOXES) return undefined;
    const stated = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    // Size 0 means to the end. Size 1 means that 64 bits follow, which only files beyond the size limit need.
    const size = stated === 0 ? bytes.length - at : stated;
    if (size < BOX_HEADER_BYTES || at + size > bytes.length) return undefined;
    boxes.push({ type, data: bytes.subarray(at + BOX_HEADER_BYTES, at + size) });
    at += size;
  }
  return boxes;
}

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** The bytes of a chunk's length, type and checksum. */
const CHUNK_OVERHEAD_BYTES = 12;
const HEADER_BYTES = 13;
const HEADER_AT = PNG_SIGNATURE.length + 8;
const MAX_SIDE = 0x7fff_ffff;
/** Pixel chunks have 8 KB or more; an image of 10 MiB has about 1,300. */
const MAX_PNG_CHUNKS = 20_000;
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
function readPngHeader(bytes: Buffer): HeaderReading {
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
    if (type === 'acTL' && !hasPixels) return unsupported('Animated PNGs are not read');
    if (type === 'IEND') return hasPixels ? undefined : unreadable('it has no pixels');
    if (type === 'IDAT') hasPixels = true;
    else extra++;
    if (++chunks > MAX_PNG_CHUNKS) return tooMany(`${MAX_PNG_CHUNKS} chunks`);
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

const FIRST_CHUNK_AT = 12;
const CHUNK_HEADER_BYTES = 8;
const LOSSY_START_CODE = 0x2a019d;
const LOSSLESS_SIGNATURE = 0x2f;
const FRAME_HEADER_BYTES = 16;
const SIDE_14_BITS = 0x3fff;
/** The format's own chunks occur once each, except frames; decoders skip unknown ones. */
const MAX_WEBP_CHUNKS = 256;
/** Frames of an animation, whose list the decoder walks once for each: 0.02 s for these, minutes for 100,000. */
const MAX_FRAMES = 1_000;

/**
 * Reads the chunks of a RIFF file (RFC 9649, 2.3 to 2.7): one image, optionally after an extended header, or the first
 * frame of an animation, which is what is decoded. Decoders check later frames against the canvas before they decode.
 */
function readWebpHeader(bytes: Buffer): HeaderReading {
  if (bytes.length < FIRST_CHUNK_AT + CHUNK_HEADER_BYTES) return unreadable('it breaks off');
  if (bytes.readUInt32LE(4) + 8 > bytes.length) return unreadable('it breaks off');
  return readWebpChunks(bytes.subarray(FIRST_CHUNK_AT));
}

/** Reads chunks up to the image, or all frames; `frame` is the size of the animation's frame that they are of. */
function readWebpChunks(bytes: Buffer, frame?: ImageFacts): HeaderReading {
  let canvas: HeaderReading | undefined = frame;
  let first: HeaderReading | undefined;
  let [chunks, frames] = [0, 0];
  for (let at = 0; at + CHUNK_HEADER_BYTES <= bytes.length; ) {
    const type = bytes.toString('latin1', at, at + 4);
    const isFrame = frame === undefined && type === 'ANMF';
    if (isFrame && ++frames > MAX_FRAMES) return tooMany(`${MAX_FRAMES} frames`);
    if (!isFrame && ++chunks > MAX_WEBP_CHUNKS) return tooMany(`${MAX_WEBP_CHUNKS} chunks`);
    const size = bytes.readUInt32LE(at + 4);
    const data = bytes.subarray(at + CHUNK_HEADER_BYTES, at + CHUNK_HEADER_BYTES + size);
    if (data.length < size) return unreadable('it breaks off');
    if (type === 'VP8 ' || type === 'VP8L') {
      return onCanvas(type === 'VP8L' ? readLossless(data) : readLossy(data), canvas);
    }
    if (isFrame) first ??= readFirstFrame(data, canvas);
    if (frame === undefined && type === 'VP8X') canvas = readExtended(data);
    at += CHUNK_HEADER_BYTES + size + (size % 2);
  }
  return first ?? unreadable('it has no pixels');
}

/** RFC 9649, 2.7.1.1: half the offsets and the sides less one, of 24 bits each, duration, flags, then the frame's chunks. */
function readFirstFrame(data: Buffer, canvas: HeaderReading | undefined): HeaderReading {
  if (canvas !== undefined && isRefusal(canvas)) return canvas;
  if (data.length < FRAME_HEADER_BYTES) return unreadable('it breaks off');
  const frame = toWebpFacts(data.readUIntLE(6, 3) + 1, data.readUIntLE(9, 3) + 1);
  if (isRefusal(frame)) return frame;
  const right = 2 * data.readUIntLE(0, 3) + frame.widthPx;
  const bottom = 2 * data.readUIntLE(3, 3) + frame.heightPx;
  if (canvas === undefined || right > canvas.widthPx || bottom > canvas.heightPx)
    return unreadable('its sizes contradict each other');
  const image = readWebpChunks(data.subarray(FRAME_HEADER_BYTES), frame);
  return isRefusal(image) ? image : canvas;
}

/** A small canvas must not hide a large image. */
function onCanvas(image: HeaderReading, canvas: HeaderReading | undefined): HeaderReading {
  if (canvas === undefined || isRefusal(image)) return image;
  if (isRefusal(canvas)) return canvas;
  const isSame = canvas.widthPx === image.widthPx && canvas.heightPx === image.heightPx;
  return isSame ? image : unreadable('its sizes contradict each other');
}

/** RFC 6386, 9.1: frame tag, start code, sides of 14 bits below their scaling. */
function readLossy(data: Buffer): HeaderReading {
  if (data.length < 10) return unreadable('it breaks off');
  const isKeyFrame = (data[0]! & 1) === 0;
  if (!isKeyFrame || data.readUIntLE(3, 3) !== LOSSY_START_CODE) return unreadable('its header is damaged');
  return toWebpFacts(data.readUInt16LE(6) & SIDE_14_BITS, data.readUInt16LE(8) & SIDE_14_BITS);
}

/** RFC 9649, 3.4: signature, sides of 14 bits less one, alpha, version. */
function readLossless(data: Buffer): HeaderReading {
  if (data.length < 5) return unreadable('it breaks off');
  const bits = data.readUInt32LE(1);
  if (data[0] !== LOSSLESS_SIGNATURE || bits >>> 29 !== 0) return unreadable('its header is damaged');
  return toWebpFacts((bits & SIDE_14_BITS) + 1, ((bits >>> 14) & SIDE_14_BITS) + 1);
}

/** RFC 9649, 2.7: flags, sides of the canvas of 24 bits less one. */
function readExtended(data: Buffer): HeaderReading {
  if (data.length < 10) return unreadable('it breaks off');
  return toWebpFacts(data.readUIntLE(4, 3) + 1, data.readUIntLE(7, 3) + 1);
}

function toWebpFacts(widthPx: number, heightPx: number): HeaderReading {
  if (widthPx === 0 || heightPx === 0) return unreadable('it has no size');
  return { type: 'image/webp', widthPx, heightPx };
}

/**
 * Maximum scans: each scan of a progressive JPEG covers all pixels; cameras and editors write about 10,
 * decompression bombs thousands.
 */
const MAX_SCANS = 100;
/**
 * Pixels times scans, which determines the decoding time: 20 scans of the largest image, 80 of a photo of 12
 * megapixels.
 */
const MAX_SCANNED_PIXELS = 1_000_000_000;
/** Scans allowed for any size; larger images are refused for their size. */
const SCANS_OF_ANY_SIZE = 20;

/** Metadata segments, which decoders keep in memory: 160 of them fill 10 MiB, cameras write about five. */
const MAX_METADATA = 1_000;

const FRAMES = { baseline: 0xc0, extended: 0xc1, progressive: 0xc2 };
const DECODABLE_FRAMES: readonly number[] = Object.values(FRAMES);
/** Codes in the range of frames that are not frames: Huffman tables, JPEG extensions, arithmetic conditioning. */
const NO_FRAMES = [0xc4, 0xc8, 0xcc];
const FIRST_DEFINED_MARKER = 0xc0;
const START_OF_IMAGE = 0xd8;
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
/** Bytes checked one by one before a native search, whose start costs as much as some dozens of them. */
const NEAR_BYTES = 32;

/** Reads markers up to the frame header (ITU-T T.81, B.1 and B.2). */
export function readJpegHeader(bytes: Buffer): HeaderReading {
  let [at, metadata] = [2, 0];
  while (at + 4 <= bytes.length) {
    const marker = bytes[at + 1]!;
    if (bytes[at] !== 0xff) return unreadable('a marker is missing');
    if (marker === 0xff) {
      at += 1; // Fill byte: any number of them may precede a marker.
    } else if (marker === START_OF_SCAN || marker === END_OF_IMAGE) {
      return unreadable('it has no frame');
    } else if (hasNoLength(marker)) {
      at += 2;
    } else if (marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.includes(marker)) {
      return readFrame(bytes, marker, at + 4);
    } else if (isMetadata(marker) && ++metadata > MAX_METADATA) {
      return tooMany(`${MAX_METADATA} segments of metadata`);
    } else {
      const length = bytes.readUInt16BE(at + 2);
      if (length < 2) return unreadable('a segment has no length');
      at += 2 + length;
    }
  }
  return unreadable('it breaks off');
}

/** The first six bytes of a frame are precision, height, width and number of components. */
function readFrame(bytes: Buffer, marker: number, at: number): HeaderReading {
  if (!DECODABLE_FRAMES.includes(marker)) return unsupported('This kind of JPEG is too rare to be read');
  if (at + 6 > bytes.length) return unreadable('it breaks off');
  if (bytes[at] !== 8) return unsupported('JPEGs of more than 8 bits a channel are not read');
  const heightPx = bytes.readUInt16BE(at + 1);
  const widthPx = bytes.readUInt16BE(at + 3);
  // Height 0 means that it follows after the first scan (DNL), which no camera writes.
  if (widthPx === 0 || heightPx === 0) return unreadable('it has no size');
  if (![1, 3, 4].includes(bytes[at + 5]!)) return unreadable('it has an odd number of channels');
  const refusal = refuseSegments(bytes, at - 2, scansAllowed(widthPx * heightPx));
  return refusal ?? { type: 'image/jpeg', widthPx, heightPx };
}

function scansAllowed(pixels: number): number {
  return Math.max(SCANS_OF_ANY_SIZE, Math.min(MAX_SCANS, Math.floor(MAX_SCANNED_PIXELS / pixels)));
}

/**
 * Walks the markers as decoders do (libjpeg's `next_marker`), from a segment's length to the end of the image:
 *
 *     segment, by its length ─▶ bytes that are no marker (compressed data, garbage) ─▶ marker ─▶ segment …  ─▶ FF D9
 *
 * Data after the end, such as a motion photo's film, and data within segments are ignored.
 */
function refuseSegments(bytes: Buffer, lengthAt: number, maxScans: number): ImageRefusal | undefined {
  let [scans, metadata] = [0, 0];
  let at = lengthAt + lengthOf(bytes, lengthAt);
  while (scans <= maxScans) {
    const markerAt = findMarker(bytes, at);
    const marker = bytes[markerAt];
    if (marker === undefined || marker === END_OF_IMAGE) return undefined;
    if (marker === START_OF_SCAN) scans++;
    if (isMetadata(marker) && ++metadata > MAX_METADATA)
      return tooMany(`${MAX_METADATA} segments of metadata`);
    at = markerAt + 1;
    if (isSegment(marker)) at += lengthOf(bytes, at);
  }
  return tooMany(`${maxScans} scans`);
}

/** Position of the next marker code, or the end. FF 00 and restarts belong to compressed data. */
function findMarker(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length) {
    at = findFf(bytes, at);
    while (bytes[at] === 0xff) at++;
    const marker = bytes[at];
    if (marker !== undefined && marker !== 0 && !isRestart(marker)) return at;
    at++;
  }
  return bytes.length;
}

function findFf(bytes: Buffer, start: number): number {
  const near = Math.min(start + NEAR_BYTES, bytes.length);
  for (let at = start; at < near; at++) if (bytes[at] === 0xff) return at;
  const found = bytes.indexOf(0xff, near);
  return found < 0 ? bytes.length : found;
}

/** The segment's length as decoders read it: including its own two bytes, and at least those. */
function lengthOf(bytes: Buffer, at: number): number {
  return at + 2 > bytes.length ? 2 : Math.max(bytes.readUInt16BE(at), 2);
}

/** Reserved codes have no length for decoders; skipping one could hide scans. */
function isSegment(marker: number): boolean {
  return marker >= FIRST_DEFINED_MARKER && !isRestart(marker) && marker !== START_OF_IMAGE;
}

/** APP0 to APP15: EXIF, XMP, colour profiles. */
function isMetadata(marker: number): boolean {
  return marker >= 0xe0 && marker <= 0xef;
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

function hasNoLength(marker: number): boolean {
  return marker === 0x01 || isRestart(marker) || marker === START_OF_IMAGE;
}

export const MAX_IMAGE_PIXELS = 50_000_000;
/** Twice the width of the widest phone panoramas. Decoders work by lines, so millions of short lines take seconds. */
const MAX_IMAGE_SIDE_PX = 32_768;

interface Format {
  readonly matches: (bytes: Buffer) => boolean;
  readonly readHeader: (bytes: Buffer) => HeaderReading;
}

const FORMATS: readonly Format[] = [
  { matches: (bytes) => bytes.length > 2 && bytes.readUIntBE(0, 3) === 0xffd8ff, readHeader: readJpegHeader },
  { matches: (bytes) => bytes.subarray(0, 8).equals(PNG_SIGNATURE), readHeader: readPngHeader },
  { matches: isHeic, readHeader: readHeicHeader },
  { matches: (bytes) => isAt(bytes, 0, 'RIFF') && isAt(bytes, 8, 'WEBP'), readHeader: readWebpHeader },
];

/** Formats that clients send but Larder cannot read; the refusal names them. */
const FOREIGN: readonly (readonly [name: string, matches: (bytes: Buffer) => boolean])[] = [
  ['a GIF', (bytes) => isAt(bytes, 0, 'GIF8')],
  ['an AVIF', (bytes) => isAt(bytes, 4, 'ftypavi')],
  ['a TIFF', (bytes) => isAt(bytes, 0, 'II*\0') || isAt(bytes, 0, 'MM\0*')],
  ['a BMP', (bytes) => isAt(bytes, 0, 'BM')],
  ['a PDF', (bytes) => isAt(bytes, 0, '%PDF')],
];

/**
 * Determines an upload's real type from its bytes and whether it may be decoded: an image within the limits.
 * Reads only headers, in time linear in the bytes, whatever size they announce. Other damage shows when it is
 * decoded.
 */
export function inspectImage(bytes: Buffer): HeaderReading {
  if (bytes.length > MAX_OBJECT_BYTES) {
    return { code: 'image_too_large', message: `The image is larger than ${MAX_OBJECT_BYTES} bytes.` };
  }
  const format = FORMATS.find(({ matches }) => matches(bytes));
  if (format === undefined) {
    const [name = 'no image that is known here'] = FOREIGN.find(([, matches]) => matches(bytes)) ?? [];
    return unsupported(`This is ${name}`);
  }
  const reading = format.readHeader(bytes);
  if (isRefusal(reading)) return reading;
  const { widthPx, heightPx } = reading;
  const has = `The image has ${widthPx} x ${heightPx} pixels, more than`;
  if (widthPx * heightPx > MAX_IMAGE_PIXELS) {
    return { code: 'image_too_large', message: `${has} ${MAX_IMAGE_PIXELS} in all.` };
  }
  if (Math.max(widthPx, heightPx) > MAX_IMAGE_SIDE_PX) {
    return { code: 'image_too_large', message: `${has} ${MAX_IMAGE_SIDE_PX} on a side.` };
  }
  return reading;
}

function isAt(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text;
}
