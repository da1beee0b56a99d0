/**
 * The facts of one import: one entry for each record of its segment, in the same order. An import writes it as a file, a
 * catalogue keeps it as a section (`facts/SEGMENT`), unchanged, so that compiling copies it. Numbers are little-endian.
 *
 * | Part | Bytes |
 * | --- | --- |
 * | blocks of `BLOCK_RECORDS` entries, each compressed (zstd) | n |
 * | … decompressed: end of the terms, ends of the entries | 4 + 4 × `BLOCK_RECORDS` |
 * | … terms: for each entry their number and the numbers of each, as varints | n |
 * | … entries, each `StoredFacts` as JSON, or nothing | n |
 * | for each block: offset, length, CRC-32 | 8 (double) + 4 + 4 |
 * | the terms by number, as a JSON list, compressed | n |
 * | trailer: magic `LARDERFX`, version, records, blocks, length of the terms, CRC-32 of the terms, of the blocks' table, of the trailer before | 8 + 7 × 4 |
 */
import { close, open, read } from 'node:fs';
import { promisify } from 'node:util';
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { FoodFacts } from '@larder/core/food-facts.ts';
import { AtomicFileWriter, type WriterDisk } from '../../files/atomic-file-writer.ts';
import { termsOf } from './facts-terms.ts';

/** More entries compress better, fewer are read faster: `npm run bench -- facts`. */
const BLOCK_RECORDS = 32;
const COMPRESSION_LEVEL = 9;
/** Facts over this size are left out; those of Open Food Facts have some 2 kB. */
export const MAX_FACTS_BYTES = 64 << 10;
const MAX_BLOCK_BYTES = 4 << 20;
const MAX_TERMS_BYTES = 256 << 20;
const MAGIC = 'LARDERFX';
const VERSION = 1;
const TRAILER_BYTES = 36;
const ENTRY_BYTES = 16;
const HEAD_BYTES = 4 + 4 * BLOCK_RECORDS;

/** Facts with the id of their record, by which a reader knows that they belong to the food. */
export interface StoredFacts extends FoodFacts {
  readonly id: string;
}

/** Writes the facts of an import beside its segment. The file appears with `finish`, complete or not at all. */
export class FactsFileWriter {
  readonly #out: AtomicFileWriter;
  readonly #termNumbers = new Map<string, number>();
  readonly #blocks: { readonly offset: number; readonly length: number; readonly crc: number }[] = [];
  #entries: Buffer[] = [];
  #terms: number[] = [];
  #records = 0;

  static open(file: string, disk?: WriterDisk): FactsFileWriter {
    return new FactsFileWriter({ out: AtomicFileWriter.open(file, disk) });
  }

  private constructor({ out }: { out: AtomicFileWriter }) {
    this.#out = out;
  }

  /** Adds the facts of the next record. Returns false if they are too large, and then keeps none. */
  add(id: string, facts: FoodFacts | undefined): boolean {
    const isStated = facts !== undefined && Object.keys(facts).length > 0;
    const bytes = isStated ? Buffer.from(JSON.stringify({ id, ...facts } satisfies StoredFacts)) : NOTHING;
    const isKept = bytes.length <= MAX_FACTS_BYTES;
    const terms = isKept && isStated ? termsOf(facts) : [];
    pushVarint(this.#terms, terms.length);
    for (const term of terms) pushVarint(this.#terms, this.#numberOf(term));
    this.#entries.push(isKept ? bytes : NOTHING);
    this.#records++;
    if (this.#entries.length === BLOCK_RECORDS) this.#endBlock();
    return isKept;
  }

  async finish(): Promise<void> {
    if (this.#entries.length > 0) this.#endBlock();
    const table = Buffer.alloc(this.#blocks.length * ENTRY_BYTES);
    for (const [at, { offset, length, crc }] of this.#blocks.entries()) {
      table.writeDoubleLE(offset, at * ENTRY_BYTES);
      table.writeUInt32LE(length, at * ENTRY_BYTES + 8);
      table.writeUInt32LE(crc, at * ENTRY_BYTES + 12);
    }
    this.#out.write(table);
    const terms = compress(Buffer.from(JSON.stringify([...this.#termNumbers.keys()])));
    this.#out.write(terms);
    const trailer = Buffer.alloc(TRAILER_BYTES);
    trailer.write(MAGIC, 'latin1');
    const numbers = [VERSION, this.#records, this.#blocks.length, terms.length, crc32(terms), crc32(table)];
    for (const [at, number] of numbers.entries()) trailer.writeUInt32LE(number, 8 + 4 * at);
    trailer.writeUInt32LE(crc32(trailer.subarray(0, TRAILER_BYTES - 4)), TRAILER_BYTES - 4);
    this.#out.write(trailer);
    await this.#out.finish();
  }

  /** Deletes the unfinished file. Does nothing after `finish`. */
  discard(): void {
    this.#out.discard();
  }

  #numberOf(term: string): number {
    let number = this.#termNumbers.get(term);
    if (number === undefined) {
      number = this.#termNumbers.size;
      this.#termNumbers.set(term, number);
    }
    return number;
  }

  #endBlock(): void {
    const head = Buffer.alloc(HEAD_BYTES);
    let end = HEAD_BYTES + this.#terms.length;
    head.writeUInt32LE(end, 0);
    for (let at = 0; at < BLOCK_RECORDS; at++) {
      end += this.#entries[at]?.length ?? 0;
      head.writeUInt32LE(end, 4 + 4 * at);
    }
    const bytes = compress(Buffer.concat([head, Buffer.from(this.#terms), ...this.#entries]));
    this.#blocks.push({ offset: this.#out.length, length: bytes.length, crc: crc32(bytes) });
    this.#out.write(bytes);
    this.#entries = [];
    this.#terms = [];
  }
}

const NOTHING = Buffer.alloc(0);

/** The bytes of a facts file: a file of its own, or a section of a catalogue. */
export interface FactsExtent {
  readonly offset: number;
  readonly length: number;
}

/** Reads `length` bytes from `offset` of the file. */
export type ReadAt = (offset: number, length: number) => Promise<Buffer>;

interface Frame {
  readonly records: number;
  readonly blocks: number;
  readonly terms: FactsExtent & { readonly crc: number };
  readonly table: FactsExtent & { readonly crc: number };
}

/** Reads single entries when they are asked for; keeps a few numbers in memory. */
export class FactsFileReader {
  readonly #read: ReadAt;
  readonly #offset: number;
  readonly #frame: Frame;

  /** Throws a `DamagedFactsError`. */
  static async open(read: ReadAt, { offset, length }: FactsExtent): Promise<FactsFileReader> {
    if (length < TRAILER_BYTES) throw new DamagedFactsError();
    const frame = toFrame(await read(offset + length - TRAILER_BYTES, TRAILER_BYTES), { offset, length });
    return new FactsFileReader(read, offset, frame);
  }

  private constructor(read: ReadAt, offset: number, frame: Frame) {
    this.#read = read;
    this.#offset = offset;
    this.#frame = frame;
  }

  get records(): number {
    return this.#frame.records;
  }

  get blocks(): number {
    return this.#frame.blocks;
  }

  async terms(): Promise<readonly string[]> {
    const { terms } = this.#frame;
    return JSON.parse(
      decompress(await this.#read(terms.offset, terms.length), terms.crc, MAX_TERMS_BYTES).toString(),
    );
  }

  /** The decompressed block of this number. */
  async block(number: number): Promise<Buffer> {
    const entry = await this.#read(this.#frame.table.offset + number * ENTRY_BYTES, ENTRY_BYTES);
    const [offset, length] = [entry.readDoubleLE(0), entry.readUInt32LE(8)];
    if (!(offset >= 0 && this.#offset + offset + length <= this.#frame.table.offset))
      throw new DamagedFactsError();
    return decompress(await this.#read(this.#offset + offset, length), entry.readUInt32LE(12));
  }

  /** Checks all checksums. Throws a `DamagedFactsError`. */
  async verify(): Promise<void> {
    const { table } = this.#frame;
    if (crc32(await this.#read(table.offset, table.length)) !== table.crc) throw new DamagedFactsError();
    await this.terms();
    for (let number = 0; number < this.blocks; number++) await this.block(number);
  }
}

export function blockOf(record: number): number {
  return Math.floor(record / BLOCK_RECORDS);
}

/** The facts of a record in its block; undefined if there are none. */
export function factsIn(block: Buffer, record: number): StoredFacts | undefined {
  const at = record % BLOCK_RECORDS;
  const [start, end] = [block.readUInt32LE(4 * at), block.readUInt32LE(4 * at + 4)];
  return start === end ? undefined : (JSON.parse(block.toString('utf8', start, end)) as StoredFacts);
}

/** Calls `onTerm` for each term of each entry of a block, with the entry's number in the block. */
export function eachTerm(block: Buffer, onTerm: (entry: number, term: number) => void): void {
  const end = block.readUInt32LE(0);
  let at = HEAD_BYTES;
  const next = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = block[at++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  for (let entry = 0; at < end; entry++) {
    for (let left = next(); left > 0; left--) onTerm(entry, next());
  }
}

export function firstRecordOf(block: number): number {
  return block * BLOCK_RECORDS;
}

const openFile = promisify(open);
const readInto = promisify(read);
const closeFile = promisify(close);

/** Opens a file to read parts of it without blocking. `close` waits for the reads that were begun. */
export async function openParts(
  file: string,
): Promise<{ readonly read: ReadAt; close(): Promise<void> } & AsyncDisposable> {
  const fd = await openFile(file, 'r');
  const reads = new Set<Promise<unknown>>();
  const close = async () => {
    await Promise.allSettled(reads);
    await closeFile(fd);
  };
  const readAll = async (offset: number, length: number) => {
    const bytes = Buffer.allocUnsafe(length);
    for (let done = 0; done < length; ) {
      const { bytesRead } = await readInto(fd, bytes, done, length - done, offset + done);
      if (bytesRead === 0) throw new DamagedFactsError();
      done += bytesRead;
    }
    return bytes;
  };
  return {
    read(offset, length) {
      const reading = readAll(offset, length);
      reads.add(reading);
      void reading.finally(() => reads.delete(reading)).catch(() => {});
      return reading;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The facts are not as they were written. */
export class DamagedFactsError extends Error {
  constructor() {
    super('the facts of foods are not as they were written');
  }
}

function toFrame(trailer: Buffer, { offset, length }: FactsExtent): Frame {
  const number = (at: number) => trailer.readUInt32LE(8 + 4 * at);
  const isSound =
    trailer.toString('latin1', 0, 8) === MAGIC &&
    number(0) === VERSION &&
    crc32(trailer.subarray(0, TRAILER_BYTES - 4)) === number(6);
  const blocks = number(2);
  const tableBytes = blocks * ENTRY_BYTES;
  const termsOffset = offset + length - TRAILER_BYTES - number(3);
  if (!isSound || termsOffset - tableBytes < offset) throw new DamagedFactsError();
  return {
    records: number(1),
    blocks,
    terms: { offset: termsOffset, length: number(3), crc: number(4) },
    table: { offset: termsOffset - tableBytes, length: tableBytes, crc: number(5) },
  };
}

function compress(bytes: Buffer): Buffer {
  return zstdCompressSync(bytes, {
    params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL },
  });
}

function decompress(bytes: Buffer, crc: number, maxBytes = MAX_BLOCK_BYTES): Buffer {
  if (crc32(bytes) !== crc) throw new DamagedFactsError();
  return zstdDecompressSync(bytes, { maxOutputLength: maxBytes });
}

function pushVarint(into: number[], value: number): void {
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) into.push((rest & 0x7f) | 0x80);
  into.push(rest);
}
