import type { Slot } from './slot.ts';
import type { SlotMaker } from './slot-maker.ts';

/** Caches the slots of one query, since its readings share most of their words. */
export class QuerySlots {
  readonly #slotMaker: SlotMaker;
  readonly #typed = new Map<string, Slot>();
  readonly #guessed = new Map<string, Slot>();

  constructor({ slotMaker }: { readonly slotMaker: SlotMaker }) {
    this.#slotMaker = slotMaker;
  }

  asTyped(token: string, mayGoOn: boolean): Slot {
    return once(this.#typed, token, mayGoOn, () => this.#slotMaker.asTyped(token, mayGoOn));
  }

  withTypos(token: string, mayGoOn: boolean): Slot {
    return once(this.#guessed, token, mayGoOn, () => this.#slotMaker.withTypos(token, mayGoOn));
  }
}

function once(made: Map<string, Slot>, token: string, mayGoOn: boolean, make: () => Slot): Slot {
  // No token holds a space.
  const key = mayGoOn ? `${token} ` : token;
  const known = made.get(key);
  if (known !== undefined) return known;
  const slot = make();
  made.set(key, slot);
  return slot;
}
