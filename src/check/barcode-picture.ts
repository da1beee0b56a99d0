import { crc32, deflateSync } from 'node:zlib';

/** Bars of the right half of an EAN-13, digit by digit: 1 is a bar (GS1 General Specifications, section 5.2). */
const RIGHT = [
  '1110010',
  '1100110',
  '1101100',
  '1000010',
  '1011100',
  '1001110',
  '1010000',
  '1000100',
  '1001000',
  '1110100',
];
const ODD = RIGHT.map((bars) => bars.replace(/./g, (bit) => (bit === '0' ? '1' : '0')));
const EVEN = RIGHT.map((bars) => [...bars].reverse().join(''));
/** The parity of each left digit, odd or even, by the first digit. */
const PARITY = 'OOOOOO OOEOEE OOEEOE OOEEEO OEOOEE OEEOOE OEEEOO OEOEOE OEOEEO OEEOEO'.split(' ');

const MODULE_PX = 4;
const QUIET_MODULES = 16;
const HEIGHT_PX = 400;
const MARGIN_PX = 80;
const INK = 20;
const PAPER = 245;

/** A PNG of these 13 digits as bars, drawn without a library so that it works everywhere. */
export function barcodePicture(ean13: string): Uint8Array {
  const quiet = '0'.repeat(QUIET_MODULES);
  const row = [...`${quiet}${barsOf(ean13)}${quiet}`].flatMap((bit) =>
    Array<number>(MODULE_PX).fill(bit === '1' ? INK : PAPER),
  );
  const plain = Array<number>(row.length).fill(PAPER);
  return greyPng(
    Array.from({ length: HEIGHT_PX }, (_, y) => (y < MARGIN_PX || y >= HEIGHT_PX - MARGIN_PX ? plain : row)),
  );
}

/** A PNG of one shade, without content. */
export function plainPicture(): Uint8Array {
  const row = Array<number>(HEIGHT_PX).fill(PAPER);
  return greyPng(Array<number[]>(HEIGHT_PX).fill(row));
}

function barsOf(ean13: string): string {
  const parity = PARITY[Number(ean13[0])]!;
  const left = [...ean13.slice(1, 7)].map((digit, at) => (parity[at] === 'O' ? ODD : EVEN)[Number(digit)]);
  const right = [...ean13.slice(7)].map((digit) => RIGHT[Number(digit)]);
  return `101${left.join('')}01010${right.join('')}101`;
}

/** Rows of grey values, 8 bits each (PNG specification, sections 5 and 11). */
function greyPng(rows: readonly (readonly number[])[]): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(rows[0]!.length, 0);
  header.writeUInt32BE(rows.length, 4);
  header[8] = 8;
  // Each row begins with its filter number: none.
  const pixels = Buffer.from(rows.flatMap((row) => [0, ...row]));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
