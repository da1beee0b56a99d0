const FIRST_BYTES = 1 << 20;
const FIRST_TEXTS = 1 << 12;
/** Offsets are 32-bit. */
const MAX_BYTES = 0xffff_ffff;
const MAX_BYTES_PER_CHAR = 3;

/** Texts by number, as UTF-8 in one buffer: millions of them cost their bytes and nothing for the collector. */
export class TextHeap {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  /** Text n lies from `ends[n - 1]` to `ends[n]`. */
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
