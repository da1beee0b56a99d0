import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { OperatorError } from '@larder/core/errors.ts';
import { readError } from '../../files/file-errors.ts';
import { KNOWN_ONLY, NUTRIENTS_STATED, OPTIONAL_NUTRIENT } from './food-record.ts';
import { readKeys } from './food-record-reader.ts';
import { isReadableSegment, READABLE_SEGMENTS, RECORD_FORMAT_VERSION, SEGMENT_MAGIC } from './format.ts';
import { RecordBytesReader, RecordBytesWriter } from './record-bytes.ts';
import {
  MAX_RECORD_BYTES,
  SEGMENT_HEADER_BYTES,
  SEGMENT_TRAILER_BYTES,
  type SegmentSummary,
} from './segment.ts';

const REQUIRED_NUTRIENTS = 4;
/** The number of nutrients in segment version 2, a bit each in a mask whose top bit is for `stated`. */
const NUTRIENTS = 15;
const STATED_BIT = 0x8000;

/** Converts records of segment version 2 to the current format. All numbers are copied unchanged. */
class RecordUpgrade {
  readonly #from = new RecordBytesReader(Buffer.alloc(0));
  readonly #out = new RecordBytesWriter();

  /** Returns the record, valid until the next call. */
  convert(bytes: Buffer, start: number, end: number): Buffer {
    const from = this.#from;
    const out = this.#out;
    from.reset(bytes, start);
    out.clear();
    readKeys(from);
    out.bytesOf(bytes.subarray(start, from.position));
    if ((bytes[start]! & KNOWN_ONLY) !== 0) out.varint(0);
    else this.#copyNutrients();
    out.bytesOf(bytes.subarray(from.position, end));
    return out.bytes;
  }

  #copyNutrients(): void {
    const mask = this.#from.uint(2);
    const numbers: number[] = [];
    for (let number = REQUIRED_NUTRIENTS; number < NUTRIENTS; number++) {
      if ((mask & (1 << number)) !== 0) numbers.push(number);
    }
    const isStated = (mask & STATED_BIT) !== 0;
    this.#out.varint((isStated ? NUTRIENTS_STATED : 0) + numbers.length * OPTIONAL_NUTRIENT);
    for (let left = REQUIRED_NUTRIENTS + (isStated ? 1 : 0); left > 0; left--) this.#copyDecimal();
    for (const number of numbers) {
      this.#out.varint(number);
      this.#copyDecimal();
    }
  }

  #copyDecimal(): void {
    this.#out.varint(this.#from.varint());
  }
}

const CHUNK_BYTES = 4 << 20;
const MAX_SUMMARY_BYTES = 1 << 20;
/** Reads most records, which follow their length, in one call. */
const USUAL_READ_BYTES = 256;
const LENGTH_BYTES = 4;

/** Reads a segment: all records in order, then single records by position. */
export class SegmentReader {
  readonly file: string;
  readonly summary: SegmentSummary;
  readonly #fd: number;
  readonly #recordsEnd: number;
  readonly #checksum: number;
  /** Upgrades records of the previous version; undefined for a current segment. */
  readonly #upgrade: RecordUpgrade | undefined;
  #scratch = Buffer.allocUnsafe(USUAL_READ_BYTES);

  /** Throws an `OperatorError` if the file is not a segment, cut off, or of another version. */
  static open(file: string): SegmentReader {
    let fd: number | undefined;
    try {
      fd = openSync(file, 'r');
      return new SegmentReader({ file, fd, ...readFrame(file, fd) });
    } catch (error) {
      if (fd !== undefined) closeSync(fd);
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      throw isMissing ? unusable(`${file} is missing`, error) : readError(file, error);
    }
  }

  private constructor(parts: { file: string; fd: number } & Frame) {
    this.file = parts.file;
    this.summary = parts.summary;
    this.#fd = parts.fd;
    this.#recordsEnd = parts.recordsEnd;
    this.#checksum = parts.checksum;
    if (parts.version < RECORD_FORMAT_VERSION) this.#upgrade = new RecordUpgrade();
  }

  /**
   * Calls `onRecord` for every record in order, and throws an `OperatorError` at the end if the checksum is wrong.
   * `bytes` is valid during the call; pass `position` to `read`.
   */
  async scan(onRecord: (bytes: Buffer, start: number, position: number) => void): Promise<void> {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const checkedBytes = this.summary.bytes - SEGMENT_TRAILER_BYTES + 12;
    let checksum = 0;
    let records = 0;
    let kept = 0;
    for (let filePosition = 0; filePosition < checkedBytes; ) {
      const size = Math.min(CHUNK_BYTES - kept, checkedBytes - filePosition);
      this.#readFully(chunk.subarray(kept, kept + size), filePosition);
      checksum = crc32(chunk.subarray(kept, kept + size), checksum);
      const chunkPosition = filePosition - kept;
      filePosition += size;

      let at = chunkPosition === 0 ? SEGMENT_HEADER_BYTES : 0;
      const end = Math.min(kept + size, this.#recordsEnd - chunkPosition);
      while (at + LENGTH_BYTES <= end) {
        const next = at + LENGTH_BYTES + this.#lengthAt(chunk, at);
        if (next > end) break;
        const upgraded = this.#upgrade?.convert(chunk, at + LENGTH_BYTES, next);
        if (upgraded === undefined) onRecord(chunk, at + LENGTH_BYTES, chunkPosition + at);
        else onRecord(upgraded, 0, chunkPosition + at);
        records++;
        at = next;
      }
      if (chunkPosition + at >= this.#recordsEnd) kept = 0;
      else kept = chunk.copy(chunk, 0, at, kept + size);
      await nextTurn();
    }
    if (checksum !== this.#checksum || records !== this.summary.foods + this.summary.knownProducts) {
      throw damaged(this.file, 'its checksum does not fit its content');
    }
  }

  /** The record at a position from `scan`; valid until the next read. */
  read(position: number): Buffer {
    const available = Math.min(this.#scratch.length, this.summary.bytes - position);
    this.#readFully(this.#scratch.subarray(0, available), position);
    const length = this.#lengthAt(this.#scratch, 0);
    if (LENGTH_BYTES + length > available) {
      if (LENGTH_BYTES + length > this.#scratch.length) {
        this.#scratch = Buffer.allocUnsafe(LENGTH_BYTES + length);
      }
      this.#readFully(this.#scratch.subarray(0, LENGTH_BYTES + length), position);
    }
    const record = this.#scratch.subarray(LENGTH_BYTES, LENGTH_BYTES + length);
    return this.#upgrade?.convert(record, 0, length) ?? record;
  }

  close(): void {
    closeSync(this.#fd);
  }

  #lengthAt(bytes: Buffer, at: number): number {
    const length = bytes.readUInt32LE(at);
    if (length > MAX_RECORD_BYTES) throw damaged(this.file, 'a record has an impossible length');
    return length;
  }

  #readFully(target: Buffer, position: number): void {
    if (readFully(this.#fd, target, position) < target.length) throw damaged(this.file, 'it ends too early');
  }
}

/** The offsets of the records. */
interface Frame {
  readonly version: number;
  readonly summary: SegmentSummary;
  readonly recordsEnd: number;
  readonly checksum: number;
}

function readFrame(file: string, fd: number): Frame {
  const bytes = fstatSync(fd).size;
  const header = Buffer.alloc(SEGMENT_HEADER_BYTES);
  readFully(fd, header, 0);
  if (header.toString('latin1', 0, 8) !== SEGMENT_MAGIC) {
    throw unusable(`${file} is not a segment of foods`);
  }
  const version = header.readUInt32LE(8);
  if (!isReadableSegment(version)) {
    throw unusable(`${file} has format version ${version}, this Larder reads ${READABLE_SEGMENTS}`);
  }
  const trailer = Buffer.alloc(SEGMENT_TRAILER_BYTES);
  readFully(fd, trailer, bytes - SEGMENT_TRAILER_BYTES);
  const recordsEnd = trailer.readDoubleLE(0);
  const jsonBytes = trailer.readUInt32LE(8);
  const complete =
    trailer.toString('latin1', 16, 24) === SEGMENT_MAGIC &&
    jsonBytes <= MAX_SUMMARY_BYTES &&
    recordsEnd + jsonBytes + SEGMENT_TRAILER_BYTES === bytes;
  if (!complete) throw damaged(file, 'it is cut off');

  const json = Buffer.alloc(jsonBytes);
  readFully(fd, json, recordsEnd);
  try {
    const summary = { ...JSON.parse(json.toString()), bytes } as SegmentSummary;
    return { version, summary, recordsEnd, checksum: trailer.readUInt32LE(12) };
  } catch (error) {
    throw damaged(file, 'its summary cannot be read', error);
  }
}

function damaged(file: string, what: string, cause?: unknown): OperatorError {
  return unusable(`${file} is damaged: ${what}`, cause);
}

/** The error of an unreadable segment. An import that replaces the segment does not read it. */
function unusable(what: string, cause?: unknown): OperatorError {
  return new OperatorError(`${what}. Import its source again with --replace.`, { cause });
}

function readFully(fd: number, target: Buffer, position: number): number {
  let done = 0;
  while (done < target.length) {
    const read = readSync(fd, target, done, target.length - done, Math.max(0, position) + done);
    if (read === 0) break;
    done += read;
  }
  return done;
}
