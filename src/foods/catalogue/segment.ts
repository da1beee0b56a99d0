/**
 * A segment holds the foods of one import, in import order.
 *
 * | Part | Bytes |
 * | --- | --- |
 * | magic `LARDERSG`, version, reserved | 8 + 4 + 4 |
 * | records, each after its length | 4 + length, many times |
 * | `SegmentSummary` as JSON | n |
 * | records end at | 8 (double) |
 * | n, CRC-32 of everything before this number, magic | 4 + 4 + 8 |
 */

import type { Food, KnownProduct, Origin } from '@larder/core/food.ts';
import { AtomicFileWriter, type WriterDisk } from '../../files/atomic-file-writer.ts';
import type { StoredRecord } from './food-record.ts';
import { writeRecord } from './food-record-writer.ts';
import { SEGMENT_FORMAT_VERSION, SEGMENT_MAGIC } from './format.ts';
import { RecordBytesWriter } from './record-bytes.ts';

export const SEGMENT_HEADER_BYTES = 16;
export const SEGMENT_TRAILER_BYTES = 24;
/** Maximum bytes of one record. Names and aliases have their own lower limits. */
export const MAX_RECORD_BYTES = 1 << 20;

/** The origin of a segment's foods; external services can be several. */
export type SegmentOrigin = Origin | 'outside';

/** A part of a source: the foods that fulfil each criterion that is given. */
export interface SegmentSlice {
  readonly countries?: readonly string[];
  readonly languages?: readonly string[];
  readonly popular?: number;
}

/** Metadata of a segment. */
export interface SegmentInfo {
  readonly origin: SegmentOrigin;
  /** Unix seconds. */
  readonly importedAt: number;
  /** Names of the imported files. */
  readonly sources: readonly string[];
  /** The part of the source that was imported; absent for all of it. */
  readonly slice?: SegmentSlice;
}

export interface SegmentSummary extends SegmentInfo {
  readonly foods: number;
  readonly knownProducts: number;
  readonly bytes: number;
}

/** Writes a segment. The file appears with `finish`, complete or not at all. */
export class SegmentWriter {
  readonly #out: AtomicFileWriter;
  readonly #record = new RecordBytesWriter();
  #foods = 0;
  #knownProducts = 0;

  static open(file: string, disk?: WriterDisk): SegmentWriter {
    const out = AtomicFileWriter.open(file, disk);
    const header = Buffer.alloc(SEGMENT_HEADER_BYTES);
    header.write(SEGMENT_MAGIC, 'latin1');
    header.writeUInt32LE(SEGMENT_FORMAT_VERSION, 8);
    out.write(header);
    return new SegmentWriter({ out });
  }

  private constructor({ out }: { out: AtomicFileWriter }) {
    this.#out = out;
  }

  /** Position of the next record. */
  get position(): number {
    return this.#out.length;
  }

  add(food: Food): void {
    this.addRecord({ food, otherIds: [] });
  }

  addKnown(product: KnownProduct): void {
    this.addRecord({ known: product, otherIds: [] });
  }

  /** Returns the record's bytes, valid until the next record. */
  addRecord(record: StoredRecord): Buffer {
    this.#record.clear();
    writeRecord(this.#record, record);
    if (this.#record.length > MAX_RECORD_BYTES) {
      throw new RangeError(
        `A record of ${this.#record.length} bytes is over the limit of ${MAX_RECORD_BYTES}`,
      );
    }
    this.#out.u32(this.#record.length);
    this.#out.write(this.#record.bytes);
    if ('food' in record) this.#foods++;
    else this.#knownProducts++;
    return this.#record.bytes;
  }

  async finish(info: SegmentInfo): Promise<SegmentSummary> {
    const recordsEnd = this.#out.length;
    const summary = { ...info, foods: this.#foods, knownProducts: this.#knownProducts };
    const json = Buffer.from(JSON.stringify(summary));
    this.#out.write(json);
    const trailer = Buffer.alloc(SEGMENT_TRAILER_BYTES);
    trailer.writeDoubleLE(recordsEnd, 0);
    trailer.writeUInt32LE(json.length, 8);
    this.#out.write(trailer.subarray(0, 12));
    trailer.writeUInt32LE(this.#out.checksum(), 12);
    trailer.write(SEGMENT_MAGIC, 16, 'latin1');
    this.#out.write(trailer.subarray(12));
    await this.#out.finish();
    return { ...summary, bytes: this.#out.length };
  }

  /** Deletes the unfinished file. Does nothing after `finish`. */
  discard(): void {
    this.#out.discard();
  }
}
