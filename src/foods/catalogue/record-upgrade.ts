import { KNOWN_ONLY, NUTRIENTS_STATED, OPTIONAL_NUTRIENT } from './food-record.ts';
import { readKeys } from './food-record-reader.ts';
import { RecordBytesReader, RecordBytesWriter } from './record-bytes.ts';

const REQUIRED_NUTRIENTS = 4;
/** The number of nutrients in segment version 2, a bit each in a mask whose top bit is for `stated`. */
const NUTRIENTS = 15;
const STATED_BIT = 0x8000;

/** Converts records of segment version 2 to the current format. All numbers are copied unchanged. */
export class RecordUpgrade {
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
