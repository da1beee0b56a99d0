import { copyId, readHead } from '../catalogue/food-record-reader.ts';
import { MAX_ID_BYTES } from '../catalogue/food-record-writer.ts';
import { BUCKET_SEED, hashId, hashNumber } from '../catalogue/hash-index.ts';
import { RecordBytesReader } from '../catalogue/record-bytes.ts';

/** Longer names are ordered as if they had this length. */
const MAX_ORDERED_NAME_LENGTH = 511;
const KNOWN_BIT = 17;
const POPULARITY_SHIFT = 9;
const MAX_POPULARITY = 255;
const DROPPED = 0xffff_ffff;

/** The in-memory part of every record while compiling, 24 bytes each. A row is a record, in import order. */
export class RecordTable {
  readonly #positions: Float64Array;
  readonly #gtins: Float64Array;
  readonly #idHashes: Uint32Array;
  readonly #orders: Uint32Array;
  readonly #reader = new RecordBytesReader(Buffer.alloc(0));
  readonly #id = Buffer.alloc(MAX_ID_BYTES);
  #count = 0;

  constructor({ capacity }: { capacity: number }) {
    this.#positions = new Float64Array(capacity);
    this.#gtins = new Float64Array(capacity);
    this.#idHashes = new Uint32Array(capacity);
    this.#orders = new Uint32Array(capacity);
  }

  get count(): number {
    return this.#count;
  }

  add(bytes: Buffer, start: number, position: number): void {
    const row = this.#count++;
    this.#reader.reset(bytes, start);
    this.#idHashes[row] = hashId(copyId(this.#reader, this.#id), BUCKET_SEED);
    this.replace(row, bytes, start, position);
  }

  /** Replaces the record of a row. */
  replace(row: number, bytes: Buffer, start: number, position: number): void {
    this.#positions[row] = position;
    this.#reader.reset(bytes, start);
    const { known, gtin, popularity } = readHead(this.#reader);
    this.#gtins[row] = gtin;
    this.#orders[row] = staticOrder(known, popularity, this.#reader.skipText());
  }

  drop(row: number): void {
    this.#orders[row] = DROPPED;
  }

  position(row: number): number {
    return this.#positions[row]!;
  }

  /** Whether the record is a known product. Not for dropped records. */
  isKnown(row: number): boolean {
    return (this.#orders[row]! & (1 << KNOWN_BIT)) !== 0;
  }

  /** 0 if the record has none. */
  gtin(row: number): number {
    return this.#gtins[row]!;
  }

  /** Groups of at least two rows whose ids have the same hash, oldest first. */
  *rowsOfOneIdHash(): Generator<readonly number[]> {
    const keyOf = (row: number) => this.#idHashes[row]!;
    yield* runs(
      this.#sorted(keyOf, () => true),
      keyOf,
    );
  }

  /** Groups of at least two rows with the same GTIN, oldest first. */
  *rowsOfOneGtin(): Generator<readonly number[]> {
    const keyOf = (row: number) => hashNumber(this.#gtins[row]!, BUCKET_SEED);
    const rows = this.#sorted(keyOf, (row) => this.#gtins[row] !== 0);
    for (const sameHash of runs(rows, keyOf)) {
      const byGtin = Map.groupBy(sameHash, (row) => this.#gtins[row]);
      for (const group of byGtin.values()) if (group.length > 1) yield group;
    }
  }

  /** Rows of the remaining records: foods before known products, then by popularity, shorter name, earlier import. */
  inStaticOrder(): Uint32Array {
    return this.#sorted(
      (row) => this.#orders[row]!,
      () => true,
    );
  }

  /**
   * Rows by key, then by number. Key and row form one 64-bit number (little-endian: the row is the lower half), so
   * that the native sort needs no callback.
   */
  #sorted(keyOf: (row: number) => number, include: (row: number) => boolean): Uint32Array {
    const pairs = new BigUint64Array(this.#count);
    const halves = new Uint32Array(pairs.buffer);
    let count = 0;
    for (let row = 0; row < this.#count; row++) {
      if (this.#orders[row] === DROPPED || !include(row)) continue;
      halves[2 * count] = row;
      halves[2 * count + 1] = keyOf(row);
      count++;
    }
    pairs.subarray(0, count).sort();
    const rows = new Uint32Array(count);
    for (let i = 0; i < count; i++) rows[i] = halves[2 * i]!;
    return rows;
  }
}

function staticOrder(known: boolean, popularity: number, nameLength: number): number {
  return (
    (known ? 1 << KNOWN_BIT : 0) |
    ((MAX_POPULARITY - popularity) << POPULARITY_SHIFT) |
    Math.min(nameLength, MAX_ORDERED_NAME_LENGTH)
  );
}

/** Runs of at least two equal keys. */
function* runs(rows: Uint32Array, keyOf: (row: number) => number): Generator<readonly number[]> {
  for (let start = 0; start < rows.length; ) {
    const key = keyOf(rows[start]!);
    let end = start + 1;
    while (end < rows.length && keyOf(rows[end]!) === key) end++;
    if (end - start > 1) yield Array.from(rows.subarray(start, end));
    start = end;
  }
}
