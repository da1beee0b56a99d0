/** A growable unsigned 32-bit array, for collecting what cannot be counted beforehand. */
export class GrowingArray {
  #values: Uint32Array;
  #length = 0;

  constructor(ports: { readonly capacity: number }) {
    this.#values = new Uint32Array(ports.capacity);
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Uint32Array(Math.ceil(this.#length * 1.5) + 16);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
  }

  /** Changes a value that was pushed before. */
  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  /** The values so far, as a view that is only valid until the next `push`. */
  values(): Uint32Array {
    return this.#values.subarray(0, this.#length);
  }
}
