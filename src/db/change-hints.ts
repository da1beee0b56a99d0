import type { LogOwner } from './writer.ts';

/** A power of two, many times the number of active users in a minute, so that users rarely share a slot. */
const SLOTS = 65_536;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Counts the writes to each owner's change log, in memory that all threads of a process share: while the
 * count is unchanged, neither the log nor the data need be read again. Owners share slots by hash, so a count
 * may also rise without a change.
 */
export class ChangeHints {
  readonly #counts: Int32Array;

  constructor({ memory }: { memory: SharedArrayBuffer }) {
    this.#counts = new Int32Array(memory);
  }

  static createMemory(): SharedArrayBuffer {
    return new SharedArrayBuffer(SLOTS * Int32Array.BYTES_PER_ELEMENT);
  }

  /** Read it before the data. */
  of(owner: LogOwner): number {
    return this.ofSlot(slotOf(owner));
  }

  /** Returns the hint of an owner by slot, for callers that keep the slot. */
  ofSlot(slot: number): number {
    return Atomics.load(this.#counts, slot);
  }

  /** Call it after the change is committed and before it is confirmed. */
  raise(owner: LogOwner): void {
    this.raiseSlot(slotOf(owner));
  }

  raiseSlot(slot: number): void {
    Atomics.add(this.#counts, slot, 1);
    Atomics.notify(this.#counts, slot);
  }

  /** Resolves when the count differs from `seen`, or after `timeoutMs`. */
  async changed(owner: LogOwner, seen: number, timeoutMs: number): Promise<void> {
    await Atomics.waitAsync(this.#counts, slotOf(owner), seen, timeoutMs).value;
  }
}

/** Whether a number sent by another node is a valid slot. */
export function isSlot(number: number): boolean {
  return Number.isInteger(number) && number >= 0 && number < SLOTS;
}

/** FNV-1a over the UTF-16 units. */
export function slotOf({ tenant, userId }: LogOwner): number {
  const name = `${tenant}\n${userId}`;
  let hash = FNV_OFFSET;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), FNV_PRIME);
  // The lowest bits of FNV are its weakest.
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}
