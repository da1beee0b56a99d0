/**
 * Makes valid UTF-8 of the bytes of a text file, whatever program saved it:
 *
 *     UTF-16, with a byte order mark or without     converted
 *     NUL characters                                skipped and counted
 *     a line that is not UTF-8                      read as Windows-1252 (which includes Latin-1) where that is certain:
 *                                                   it has no character of UTF-8, and all its bytes are characters there
 *     another line that is not UTF-8                kept with a replacement character, and named with its column
 */
import { isUtf8 } from 'node:buffer';
import type { RawFoodSink } from '../normalise/raw-food.ts';

const LF = 0x0a;
/** Longer lines are checked in pieces. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const EXAMPLE_BYTES = 80;
/** Number of bytes in which NULs distinguish UTF-16 from other text. */
const SAMPLE_BYTES = 4096;
/** Latin text in UTF-16 has a NUL in nearly every character. */
const MIN_UTF_16_NULS = 0.35;
/** Maximum NULs; a file with more is not text. */
const MAX_TEXT_NULS = 0.02;
/** Minimum length to detect UTF-16 without a byte order mark. */
const MIN_SAMPLE_BYTES = 32;

const WINDOWS_1252 = new TextDecoder('windows-1252');
/** Bytes without a character in Windows-1252. */
const UNDEFINED_1252: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
const MULTI_BYTE = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/;

const NUL = 'NUL character skipped';
const IS_1252 = 'line in Windows-1252 or Latin-1 read as such';
const IS_NEITHER = 'bytes that are neither UTF-8 nor certainly Windows-1252 replaced';

/** The encoding of UTF-16 text by its first bytes; undefined for other content. */
export function utf16Of(start: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  const sample = start.subarray(0, SAMPLE_BYTES);
  const nuls = [0, 0];
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) nuls[at % 2]!++;
  const least = (sample.length / 2) * MIN_UTF_16_NULS;
  if (sample.length < MIN_SAMPLE_BYTES || Math.abs(nuls[0]! - nuls[1]!) < least) return undefined;
  return nuls[1]! > nuls[0]! ? 'utf-16le' : 'utf-16be';
}

/** The first bytes of a file as UTF-8; undefined if they are not text. */
export function headAsUtf8(head: Buffer): Buffer | undefined {
  const utf16 = utf16Of(head);
  if (utf16 !== undefined) return Buffer.from(new TextDecoder(utf16).decode(head));
  // Programs that allocate a file before writing leave NULs at its end.
  const end = head.findLastIndex((byte) => byte !== 0) + 1;
  const text = withoutNuls(head.subarray(0, end));
  return end === 0 || end - text.length > end * MAX_TEXT_NULS ? undefined : text;
}

/** The chunks of a text file as valid UTF-8; changes are reported as findings about the file `name`. */
export async function* asUtf8(
  name: string,
  chunks: AsyncIterable<Buffer>,
  sink: Pick<RawFoodSink, 'noticed'>,
): AsyncGenerator<Buffer, void, undefined> {
  const repair = new Utf8Repair(name, sink);
  let start: Buffer | undefined = Buffer.alloc(0);
  let utf16: InstanceType<typeof TextDecoder> | undefined;
  const toUtf8 = (bytes: Buffer) =>
    repair.push(utf16 === undefined ? bytes : Buffer.from(utf16.decode(bytes, { stream: true })));
  const begin = (bytes: Buffer) => {
    const encoding = utf16Of(bytes);
    utf16 = encoding && new TextDecoder(encoding);
    return toUtf8(bytes);
  };
  for await (const chunk of chunks) {
    if (start === undefined) yield toUtf8(chunk);
    else {
      start = start.length === 0 ? chunk : Buffer.concat([start, chunk]);
      if (start.length < SAMPLE_BYTES) continue;
      yield begin(start);
      start = undefined;
    }
  }
  if (start !== undefined) yield begin(start);
  if (utf16 !== undefined) yield repair.push(Buffer.from(utf16.decode()));
  yield repair.end();
}

/** A whole text file as valid UTF-8, without a byte order mark. */
export async function wholeAsUtf8(
  name: string,
  bytes: Buffer,
  sink: Pick<RawFoodSink, 'noticed'>,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of asUtf8(name, oneChunk(bytes), sink)) pieces.push(piece);
  const utf8 = Buffer.concat(pieces);
  const hasMark = utf8.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return hasMark ? utf8.subarray(BYTE_ORDER_MARK.length) : utf8;
}

const BYTE_ORDER_MARK = Buffer.of(0xef, 0xbb, 0xbf);

async function* oneChunk(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Checks whole lines, so that a character is never cut. */
class Utf8Repair {
  readonly #name: string;
  readonly #sink: Pick<RawFoodSink, 'noticed'>;
  #pending: Buffer = Buffer.alloc(0);
  #line = 1;
  /** Bytes of the line before those that are checked next. */
  #column = 0;

  constructor(name: string, sink: Pick<RawFoodSink, 'noticed'>) {
    this.#name = name;
    this.#sink = sink;
  }

  push(chunk: Buffer): Buffer {
    const bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const lineEnd = bytes.lastIndexOf(LF) + 1;
    const end = lineEnd > 0 || bytes.length <= MAX_LINE_BYTES ? lineEnd : wholeCharacters(bytes);
    this.#pending = bytes.subarray(end);
    return this.#checked(bytes.subarray(0, end));
  }

  end(): Buffer {
    const rest = this.#pending;
    this.#pending = Buffer.alloc(0);
    return this.#checked(rest);
  }

  #checked(bytes: Buffer): Buffer {
    if (!bytes.includes(0) && isUtf8(bytes)) {
      this.#pass(bytes);
      return bytes;
    }
    const lines: Buffer[] = [];
    for (let start = 0; start < bytes.length; ) {
      const found = bytes.indexOf(LF, start);
      const end = found === -1 ? bytes.length : found + 1;
      const line = bytes.subarray(start, end);
      lines.push(this.#repaired(line));
      this.#pass(line);
      start = end;
    }
    return Buffer.concat(lines);
  }

  #pass(bytes: Buffer): void {
    let last = -1;
    for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) {
      this.#line++;
      last = at;
    }
    this.#column = last === -1 ? this.#column + bytes.length : bytes.length - last - 1;
  }

  #repaired(given: Buffer): Buffer {
    const line = withoutNuls(given);
    if (line.length < given.length) this.#notice(NUL, given, given.indexOf(0), given.length - line.length);
    if (isUtf8(line)) return line;
    const at = firstInvalid(line);
    if (!MULTI_BYTE.test(line.toString('latin1')) && !line.some((byte) => UNDEFINED_1252.has(byte))) {
      this.#notice(IS_1252, line, at);
      return Buffer.from(WINDOWS_1252.decode(line));
    }
    this.#notice(IS_NEITHER, line, at);
    return Buffer.from(line.toString('utf8'));
  }

  #notice(reason: string, line: Buffer, at: number, times = 1): void {
    const start = Math.max(0, at - EXAMPLE_BYTES / 2);
    const part = withoutNuls(line.subarray(start, start + EXAMPLE_BYTES));
    const text = (isUtf8(withoutNuls(line)) ? part.toString('utf8') : WINDOWS_1252.decode(part)).trim();
    const example = `${this.#name}:${this.#line}:${this.#column + at + 1} ${text}`;
    for (let time = 0; time < Math.min(times, MAX_NOTICED); time++) this.#sink.noticed(reason, example);
  }
}

/** Maximum NULs that are counted in one line. */
const MAX_NOTICED = 1_000;

function withoutNuls(bytes: Buffer): Buffer {
  return bytes.includes(0) ? (bytes.filter((byte) => byte !== 0) as Buffer) : bytes;
}

/** The bytes except those of an incomplete character at the end. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= 3; back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return bytes.length - back;
  }
  return bytes.length;
}

/** Returns the position of the first byte that belongs to no character of UTF-8. */
function firstInvalid(line: Buffer): number {
  let [low, high] = [0, line.length];
  // If a prefix is invalid, longer ones are, too, apart from an incomplete character.
  while (low < high) {
    const middle = (low + high) >>> 1;
    const end = wholeCharacters(line.subarray(0, middle + 1));
    if (isUtf8(line.subarray(0, end))) low = middle + 1;
    else high = middle;
  }
  // The bytes before it are valid as they are.
  let at = low;
  while (at > 0 && !isUtf8(line.subarray(0, at))) at--;
  return at;
}
