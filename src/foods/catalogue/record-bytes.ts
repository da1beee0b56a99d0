/**
 * The primitives that food records are made of, written and read.
 *
 * | Primitive | Bytes |
 * | --- | --- |
 * | varint | 1 to 8: seven bits a byte, lowest first, the top bit says that more follow; below 2^53 |
 * | decimal | varint of `mantissa * 8 + decimals`: 3.4 is 34 with 1 decimal, and comes back as exactly 3.4 |
 * | text | varint of the number of bytes, then UTF-8 |
 * | code | one byte: length, top bit set where all are digits; then a little-endian number, or the characters |
 */

const MAX_DECIMALS = 7;
const SIGNIFICANT_DIGITS = 7;
const MAX_MANTISSA = 2 ** 50;
const POWERS_OF_TEN = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7] as const;

/** Digit-only codes up to this length are stored as a number. */
const MAX_DIGITS = 15;
const MAX_CODE_LENGTH = 127;
/** Bytes of the largest code: length and characters. */
export const MAX_CODE_BYTES = 1 + MAX_CODE_LENGTH;
const DIGITS_FLAG = 0x80;
/** Bytes needed for a number of this many digits. */
const BYTES_OF_DIGITS = Array.from({ length: MAX_DIGITS + 1 }, (_, digits) =>
  Math.ceil((digits * Math.log2(10)) / 8),
);
const ALL_DIGITS = /^\d+$/;

const INITIAL_CAPACITY = 4096;

/** Appends primitives to a growing buffer. */
export class RecordBytesWriter {
  #buffer = Buffer.allocUnsafe(INITIAL_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The bytes written since `clear`; valid until the next write. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  u8(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = value;
  }

  /** `size` bytes, at most 7, lowest first. */
  uint(value: number, size: number): void {
    this.#reserve(size);
    this.#length = writeUint(this.#buffer, this.#length, value, size);
  }

  varint(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest >= 128) {
      this.#buffer[this.#length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#buffer[this.#length++] = rest;
  }

  /** A finite number of at least 0, rounded to seven significant digits if it is not a short decimal. */
  decimal(value: number): void {
    if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER / 16)) {
      throw new RangeError(`A record cannot hold the number ${value}`);
    }
    for (let decimals = 0; decimals <= MAX_DECIMALS; decimals++) {
      const mantissa = Math.round(value * POWERS_OF_TEN[decimals]!);
      if (mantissa >= MAX_MANTISSA) break;
      if (mantissa / POWERS_OF_TEN[decimals]! === value) {
        this.varint(mantissa * 8 + decimals);
        return;
      }
    }
    this.#rounded(value);
  }

  #rounded(value: number): void {
    let decimals = SIGNIFICANT_DIGITS - 1 - Math.floor(Math.log10(value));
    decimals = Math.min(Math.max(decimals, 0), MAX_DECIMALS);
    // A tiny amount must not become 0.
    let mantissa = Math.max(1, Math.round(value * POWERS_OF_TEN[decimals]!));
    for (; decimals > 0 && mantissa % 10 === 0; decimals--) mantissa /= 10;
    this.varint(mantissa * 8 + decimals);
  }

  text(value: string): void {
    const size = Buffer.byteLength(value);
    this.varint(size);
    this.#reserve(size);
    this.#buffer.write(value, this.#length);
    this.#length += size;
  }

  bytesOf(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#buffer.set(value, this.#length);
    this.#length += value.length;
  }

  code(value: string): void {
    this.#reserve(MAX_CODE_BYTES);
    this.#length = writeCode(this.#buffer, this.#length, value);
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + size));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }
}

/** Writes a code at `at`, which needs room for `MAX_CODE_BYTES`. Returns its end. */
export function writeCode(target: Buffer, at: number, value: string): number {
  const isNumber = value.length <= MAX_DIGITS && ALL_DIGITS.test(value);
  const size = isNumber ? value.length : Buffer.byteLength(value);
  if (size > MAX_CODE_LENGTH) throw new RangeError(`"${value}" is too long for an id or barcode`);
  target[at] = isNumber ? DIGITS_FLAG | size : size;
  if (isNumber) return writeUint(target, at + 1, Number(value), BYTES_OF_DIGITS[size]!);
  return at + 1 + target.write(value, at + 1);
}

function writeUint(target: Buffer, at: number, value: number, size: number): number {
  let rest = value;
  for (let i = 0; i < size; i++) {
    target[at + i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return at + size;
}

/** Up to this length, joining characters is about twice as fast as decoding UTF-8. */
const MAX_SHORT_TEXT = 48;

/** The text if all bytes are ASCII, otherwise undefined. */
function shortAscii(bytes: Uint8Array, start: number, end: number): string | undefined {
  let text = '';
  let at = start;
  for (; at + 8 <= end; at += 8) {
    const a = bytes[at]!;
    const b = bytes[at + 1]!;
    const c = bytes[at + 2]!;
    const d = bytes[at + 3]!;
    const e = bytes[at + 4]!;
    const f = bytes[at + 5]!;
    const g = bytes[at + 6]!;
    const h = bytes[at + 7]!;
    if ((a | b | c | d | e | f | g | h) >= 0x80) return undefined;
    text += String.fromCharCode(a, b, c, d, e, f, g, h);
  }
  for (; at < end; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x80) return undefined;
    text += String.fromCharCode(byte);
  }
  return text;
}

const ZEROS = '0'.repeat(MAX_DIGITS);

function toDigits(value: number, length: number): string {
  const digits = String(value);
  return digits.length === length ? digits : ZEROS.slice(digits.length - length) + digits;
}

/** Reads primitives in sequence; `position` is the start of the next one. */
export class RecordBytesReader {
  position = 0;
  bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Continues with other bytes, so that one reader serves many small buffers. */
  reset(bytes: Buffer, position: number): void {
    this.bytes = bytes;
    this.position = position;
  }

  u8(): number {
    return this.bytes[this.position++]!;
  }

  uint(size: number): number {
    let value = 0;
    for (let i = size - 1; i >= 0; i--) value = value * 256 + this.bytes[this.position + i]!;
    this.position += size;
    return value;
  }

  varint(): number {
    const bytes = this.bytes;
    let byte = bytes[this.position++]!;
    if (byte < 128) return byte;
    let value = byte & 127;
    let scale = 128;
    do {
      byte = bytes[this.position++]!;
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte >= 128);
    return value;
  }

  decimal(): number {
    const value = this.varint();
    // Division gives the double nearest to the decimal: 34 / 10 is 3.4, 34 * 0.1 is not.
    return Math.floor(value / 8) / POWERS_OF_TEN[value % 8]!;
  }

  text(): string {
    const size = this.varint();
    const start = this.position;
    this.position += size;
    if (size <= MAX_SHORT_TEXT) {
      const short = shortAscii(this.bytes, start, this.position);
      if (short !== undefined) return short;
    }
    return this.bytes.toString('utf8', start, this.position);
  }

  /** A view on the next bytes. */
  bytesOf(size: number): Buffer {
    this.position += size;
    return this.bytes.subarray(this.position - size, this.position);
  }

  /** Skips a text and returns its length in code points. */
  skipText(): number {
    const end = this.varint() + this.position;
    let characters = 0;
    for (let i = this.position; i < end; i++) if ((this.bytes[i]! & 0xc0) !== 0x80) characters++;
    this.position = end;
    return characters;
  }

  code(): string {
    const head = this.u8();
    const length = head & ~DIGITS_FLAG;
    if ((head & DIGITS_FLAG) !== 0) return toDigits(this.uint(BYTES_OF_DIGITS[length]!), length);
    const start = this.position;
    this.position += length;
    return this.bytes.toString('utf8', start, this.position);
  }

  skipCode(): void {
    const head = this.u8();
    this.position += (head & DIGITS_FLAG) === 0 ? head : BYTES_OF_DIGITS[head & ~DIGITS_FLAG]!;
  }

  /** Skips a code and returns its digits as a number, or 0 if it is not of digits. */
  codeNumber(): number {
    const head = this.u8();
    if ((head & DIGITS_FLAG) !== 0) return this.uint(BYTES_OF_DIGITS[head & ~DIGITS_FLAG]!);
    this.position += head;
    return 0;
  }
}
