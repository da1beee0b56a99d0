/** What an operator of a data folder does about a damaged database. */
export const DAMAGE_ADVICE =
  'Stop the service, copy the data folder, check the disk and the memory of the machine, and restore the newest backup (`larder restore`); see docs/troubleshooting.md.';

/** Whether the database of this process was found damaged, for all of its threads. It stays set until the process ends. */
export class DamageFlag {
  readonly #words: Int32Array;

  constructor({ memory }: { readonly memory: SharedArrayBuffer }) {
    this.#words = new Int32Array(memory);
  }

  static createMemory(): SharedArrayBuffer {
    return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  }

  get isSet(): boolean {
    return Atomics.load(this.#words, 0) === 1;
  }

  /** True for the first who finds it, and reports it. */
  set(): boolean {
    return Atomics.exchange(this.#words, 0, 1) === 0;
  }
}
