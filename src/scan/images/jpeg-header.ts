import { type HeaderReading, type ImageRefusal, unreadable, unsupported } from './image-facts.ts';

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

function tooMany(what: string): ImageRefusal {
  return { code: 'image_too_large', message: `The image has more than ${what}.` };
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
