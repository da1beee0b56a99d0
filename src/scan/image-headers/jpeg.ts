import { type HeaderReading, unreadable, unsupported } from './image-facts.ts';

/** Each scan goes over all pixels; cameras and editors make about 10, a bomb thousands. */
const MAX_SCANS = 100;

const FRAMES = { baseline: 0xc0, extended: 0xc1, progressive: 0xc2 };
const DECODABLE_FRAMES: readonly number[] = Object.values(FRAMES);
/** In the range of the frames, but something else: Huffman tables, JPEG extensions, arithmetic conditioning. */
const NO_FRAMES = [0xc4, 0xc8, 0xcc];
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = Buffer.from([0xff, 0xda]);

/** Markers until the frame header (ITU-T T.81, B.1 and B.2). */
export function readJpegHeader(bytes: Buffer): HeaderReading {
  let at = 2;
  while (at + 4 <= bytes.length) {
    const marker = bytes[at + 1]!;
    if (bytes[at] !== 0xff) return unreadable('a marker is missing');
    if (marker === 0xff) {
      at += 1; // Fill byte: any number of them may stand before a marker.
    } else if (marker === START_OF_SCAN[1] || marker === END_OF_IMAGE) {
      return unreadable('it has no frame');
    } else if (hasNoLength(marker)) {
      at += 2;
    } else if (marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.includes(marker)) {
      return readFrame(bytes, marker, at + 4);
    } else {
      const length = bytes.readUInt16BE(at + 2);
      if (length < 2) return unreadable('a segment has no length');
      at += 2 + length;
    }
  }
  return unreadable('it breaks off');
}

/** Precision, height, width and number of components are the first six bytes of a frame. */
function readFrame(bytes: Buffer, marker: number, at: number): HeaderReading {
  if (!DECODABLE_FRAMES.includes(marker)) return unsupported('This kind of JPEG is too rare to be read');
  if (at + 6 > bytes.length) return unreadable('it breaks off');
  if (bytes[at] !== 8) return unsupported('JPEGs of more than 8 bits a channel are not read');
  const heightPx = bytes.readUInt16BE(at + 1);
  const widthPx = bytes.readUInt16BE(at + 3);
  // Height 0 stands for "told after the first scan", which no camera does.
  if (widthPx === 0 || heightPx === 0) return unreadable('it has no size');
  if (![1, 3, 4].includes(bytes[at + 5]!)) return unreadable('it has an odd number of channels');
  if (countScans(bytes, at) > MAX_SCANS) {
    return { code: 'image_too_large', message: `The image has more than ${MAX_SCANS} scans.` };
  }
  return { type: 'image/jpeg', widthPx, heightPx };
}

/** No decoding needed: within compressed data FF is always followed by 00 or a restart marker. */
function countScans(bytes: Buffer, start: number): number {
  let count = 0;
  for (let at = bytes.indexOf(START_OF_SCAN, start); at >= 0; at = bytes.indexOf(START_OF_SCAN, at + 2)) {
    count++;
    if (count > MAX_SCANS) break;
  }
  return count;
}

function hasNoLength(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}
