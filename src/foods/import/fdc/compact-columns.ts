const FIRST_CAPACITY = 1 << 12;
const MAX_LOAD = 0.5;
/** 2^32 divided by the golden ratio, which spreads neighbouring ids. */
const HASH_FACTOR = 0x9e3779b1;

/**
 * Maps integers from 1 to 2^31-1 to their insertion number, from 0. Open addressing in two typed arrays: 16 to 32
 * bytes an id, where a `Map` takes 40 to 80 and loads the garbage collector.
 */
export class SlotIndex {
  #size = 0;
  #ids = new Int32Array(FIRST_CAPACITY);
  #slots = new Int32Array(FIRST_CAPACITY);

  get size(): number {
    return this.#size;
  }

  /** The slot of an id; undefined if it was never added. */
  find(id: number): number | undefined {
    const at = this.#seek(id);
    return this.#ids[at] === id ? this.#slots[at] : undefined;
  }

  /** Gives the id the next slot. The id must be new. */
  add(id: number): number {
    if (this.#size >= this.#ids.length * MAX_LOAD) this.#grow();
    const at = this.#seek(id);
    this.#ids[at] = id;
    this.#slots[at] = this.#size;
    return this.#size++;
  }

  /** Index of the id, or of the free cell for it. */
  #seek(id: number): number {
    const mask = this.#ids.length - 1;
    let at = (Math.imul(id, HASH_FACTOR) >>> 7) & mask;
    while (this.#ids[at] !== 0 && this.#ids[at] !== id) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const ids = this.#ids;
    const slots = this.#slots;
    this.#ids = new Int32Array(ids.length * 2);
    this.#slots = new Int32Array(ids.length * 2);
    for (let from = 0; from < ids.length; from++) {
      if (ids[from] === 0) continue;
      const to = this.#seek(ids[from]!);
      this.#ids[to] = ids[from]!;
      this.#slots[to] = slots[from]!;
    }
  }
}

const FIRST_BYTES = 1 << 20;
const FIRST_TEXTS = 1 << 12;
/** Offsets are 32-bit. */
const MAX_BYTES = 0xffff_ffff;
const MAX_BYTES_PER_CHAR = 3;

/** Texts by number, as UTF-8 in one buffer, without load on the garbage collector. */
export class TextHeap {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  /** Text n is from `ends[n - 1]` to `ends[n]`. */
  #ends = new Uint32Array(FIRST_TEXTS);
  #count = 0;
  #used = 0;

  add(text: string): void {
    this.#reserve(text.length * MAX_BYTES_PER_CHAR);
    this.#used += this.#bytes.write(text, this.#used, 'utf8');
    this.#ends[this.#count++] = this.#used;
  }

  get(index: number): string {
    return this.#bytes.toString('utf8', index === 0 ? 0 : this.#ends[index - 1], this.#ends[index]);
  }

  #reserve(bytes: number): void {
    if (this.#used + bytes > this.#bytes.length) {
      const size = Math.max(this.#used + bytes, this.#bytes.length * 2);
      if (size > MAX_BYTES) throw new RangeError(`more than ${MAX_BYTES} bytes of text`);
      const larger = Buffer.allocUnsafe(size);
      this.#bytes.copy(larger, 0, 0, this.#used);
      this.#bytes = larger;
    }
    if (this.#count === this.#ends.length) {
      const larger = new Uint32Array(this.#count * 2);
      larger.set(this.#ends);
      this.#ends = larger;
    }
  }
}
